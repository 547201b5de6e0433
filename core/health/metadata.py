"""Query metadata against the judgments: gaps, and groups of queries that seem to be graded on a scale of their own."""

import numpy as np
import polars as pl

from core.health.shown import Shown, counted
from core.model.measure_names import plain
from core.model.metadata import QueryMetadata
from core.notices import Notice

MOST_VALUES = 20
# How unlikely it must be that a group lacks its top grades by chance.
UNLIKELY = 1e-3


def metadata_notices(look: Shown, metadata: QueryMetadata) -> list[Notice]:
    """Gaps, and mixed scales by column."""
    table = pl.DataFrame({"query_id": look.qrels.queries}, schema={"query_id": pl.String})
    known = metadata.table.with_columns(known=pl.lit(value=True))
    table = table.join(known, on="query_id", how="left", maintain_order="left")
    name = " + ".join(source.name for source in metadata.sources)
    found = [gaps(table, name), *(mixed_scales(look, table, column) for column in groupings(look, table))]
    return [notice for notice in found if notice is not None]


def gaps(table: pl.DataFrame, name: str) -> Notice | None:
    """Judged queries without a row, or with an empty value in a column."""
    rowless = table["known"].is_null()
    columns = [column for column in table.columns if column not in ("query_id", "known")]
    empty = {column: ~rowless & (table[column].is_null() | (table[column].cast(pl.String) == "")) for column in columns}
    lacking = {column: int(mask.sum()) for column, mask in empty.items() if mask.any()}
    if not rowless.any() and not lacking:
        return None
    parts = []
    if rowless.any():
        parts.append(f"{counted(int(rowless.sum()), 'judged query has', 'judged queries have')} no row in the metadata")
    if lacking:
        named = ", ".join(f'"{column}" for {counted(count, "query", "queries")}' for column, count in lacking.items())
        parts.append(f"there is no value in {named}")
    anywhere = rowless
    for mask in empty.values():
        anywhere = anywhere | mask
    message = f"{'; '.join(parts)}. Slices show them as (none)."
    ids = tuple(table.filter(anywhere)["query_id"].head(5).to_list())
    return Notice("metadata-gaps", "info", name, message[0].upper() + message[1:], int(anywhere.sum()), ids)


def groupings(look: Shown, table: pl.DataFrame) -> list[str]:
    """The columns that put the judged queries in 2 to 20 groups and are not in the judgments, whose reader looks at those."""
    read = look.qrels.columns.columns if look.qrels.columns is not None else []
    return [
        column
        for column in table.columns
        if column not in ("query_id", "text", "known", *read)
        and table[column].dtype == pl.String
        and 2 <= table[column].drop_nulls().n_unique() <= MOST_VALUES
    ]


def mixed_scales(look: Shown, table: pl.DataFrame, column: str) -> Notice | None:
    """A group of queries that lacks the top grades of the others, which chance hardly explains.

    Each query has a highest grade. Were the group on the scale of the others, a query of it would exceed the group's
    highest as often as theirs do; the chance that none does falls with every query.
    """
    highest = np.maximum.reduceat(look.qrels.grade, np.searchsorted(look.qrels.query, np.arange(look.n)))
    groups = table.select(pl.col(column).alias("group"), pl.Series("highest", highest)).drop_nulls()
    groups = groups.filter(pl.col("highest") > 0)
    odd = []
    for value in groups["group"].unique().sort().to_list():
        inside = groups.filter(pl.col("group") == value)["highest"].to_numpy()
        others = groups.filter(pl.col("group") != value)["highest"].to_numpy()
        above = (np.count_nonzero(others > inside.max()) + 0.5) / (len(others) + 1)
        if len(others) and (1 - above) ** len(inside) < UNLIKELY:
            odd.append((value, float(inside.max()), float(others.max()), len(inside)))
    if not odd:
        return None
    value, top, general, _ = odd[0]
    message = (
        f'Queries with {column} "{value}" have no grade above {plain(top)}, the others have grades up to '
        f"{plain(general)}: they seem to be graded on different scales, and their scores should be read apart."
    )
    named = tuple(f"{column} = {value}: up to {plain(top)}" for value, top, _, _ in odd)
    return Notice("mixed-scales", "warning", look.qrels.name, message, sum(size for *_, size in odd), named)
