"""Senses: what a table without a header can be, told by how many columns it has and what they look like."""

from collections.abc import Callable
from dataclasses import dataclass

from core.model.reading import Field, Role
from core.readers.recognition.profile import Profile, counts_up, falls, profile
from core.readers.recognition.tables import Table

PREFERENCES = "these are preference judgments (which of two documents is better), not grades"


@dataclass(frozen=True)
class Sense:
    """What a file seems to hold.

    fields    what each column is read as
    words     the shape for people
    possible  the roles to ask about, the likeliest first
    fits      further roles that it can be read as where a person says so
    refused   why it cannot be used at all, "" where it can
    clear     how well it is understood: 0 not at all, 3 by names or TREC's own layout
    """

    fields: tuple[Field, ...]
    words: str
    possible: tuple[Role, ...]
    fits: tuple[Role, ...] = ()
    refused: str = ""
    advice: str = "bring judgments (query, document, grade) and runs (query, document, score)"
    clear: int = 2

    def allows(self, role: Role) -> bool:
        """Whether the content can have this role."""
        return role in self.possible or role in self.fits


@dataclass(frozen=True)
class Columns:
    """A table without a header, column by column."""

    table: Table
    looks: tuple[Profile, ...]
    role: Role | None

    def cells(self, at: int) -> tuple[str, ...]:
        """One column."""
        return self.table.column(at)

    def ranks(self, at: int) -> bool:
        """Whether a column counts up inside each query."""
        return counts_up(self.cells(0), self.cells(at))

    def falls(self, at: int) -> bool:
        """Whether a column falls inside each query."""
        return falls(self.cells(0), self.cells(at))

    @property
    def listed_once(self) -> bool:
        """Whether no id in the first column comes twice: a row for each query, not for each document."""
        return self.looks[0].distinct == self.looks[0].filled

    @property
    def has_text(self) -> bool:
        """Whether a column after the first holds running text."""
        return any(look.wordy >= 0.5 for look in self.looks[1:])


def sense_without_header(table: Table, role: Role | None) -> Sense | None:
    """What a table without a header can be; None where nothing fits its columns."""
    columns = Columns(table, tuple(profile(table.column(at)) for at in range(table.width)), role)
    if not table.full:
        return None
    if role in ("queries", "documents"):
        return _as_metadata(columns, role) if not _trec(columns) else _trec(columns)
    guess = BY_WIDTH.get(min(table.width, 6))
    sense = guess(columns) if guess is not None else None
    if sense is None and table.delimiter != " " and table.width > 1 and (columns.listed_once or columns.has_text):
        return _metadata(columns)
    return sense


def _trec(columns: Columns) -> Sense | None:
    """TREC's own layouts, which are nothing else: 6 columns with Q0, or 4."""
    width, looks = columns.table.width, columns.looks
    if width >= 6 and looks[1].fixed and looks[4].numeric:
        return _six(columns)
    if width == 4 and looks[1].fixed and looks[3].grades:
        return _four(columns)
    return None


def _six(columns: Columns) -> Sense | None:
    looks, width = columns.looks, columns.table.width
    if not (looks[1].iteration and looks[1].wordy < 0.5 and looks[4].numeric and looks[2].wordy < 0.5):
        return None
    if not looks[3].numeric:
        return None
    fields: list[Field] = ["query_id", "iteration", "doc_id", "rank", "score", "system"]
    fields += ["ignored"] * (width - 6)
    return Sense(tuple(fields), "TREC run", ("run",), clear=3)


def _five(columns: Columns) -> Sense | None:
    looks = columns.looks
    if columns.listed_once and columns.has_text and not looks[1].fixed:
        return None
    if looks[1].iteration and looks[3].numeric and looks[4].numeric and (looks[3].whole or looks[1].fixed):
        fields: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "rank", "score")
        return Sense(fields, "run (query, Q0, document, rank, score)", ("run",))
    if looks[1].iteration and looks[3].grades:
        return Sense(
            ("query_id", "iteration", "doc_id", "relevance", "metadata"), "TREC qrels and a column", ("qrels",)
        )
    if looks[2].numeric and looks[3].numeric and looks[4].numeric:
        if looks[2].grades and looks[4].low >= 0 and looks[4].high <= 1 and not columns.ranks(2):
            return Sense(
                ("query_id", "doc_id", "relevance", "ignored", "ignored"),
                "prels (sampled judgments)",
                ("qrels",),
                clear=3,
            )
        return None
    if looks[2].numeric and looks[3].numeric and not looks[1].numeric:
        return Sense(
            ("query_id", "doc_id", "rank", "score", "system"), "run (query, document, rank, score, system)", ("run",)
        )
    if not looks[1].numeric and not looks[2].numeric and looks[4].numeric:
        return Sense((), "preference judgments", (), refused=PREFERENCES, clear=3)
    return None


def _four(columns: Columns) -> Sense | None:
    looks = columns.looks
    if columns.listed_once and columns.has_text and not looks[1].fixed:
        return None
    if looks[3].numeric and looks[2].numeric and not looks[1].fixed and columns.ranks(2):
        return Sense(("query_id", "doc_id", "rank", "score"), "run (query, document, rank, score)", ("run",))
    if looks[3].numeric and looks[1].iteration:
        return _trec_qrels(columns)
    if looks[1].fixed and looks[3].labels:
        return Sense(("query_id", "iteration", "doc_id", "relevance"), "TREC qrels with words as grades", ("qrels",))
    if looks[2].numeric and not looks[3].numeric and not looks[1].wordy >= 0.5:
        return _value_then_word(columns)
    if looks[3].numeric and looks[2].numeric and not looks[1].numeric:
        return Sense(("query_id", "doc_id", "rank", "score"), "run (query, document, rank, score)", ("run",))
    return None


