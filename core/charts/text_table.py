"""Text table: rows of text as a chart, so that a table can be a picture with the charts' own looks."""

from collections.abc import Sequence
from typing import Final

import altair as alt
import polars as pl

from core.charts.style import INK, NEUTRAL, layered, rows_height

MOST_ROWS: Final = 16
# Letters of a label's size that stand beside each other on a slide, the room between columns, and how short a cell may be cut.
LETTERS: Final = 132
GAP: Final = 3
WIDTHS: Final = (46, 36, 28, 22)


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[bool]) -> alt.LayerChart:
    """Draw cells as text, heads in bold, thin lines between rows.

    rows   cells as people read them; of more than 16 rows the first 15 are drawn and a last one counts the rest
    right  for each column whether it is aligned to the right, as numbers are
    """
    shown = [list(row) for row in rows[: MOST_ROWS - 1 if len(rows) > MOST_ROWS else MOST_ROWS]]
    if len(rows) > len(shown):
        shown.append([f"… and {len(rows) - len(shown):,} more", *[""] * (len(heads) - 1)])
    cells, right = _fitting([list(heads), *shown], list(right))
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


def _fitting(cells: list[list[str]], right: list[bool]) -> tuple[list[list[str]], list[bool]]:
    """Cells cut so that all columns fit beside each other; where even short ones do not, the last columns are left out."""
    for widest in WIDTHS:
        short = [[cell if len(cell) <= widest else cell[: widest - 1] + "…" for cell in row] for row in cells]
        if sum(_longest(short)) <= LETTERS:
            return short, right
    keep = len(right)
    while keep > 2 and sum(_longest([row[:keep] for row in short])) > LETTERS - 4:
        keep -= 1
    return [[*row[:keep], "…" if at == 0 else ""] for at, row in enumerate(short)], [*right[:keep], False]


def _longest(cells: list[list[str]]) -> list[int]:
    """How many letters each column needs, with room before the next."""
    return [max(3, *(len(row[at]) for row in cells)) + GAP for at in range(len(cells[0]))]


def _places(cells: list[list[str]]) -> tuple[list[float], list[float]]:
    """Where each column begins and how wide it is, as shares of the width: by its longest cell."""
    longest = _longest(cells)
    total = sum(longest)
    across = [each / total for each in longest]
    left = [sum(across[:at]) for at in range(len(across))]
    gap = (GAP - 1) / total
    return left, [each - gap for each in across]
