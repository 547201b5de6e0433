"""Tables as CSV in which no text can become a formula and every number stays one."""

import polars as pl

STARTS_FORMULA = "^[=+\\-@\t\r\\x00]"
PLAIN_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def to_csv(frame: pl.DataFrame) -> str:
    """A frame as CSV: full doubles; a text cell that a spreadsheet would run gets a leading apostrophe.

    A text that reads as a plain number stays as it is: an id such as -5 cannot run, and must read back.
    """
    safe = frame.with_columns(
        pl.when(_runs(name)).then(pl.concat_str(pl.lit("'"), pl.col(name))).otherwise(pl.col(name)).alias(name)
        for name, dtype in frame.schema.items()
        if dtype == pl.String
    )
    return safe.write_csv()


def _runs(name: str) -> pl.Expr:
    return pl.col(name).str.contains(STARTS_FORMULA) & ~pl.col(name).str.contains(PLAIN_NUMBER)
