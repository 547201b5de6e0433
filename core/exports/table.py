"""A table as CSV, Parquet and Markdown: no text can become a formula or be anything but text, and every number stays one."""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from core.exports.text import in_markdown
from core.model.formulas import guarded

if TYPE_CHECKING:
    from core.charts.titled import Drawn


def to_csv(frame: pl.DataFrame) -> str:
    """A frame as CSV: full doubles; a text cell that a spreadsheet would run gets a leading apostrophe.

    Names of columns that came from files are cells too.
    """
    safe = frame.with_columns(guarded(name) for name, dtype in frame.schema.items() if dtype == pl.String)
    heads = pl.Series("", safe.columns, dtype=pl.String).to_frame("head").select(guarded("head"))
    return safe.rename(dict(zip(safe.columns, heads.to_series().to_list(), strict=True))).write_csv()


def to_parquet(frame: pl.DataFrame) -> bytes:
    """A frame as Parquet: types and every digit; a file without formulas."""
    into = io.BytesIO()
    frame.write_parquet(into, compression="zstd", statistics=False)
    return into.getvalue()


def to_markdown(frame: pl.DataFrame, heads: Mapping[str, str] | None = None) -> str:
    """A frame as a Markdown table, numbers as people read them, to the right."""
    names, rows, right = as_text(frame, heads)
    lines = [[in_markdown(name) for name in names], ["--:" if number else ":--" for number in right]]
    lines += [[cell if number else in_markdown(cell) for cell, number in zip(row, right, strict=True)] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_chart(frame: pl.DataFrame, heads: Mapping[str, str] | None = None) -> tuple["Drawn", str]:
    """A frame as a chart of text, for a picture, and what it holds in words."""
    # Imported here: the command line writes CSV, and must start without the charts' library.
    from core.charts.text_table import describe_text_table, text_table

    names, rows, right = as_text(frame, heads)
    return text_table(names, rows, right=right), describe_text_table(names, rows)


def as_text(
    frame: pl.DataFrame, heads: Mapping[str, str] | None = None
) -> tuple[list[str], list[list[str]], list[bool]]:
    """Heads, rows of cells as people read them, and which columns hold numbers.

    Scores have three digits, differences a sign, p-values two digits, counts are in full; what is not there is a dash.
    """
    names = [(heads or {}).get(name, name.replace("_", " ")) for name in frame.columns]
    right = [dtype.is_numeric() for dtype in frame.dtypes]
    rows = [[_cell(name, value) for name, value in zip(frame.columns, row, strict=True)] for row in frame.iter_rows()]
    return names, rows, right


SIGNED = ("difference", "low", "high")


def _cell(name: str, value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if name.lower().startswith(("p_", "p ", "p-")):
            return f"{value:.2g}"
        text = f"{value:+.3f}" if name.lower().endswith(SIGNED) else f"{value:.3f}"
        return text.replace("-", "−")
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return " ".join(str(value).split())
