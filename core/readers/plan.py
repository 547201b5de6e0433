"""Plan: which cell of a line becomes which column, and how much a line may differ from the others."""

from dataclasses import dataclass

import polars as pl

from core.model.reading import Field, Reading

NUMBERS: tuple[Field, ...] = ("score", "distance", "rank")
TEXTS: tuple[Field, ...] = (
    "query_id", "doc_id", "system", "relevance", "text", "title", "positive_docs", "retrieved_docs", "iteration",
    "assessor",
)  # fmt: skip
RESERVED = (*TEXTS, *NUMBERS, "line", "grade")
IDS: tuple[Field, ...] = ("query_id", "doc_id")
BLANKS = " "
TREC_RUN_WIDTH = 6


@dataclass(frozen=True)
class Plan:
    """How the lines of a delimited file are taken apart.

    at, names      places (from 0, ascending) of the columns that are read on, and their names in the frame
    width          cells in a full line
    delimiter      one character, or a blank for runs of blanks and tabs
    decimal_comma  whether "1,5" is a number
    more_allowed   whether text after the last cell, a TREC run's tag, is passed over, as trec_eval does
    unrated        whether a row of which only the query is filled passes (an unrated query in judgments)
    """

    at: tuple[int, ...]
    names: tuple[str, ...]
    width: int
    delimiter: str
    decimal_comma: bool
    more_allowed: bool
    unrated: bool

    @classmethod
    def of(cls, reading: Reading) -> "Plan":
        """The plan for a reading: ignored columns, and in runs the iteration, are passed over.

        Of a repeated field the first counts. A metadata column whose name is taken by a field gets " (2)" after it.
        """
        at: list[int] = []
        names: list[str] = []
        for place, column in enumerate(reading.columns):
            judges_only = column.field in ("iteration", "assessor") and reading.role != "qrels"
            if column.field == "ignored" or judges_only or (column.field != "metadata" and column.field in names):
                continue
            at.append(place)
            names.append(column.field if column.field != "metadata" else _free(column.name, {*names, *RESERVED}))
        fields = [column.field for column in reading.columns]
        return cls(
            at=tuple(at),
            names=tuple(names),
            width=len(reading.columns),
            delimiter=reading.delimiter,
            decimal_comma=reading.decimal_comma,
            more_allowed=reading.role == "run"
            and reading.delimiter in (BLANKS, "\t")
            and len(fields) == TREC_RUN_WIDTH
            and "iteration" in fields
            and fields[-1] in ("system", "ignored"),
            unrated=reading.role == "qrels" and reading.delimiter != BLANKS,
        )

    @property
    def ids(self) -> tuple[str, ...]:
        """The id columns, none of which may be empty."""
        return tuple(name for name in self.names if name in IDS)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns turned into Float64."""
        return tuple(name for name in self.names if name in NUMBERS)

    @property
    def optional(self) -> tuple[str, ...]:
        """Number columns that may hold anything, because another one decides: a run's rank beside its score."""
        return ("rank",) if "score" in self.names or "distance" in self.names else ()

    def parse(self, data: bytes, separator: str, *, as_text: bool) -> pl.DataFrame:
        """Strict lines, all of one separator, parsed by polars: columns `names`, and "last\\0", the last cell of all.

        Numbers come as Float64 (null where they are none), or as text.
        """
        numbers = () if as_text or self.decimal_comma else self.numbers
        schema: dict[str, type[pl.DataType]] = {f"cell{place}": pl.String for place in range(self.width)}
        schema |= {
            f"cell{place}": pl.Float64 for place, name in zip(self.at, self.names, strict=True) if name in numbers
        }
        last = self.width - 1
        wanted = [*self.at] if last in self.at else [*self.at, last]
        frame = pl.read_csv(
            data, has_header=False, separator=separator, quote_char=None, schema=schema, ignore_errors=True,
            columns=wanted, extra_columns="ignore", missing_columns="insert", glob=False, truncate_ragged_lines=True,
        )  # fmt: skip
        if self.more_allowed and b" " in data and separator != BLANKS:
            frame = frame.with_columns(pl.col(f"cell{last}").str.extract(r"^\s*(\S*)"))
        return frame.select(
            *(pl.col(f"cell{place}").alias(name) for place, name in zip(self.at, self.names, strict=True)),
            pl.col(f"cell{last}").alias("last\0"),
        )


def _free(name: str, taken: set[str]) -> str:
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free
