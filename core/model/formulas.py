"""Formulas: what of a text a spreadsheet would run, and the apostrophe that keeps it a text, put on and taken off again.

Guarding loses nothing: a text that already looks guarded gets one more apostrophe, so taking one off always gives it back.
"""

from typing import Final

import polars as pl

STARTS_FORMULA: Final = "^'*[=+\\-@\t\r\\x00]"
GUARDED: Final = "^'+[=+\\-@\t\r\\x00]"
PLAIN_NUMBER: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def guarded(name: str) -> pl.Expr:
    """The texts of a column, with an apostrophe before each that a spreadsheet would run.

    A plain number stays as it is: an id such as -5 cannot run, and must read back.
    """
    runs = pl.col(name).str.contains(STARTS_FORMULA) & ~pl.col(name).str.contains(PLAIN_NUMBER)
    return pl.when(runs).then(pl.concat_str(pl.lit("'"), pl.col(name))).otherwise(pl.col(name)).alias(name)


def unguarded(name: str) -> pl.Expr:
    """The texts of a column that `guarded` wrote, as they were."""
    return (
        pl.when(pl.col(name).str.contains(GUARDED)).then(pl.col(name).str.slice(1)).otherwise(pl.col(name)).alias(name)
    )
