"""Every run against every other one: a matrix of differences, and a table with p-values that allow for all pairs."""

import polars as pl
import streamlit as st

from core import charts
from core.comparison import Comparison
from core.comparison.all_pairs import Tukey, all_pairs, told_apart, tukey
from core.statistics.verdict import CASES
from pages.shared.compare_pair import once
from pages.shared.compare_parts import p_value
from pages.shared.figure import card, exported
from pages.shared.kept import computed
from pages.shared.text import count, difference, plain
from pages.shared.view import View

TUKEY = "Randomised Tukey HSD: how often shuffling each query's scores among the runs makes the largest difference of any pair this large."
SAID = (
    "By p-values that allow for all pairs at once (below 0.05). That asks more than an interval against one baseline: a run that is better than "
    "the baseline elsewhere may not be told apart from it here."
)


def draw(comparison: Comparison, look: View) -> None:
    """The matrix and the table. The shuffling is the slow part; it is kept."""
    runs = look.runs
    name = f"{comparison.key} {look.measure} {runs} {look.sliced}"
    work = ("Shuffling scores for the p-values", lambda _: tukey(comparison, look.measure, runs, look.where))
    found: Tukey = computed({f"tukey {name}": work})[f"tukey {name}"]
    pairs = once(f"all pairs {name}", lambda: all_pairs(comparison, look.measure, runs, found, look.where))
    st.header(plain(title(pairs)), anchor=False)
    st.markdown(f":gray[{SAID}]")
    frame = matrix(pairs)
    card(
        "Row minus column", charts.matrix(frame, measure=str(look.measure)), frame, key="matrix", finding=title(pairs),
        description=charts.describe_matrix(frame, measure=str(look.measure)),
        note="Blue: the row's run is better; orange: it is worse; grey: not told apart, or too few queries.",
    )  # fmt: skip
    column = st.column_config
    exported(
        table(pairs), hide_index=True, height="content", placeholder="–", lazy=False, key="pairs", alt="Every pair of runs",
        finding=title(pairs),
        column_config={
            "run": column.TextColumn("Run", pinned=True),
            "against": column.TextColumn("Against"),
            "difference": column.TextColumn("Difference", help="Mean of the run minus mean of the other, on the same queries."),
            "record": column.TextColumn("Better / same / worse"),
            "n": column.NumberColumn("Queries", format="%d"),
            "p": column.TextColumn("p-value for all pairs", help=TUKEY),
            "verdict": column.TextColumn("The run is"),
        },
    )  # fmt: skip


def title(pairs: pl.DataFrame) -> str:
    """How many pairs can be told apart."""
    apart, of = told_apart(pairs)
    return f"{apart:,} of {count(of, 'pair')} can be told apart"


def matrix(pairs: pl.DataFrame) -> pl.DataFrame:
    """MATRIX of all pairs, both directions."""
    return pairs.select(
        pl.col("run").alias("row"), pl.col("against").alias("column"), "difference", pl.col("case").alias("verdict")
    )


def once_each(pairs: pl.DataFrame) -> pl.DataFrame:
    """Each pair once, the run that is ahead first, the largest difference first."""
    level = pl.col("difference").fill_null(0) == 0
    ahead = pairs.filter((pl.col("difference") > 0) | (level & (pl.col("run") < pl.col("against"))))
    return ahead.sort("difference", "run", "against", descending=[True, False, False], nulls_last=True)


def table(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs as people read them."""
    rows = [
        {
            "run": row["run"], "against": row["against"], "difference": difference(row["difference"]),
            "record": f"{row['wins']:,} / {row['ties']:,} / {row['losses']:,}", "n": row["n"],
            "p": p_value(row["p_value"]) if row["shows_p"] else "–", "verdict": CASES[row["case"]],
        }
        for row in once_each(pairs).iter_rows(named=True)
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)