def _trec_qrels(columns: Columns) -> Sense:
    """Four columns with a number last: judgments, unless the numbers are those of a system."""
    looks = columns.looks
    run: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "score")
    qrels: tuple[Field, ...] = ("query_id", "iteration", "doc_id", "relevance")
    enough = 0 if columns.role == "run" else 3
    if looks[1].fixed and not looks[3].grades and looks[3].distinct > enough and columns.falls(3):
        if columns.role == "qrels":
            return Sense(qrels, "TREC qrels", ("qrels",), ("run",))
        return Sense(run, "run (query, Q0, document, score)", ("run", "qrels"))
    return Sense(qrels, "TREC qrels", ("qrels",), clear=3)


def _value_then_word(columns: Columns) -> Sense:
    """query, document, number, word: judgments with a source, or a run with its name."""
    value = _value(columns, 2)
    if value.possible[0] == "run":
        fields: tuple[Field, ...] = ("query_id", "doc_id", value.fields[2], "system")
        return Sense(fields, "run (query, document, score or rank, system)", value.possible, value.fits)
    return Sense(
        ("query_id", "doc_id", "relevance", "metadata"),
        "judgments (query, document, grade, a column)",
        value.possible,
        value.fits,
    )


def _three(columns: Columns) -> Sense | None:
    looks = columns.looks
    if looks[1].fixed and not looks[2].numeric:
        return Sense(("query_id", "iteration", "doc_id"), "relevant documents (query, Q0, document)", ("qrels",))
    if looks[2].numeric:
        if looks[1].grades and looks[1].distinct <= 6 and looks[2].whole and looks[2].high > 1000:
            return _value(columns, 1)
        return _value(columns, 2) if looks[1].wordy < 0.5 or not columns.listed_once else None
    if columns.listed_once and columns.has_text:
        return None
    if looks[1].numeric:
        return _value(columns, 1)
    if looks[2].labels and looks[2].distinct < looks[1].distinct and not columns.listed_once:
        return Sense(
            ("query_id", "doc_id", "relevance"), "judgments with words as grades (query, document, grade)", ("qrels",)
        )
    return None


def _value(columns: Columns, at: int) -> Sense:
    """query and document with one number: a grade, a rank or a score, in the order they stand."""
    grade: tuple[str, Field] = ("judgments (query, document, grade)", "relevance")
    number: tuple[str, Field] = ("run (query, document, score)", "score")
    likely: tuple[Role, ...]
    if columns.ranks(at):
        number = ("MS MARCO run (ranks)", "rank")
        likely = ("run", "qrels") if columns.looks[at].grades and columns.looks[at].high <= 10 else ("run",)
    elif columns.looks[at].grades:
        likely = ("qrels", "run") if columns.falls(at) else ("qrels",)
    else:
        likely = ("run", "qrels") if columns.looks[at].distinct <= 12 else ("run",)
    words, field = grade if (columns.role or likely[0]) == "qrels" else number
    fields: tuple[Field, ...] = ("query_id", "doc_id", field) if at == 2 else ("query_id", field, "doc_id")
    return Sense(fields, words, likely, ("qrels", "run"))


def _two(columns: Columns) -> Sense | None:
    if columns.has_text and columns.listed_once:
        return None
    fields: tuple[Field, ...] = ("query_id", "doc_id")
    if columns.role == "run":
        return Sense(fields, "ranked documents (query, document)", ("run",))
    likely: tuple[Role, ...] = (
        ("qrels", "queries") if columns.listed_once and not columns.looks[1].numeric else ("qrels",)
    )
    return Sense(fields, "relevant documents (query, document)", likely, ("run",), clear=1)


def _as_metadata(columns: Columns, role: Role) -> Sense:
    if role == "queries":
        return _metadata(columns)
    texts = ("title", "text") if columns.table.width > 2 else ("text",)
    fields: list[Field] = ["metadata"] * columns.table.width
    fields[0] = "doc_id"
    for at, field in zip(range(1, columns.table.width), texts, strict=False):
        if columns.looks[at].wordy >= 0.5:
            fields[at] = "title" if field == "title" else "text"
    return Sense(tuple(fields), "document metadata", ("documents",), ("queries",))


def _metadata(columns: Columns) -> Sense:
    """An id and attributes; the first that is plainly running text is the query's."""
    fields: list[Field] = ["metadata"] * columns.table.width
    fields[0] = "query_id"
    for at, look in enumerate(columns.looks):
        if at > 0 and look.wordy >= 0.6 and look.distinct >= 0.8 * look.filled:
            fields[at] = "text"
            break
    words = "queries (id, text)" if columns.table.width == 2 else "query metadata"
    clear = 0 if columns.table.width == 1 else 2 if columns.listed_once else 1
    return Sense(tuple(fields), words, ("queries",), ("documents",), clear=clear)


BY_WIDTH: dict[int, Callable[[Columns], Sense | None]] = {2: _two, 3: _three, 4: _four, 5: _five, 6: _six}
