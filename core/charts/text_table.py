"""Text table: rows of text as a chart, so that a table can be a picture with the charts' own looks."""

import textwrap
from collections.abc import Sequence
from typing import Final

import altair as alt
import polars as pl

from core.charts.style import INK, NEUTRAL, layered, rows_height

MOST_ROWS: Final = 16
WIDEST: Final = 46
MEASURED: Final = {"size": 18.0, "letter": 0.52}


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[bool]) -> alt.LayerChart:
    """Draw cells as text, heads in bold, thin lines between rows.

    rows   cells as people read them; of more than 16 rows the first 15 are drawn and a last one counts the rest
    right  for each column whether it is aligned to the right, as numbers are
    """
    shown = [list(row) for row in rows[: MOST_ROWS - 1 if len(rows) > MOST_ROWS else MOST_ROWS]]
    if len(rows) > len(shown):
        shown.append([f"… and {len(rows) - len(shown):,} more", *[""] * (len(heads) - 1)])
    cells = [[_short(cell) for cell in row] for row in [list(heads), *shown]]
    left, across = _places(cells)
    frame = pl.DataFrame(
        [
            (at, left[place] if not right[place] else left[place] + across[place], cell, right[place], at == 0)
            for at, row in enumerate(cells)
            for place, cell in enumerate(row)
        ],
        schema={"row": pl.Int64, "place": pl.Float64, "cell": pl.String, "right": pl.Boolean, "head": pl.Boolean},
        orient="row",
    )
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[-0.6, max(len(cells), 4) - 0.4], reverse=True, nice=False))
    x = alt.X("place:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))
    lines = pl.DataFrame({"row": [at - 0.5 for at in range(1, len(cells))]}, schema={"row": pl.Float64})
    layers: list[alt.Chart | alt.LayerChart] = [
        alt.Chart(lines).mark_rule(color=NEUTRAL, strokeWidth=0.6, opacity=0.5, tooltip=None).encode(y=y)
    ]
    for head in (True, False):
        for turned in (False, True):
            part = frame.filter((pl.col("head") == head) & (pl.col("right") == turned))
            mark = alt.Chart(part).mark_text(
                align="right" if turned else "left", baseline="middle", color=INK, fontWeight=600 if head else 400, tooltip=None
            )  # fmt: skip
            layers.append(mark.encode(x=x, y=y, text="cell:N"))
    return layered(*layers, height=rows_height(len(cells), each=34, rest=20))


def describe_text_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Say what the table holds: its columns, and how many rows."""
    return f"A table of {len(rows):,} {'row' if len(rows) == 1 else 'rows'} with the columns {', '.join(heads)}."


def _short(cell: str) -> str:
    return textwrap.shorten(cell, WIDEST, placeholder=" …") if len(cell) > WIDEST else cell


def _places(cells: list[list[str]]) -> tuple[list[float], list[float]]:
    """Where each column begins and how wide it is, as shares of the width: by its longest cell."""
    longest = [max(3, *(len(row[at]) for row in cells)) + 3 for at in range(len(cells[0]))]
    total = sum(longest)
    across = [each / total for each in longest]
    left = [sum(across[:at]) for at in range(len(across))]
    gap = 2 / total
    return left, [each - gap for each in across]
