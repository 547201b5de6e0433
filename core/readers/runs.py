"""Runs: the rows of a run file → one Run, or several where tags or a system column hold several."""

import re
from collections.abc import Callable, Iterator

from core.model.conventions import Conventions
from core.model.frames import ANSWERED, HITS, TOP
from core.model.limits import Limits
from core.model.qrels import Qrels, Source
from core.model.reading import Choice, Reading
from core.model.run import Run
from core.notices import Notice
from core.readers.files import Given
from core.readers.hits import Collected, Judgments, joined
from core.readers.pieces import Cutter, Systems, UngroupedError
from core.readers.rows import Findings, Progress, Rows

RowsOf = Callable[[Given, Reading, Choice, Limits, Findings], Iterator[Rows]]
_PACKED = re.compile(r"\.(gz|gzip|zst|zstd|zip)$", re.IGNORECASE)


def default_name(name: str) -> str:
    """A run's name from its file's: without folders, .gz / .zst / .zip and its last ending."""
    bare = _PACKED.sub("", name.replace("\\", "/").rsplit("/", 1)[-1])
    return bare.rpartition(".")[0] or bare


def ranked_runs(
    given: Given,
    reading: Reading,
    qrels: Qrels,
    rows_of: RowsOf,
    *,
    name: str | None = None,
    choice: Choice = Choice(),
    conventions: Conventions = Conventions(),
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    progress: Progress | None = None,
) -> list[Run]:
    """Read a run file and rank it against the judgments.

    Streams query by query; a file whose queries' rows do not stand together is read again as a whole. Tags or a system
    column make several runs only where two of them answer the same judged query (or where `choice.runs` picks some):
    each is named by its tag, with `name` by "name/tag". A run that answers no judged query comes back without answers.
    Notices: duplicate-documents, infinite-scores, near-ties, constant-scores, rank-only-run, rank-score-conflict,
    score-direction, several-runs, and those of the file's reader.
    Raises InputError if the file is broken, has no ranks though the order asked is "rank", or, where `choice.strict`,
    if a document is repeated.
    """
    try:
        return _Attempt(given, reading, qrels, choice, conventions, limits, progress).runs(rows_of, name, whole=False)
    except UngroupedError:
        return _Attempt(given, reading, qrels, choice, conventions, limits, progress).runs(rows_of, name, whole=True)


class _Attempt:
    """One pass over a file."""

    def __init__(
        self,
        given: Given,
        reading: Reading,
        qrels: Qrels,
        choice: Choice,
        conventions: Conventions,
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        self.given, self.reading, self.qrels = given, reading, qrels
        self.choice, self.conventions, self.limits = choice, conventions, limits
        self.findings = Findings(given.name, leave_out=choice.leave_out_broken_lines, progress=progress)
        self.fields = {column.field for column in reading.columns}
        self.by_distance = "distance" in self.fields and "score" not in self.fields
        chosen = choice.lower_is_better
        self.lower = chosen if chosen is not None else reading.lower_is_better or self.by_distance
        self.rank_only = True

    def runs(self, rows_of: RowsOf, name: str | None, *, whole: bool) -> list[Run]:
        systems = Systems(self.choice.runs, self.findings)
        cutter = Cutter(self.qrels, self.choice.repairs, systems)
        judgments = Judgments(self.qrels)
        batches = self._watched(rows_of(self.given, self.reading, self.choice, self.limits, self.findings))
        collected: dict[int, Collected] = {}
        for piece in cutter.whole(batches) if whole else cutter.cut(batches):
            system = int(piece.system[0])
            if not systems.wanted_number(system):
                continue
            if system not in collected:
                collected[system] = Collected(judgments, self.conventions, lower_is_better=self.lower)
            collected[system].add(piece)
        self.findings.finish()
        parts = {
            tag: collected.get(number, Collected(judgments, self.conventions, lower_is_better=self.lower))
            for tag, number in systems.number.items()
        }
        for tag, number in systems.number.items():
            parts[tag].rows, parts[tag].extra = systems.rows[number], systems.extra[number]
        return self._named(parts, name, systems)

    def _watched(self, batches: Iterator[Rows]) -> Iterator[Rows]:
        """See in passing what the rows hold, and refuse an order by ranks that are not there."""
        for batch in batches:
            names = batch.frame.columns
            self.rank_only = "score" not in names and "distance" not in names
            if self.conventions.order == "rank" and ("rank" not in names or batch.frame["rank"].null_count()):
                raise self.findings.refuse(
                    "has no rank for every row, so the order cannot be by rank", "order it by score"
                )
            yield batch

    def _named(self, parts: dict[str, Collected], name: str | None, systems: Systems) -> list[Run]:
        chosen = {tag: part for tag, part in parts.items() if systems.wanted_number(systems.number[tag])}
        if not chosen:
            there = ", ".join(f'"{tag}"' for tag in list(parts)[:5])
            raise self.findings.refuse(f"holds none of the runs chosen; it holds {there}")
        queries = [query for part in parts.values() for query in part.seen]
        if len(parts) == 1 or (self.choice.runs is None and len(set(queries)) == len(queries)):
            return [self._run(list(parts.values()), name or default_name(self.given.name), [])]
        several = Notice(
            "several-runs", "info", self.findings.file,
            f"The file holds {len(parts):,} runs, told apart by their tag or system; {len(chosen):,} of them are read.",
            len(parts), tuple(parts),
        )  # fmt: skip
        named = [
            (f"{name}/{tag}" if name else tag or default_name(self.given.name), part) for tag, part in chosen.items()
        ]
        return [self._run([part], label, [several] if at == 0 else []) for at, (label, part) in enumerate(named)]

    def _run(self, parts: list[Collected], name: str, more: list[Notice]) -> Run:
        first, *others = parts
        for other in others:
            first.take(other)
        answered = joined(first.answered, ANSWERED)
        rank_only = self.rank_only
        order = "rank" if rank_only else self.conventions.order
        notices = first.facts.notices(
            name, order, direction_known=self.choice.lower_is_better is not None or self.lower,
            folded=any(repair.kind == "chunk" and repair.side == "run" for repair in self.choice.repairs),
            rank_only=rank_only,
        )  # fmt: skip
        self._refuse_repeats(notices)
        if self.lower and not rank_only:
            notices.append(self._direction(name))
        return Run(
            name=name, source=Source(self.given.name, self.findings.sha256), rows=first.rows,
            queries=len(first.seen) + len(first.extra), hits=joined(first.hits, HITS), answered=answered,
            top=joined(first.top, TOP), extra=len(first.extra), extra_examples=tuple(list(first.extra)[:5]),
            rank_only=rank_only, reversed=self.lower and not rank_only, metadata=tuple(self.findings.metadata),
            notices=(*self.findings.notices, *more, *notices),
        )  # fmt: skip

    def _refuse_repeats(self, notices: list[Notice]) -> None:
        for notice in notices:
            if self.choice.strict and notice.code == "duplicate-documents":
                for example in notice.examples:
                    self.findings.problem(None, f'the document "{example}" is repeated')
                raise self.findings.refuse(f"{notice.count:,} documents are repeated, which --strict refuses")

    def _direction(self, name: str) -> Notice:
        heading = next((column.name for column in self.reading.columns if column.field == "distance"), None)
        why = f'the column is headed "{heading}"' if self.choice.lower_is_better is None and heading else "as chosen"
        return Notice("score-direction", "info", name, f"Lower scores are read as better: {why}.", 1)
