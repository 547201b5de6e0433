"""Agreement: pairs that are judged more than once, by whom, and which grade counts."""

from collections.abc import Sequence

import polars as pl

from core.errors import SHOWN, InputError, Problem
from core.model.conventions import Conflicts
from core.notices import Notice
from core.readers.cells import shown

PAIR = ("query_id", "doc_id")
RULES: dict[Conflicts, str] = {
    "highest": "the highest counts",
    "last": "the last counts",
    "mean": "their mean counts",
    "refuse": "none counts",
}


def repeated(
    rated: pl.DataFrame, rule: Conflicts, name: str, files: Sequence[str]
) -> tuple[pl.DataFrame, list[Notice]]:
    """Every pair once, and notices about those that were judged several times.

    Returns query_id, doc_id, grade, and the notices duplicate-judgments, conflicting-judgments, second-column.
    Raises InputError where grades differ and the rule is "refuse".
    """
    if not rated.select(pl.struct(PAIR).is_duplicated().any()).item():
        return rated.select(*PAIR, "grade"), []
    grade = {"highest": pl.col("grade").max(), "last": pl.col("grade").last(), "mean": pl.col("grade").mean()}
    optional = [column for column in ("iteration", "assessor") if column in rated.columns]
    pairs = rated.group_by(PAIR, maintain_order=True).agg(
        grade.get(rule, pl.col("grade").max()).alias("chosen"),
        pl.len().alias("times"),
        pl.col("grade").n_unique().alias("different"),
        *(pl.col(column).n_unique().alias(column) for column in optional),
    )
    several = pairs.filter(pl.col("times") > 1)
    conflicts = several.filter(pl.col("different") > 1)
    if conflicts.height and rule == "refuse":
        raise _refused(rated, conflicts, files)
    notices = _notices(rated, several, conflicts, rule, name)
    return pairs.select(*PAIR, pl.col("chosen").alias("grade")), notices


def _notices(
    rated: pl.DataFrame, several: pl.DataFrame, conflicts: pl.DataFrame, rule: Conflicts, name: str
) -> list[Notice]:
    notices = []
    if _by_second_column(rated, several):
        notices.append(_second_column(rated, several, rule, name))
        if (several["iteration"] == several["times"]).all():
            return notices
    same = several.filter(pl.col("different") == 1)
    if same.height:
        rows = int((same["times"] - 1).sum())
        what = (
            "1 repeated judgment with the same grade was"
            if rows == 1
            else f"{rows:,} repeated judgments with the same grade were"
        )
        message = f"{what} merged."
        notices.append(Notice("duplicate-judgments", "info", name, message, rows, _examples(same)))
    if conflicts.height:
        notices.append(_conflicting(rated, several, conflicts, rule, name))
    return notices


def _by_second_column(rated: pl.DataFrame, several: pl.DataFrame) -> bool:
    """Whether pairs are repeated under different values of TREC's second column."""
    return "iteration" in rated.columns and bool((several["iteration"] > 1).any())


def _second_column(rated: pl.DataFrame, several: pl.DataFrame, rule: Conflicts, name: str) -> Notice:
    values = rated["iteration"].drop_nulls().n_unique()
    under = several.filter(pl.col("iteration") > 1)
    pairs = "1 pair is" if under.height == 1 else f"{under.height:,} pairs are"
    message = (
        f"The second column takes {values:,} values and {pairs} judged under more than one: this looks like subtopics "
        f"(diversity judgments) or rounds. Of several grades for a pair, {RULES[rule]}."
    )
    return Notice("second-column", "warning", name, message, under.height, _examples(under))


def _conflicting(
    rated: pl.DataFrame, several: pl.DataFrame, conflicts: pl.DataFrame, rule: Conflicts, name: str
) -> Notice:
    pairs = "1 pair has" if conflicts.height == 1 else f"{conflicts.height:,} pairs have"
    message = f"{pairs} several different grades; {RULES[rule]}."
    if "assessor" in rated.columns:
        judges = rated["assessor"].drop_nulls().n_unique()
        agreed = several.height - conflicts.height
        message += f" {judges:,} judges; of {several.height:,} pairs judged more than once they agree on {agreed:,}."
    return Notice("conflicting-judgments", "warning", name, message, conflicts.height, _with_grades(rated, conflicts))


def _examples(pairs: pl.DataFrame) -> tuple[str, ...]:
    return tuple(f"{row['query_id']} / {row['doc_id']}" for row in pairs.head(5).iter_rows(named=True))


def _with_grades(rated: pl.DataFrame, pairs: pl.DataFrame) -> tuple[str, ...]:
    rows = pairs.head(5).select(PAIR).join(rated, on=PAIR, how="left", maintain_order="left_right")
    listed = rows.group_by(PAIR, maintain_order=True).agg("grade")
    return tuple(
        f"{row['query_id']} / {row['doc_id']}: {', '.join(f'{grade:g}' for grade in row['grade'])}"
        for row in listed.iter_rows(named=True)
    )


def _refused(rated: pl.DataFrame, conflicts: pl.DataFrame, files: Sequence[str]) -> InputError:
    rows = conflicts.select(PAIR).join(rated, on=PAIR, how="left", maintain_order="left_right")
    pairs = rows.group_by(PAIR, maintain_order=True).agg("grade", "line", "file\0").head(SHOWN)
    problems = [
        Problem(
            files[row["file\0"][-1]], row["line"][-1],
            f"query {shown(row['query_id'])}, document {shown(row['doc_id'])} is judged "
            + " and ".join(f"{grade:g}" for grade in row["grade"]),
            "choose which grade counts: --conflicts highest, last or mean",
        )
        for row in pairs.iter_rows(named=True)
    ]  # fmt: skip
    return InputError(problems, conflicts.height - len(problems))
