"""Repairs: changes to the ids of one side that would make two files meet, found and offered, never done unasked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import polars as pl

from core.errors import InputError, Problem
from core.model.reading import Repair
from core.readers.cells import shown

Ids = Literal["query", "document"]
Side = Literal["run", "qrels"]
Kind = Literal["prefix", "suffix", "case", "decimal", "zeros", "unicode", "blanks", "chunk"]
KINDS: tuple[Kind, ...] = ("unicode", "blanks", "case", "decimal", "zeros")
# Of repairs that do equally well the mildest is offered first.
ORDER: tuple[Kind, ...] = (*KINDS, "chunk", "prefix", "suffix")
SEPARATORS = ("#", "::", "_chunk_", "-chunk-", "_chunk", "-chunk", "_p", "-p", "_", "-", ":", "/", "|", "@", ".")
BOTH: tuple[Side, Side] = ("run", "qrels")
LOOKED_AT = 300
# The part of the smaller side's ids that must meet before a repair is worth a word.
LEAST: dict[Ids, float] = {"query": 0.5, "document": 0.1}
SIDES: dict[Side, str] = {"run": "the run", "qrels": "the judgments"}
WORDS: dict[Ids, str] = {"query": "query ids", "document": "document ids"}
CHANGES: dict[Kind, str] = {
    "prefix": "taking {0} off the front of the {1} of {2}",
    "suffix": "taking {0} off the end of the {1} of {2}",
    "case": "reading the {1} of {2} in lower case",
    "decimal": 'taking ".0" off the {1} of {2}',
    "zeros": "taking leading zeros off the {1} of {2}",
    "unicode": "bringing the {1} of {2} into one Unicode form",
    "blanks": "taking blanks off the {1} of {2}",
    "chunk": "cutting the {1} of {2} at their last {0}, so that chunks count as their document",
}


@dataclass(frozen=True)
class Offer:
    """Repairs that together would make ids meet.

    before, after  how many of the judged ids the run has now, and would have
    of             judged ids
    """

    repairs: tuple[Repair, ...]
    before: int
    after: int
    of: int

    def __str__(self) -> str:
        """`taking ".0" off the query ids of the judgments: 2 of 2 would meet, 0 do now`."""
        changes = " and ".join(described(repair) for repair in self.repairs)
        now = f"{self.before:,} {'does' if self.before == 1 else 'do'} now"
        return f"{changes}: {self.after:,} of {self.of:,} would meet, {now}"


def described(repair: Repair) -> str:
    """What a repair does, for people."""
    return CHANGES[repair.kind].format(shown(repair.value), WORDS[repair.ids], SIDES[repair.side])


def written(repair: Repair) -> str:
    """A repair as the command line takes it: `qrels:query:decimal`, `run:document:chunk=#`."""
    return f"{repair.side}:{repair.ids}:{repair.kind}" + (f"={repair.value}" if repair.value else "")


def parsed(text: str) -> Repair:
    """The repair that `written` wrote. Raises InputError if it is none."""
    parts = text.split(":", 2)
    kind, _, value = parts[-1].partition("=")
    needs = kind in ("prefix", "suffix", "chunk")
    known = len(parts) == 3 and parts[0] in SIDES and parts[1] in WORDS and kind in CHANGES
    if not known or needs != bool(value):
        hint = "write SIDE:IDS:KIND, such as qrels:query:decimal or run:document:chunk=#"
        raise InputError(Problem("", None, f"{shown(text)} is not a repair", hint))
    return Repair(cast("Kind", kind), cast("Ids", parts[1]), cast("Side", parts[0]), value)


def apply(column: pl.Expr, repair: Repair) -> pl.Expr:
    """The column of ids with a repair done."""
    changes: dict[str, pl.Expr] = {
        "prefix": column.str.strip_prefix(repair.value),
        "suffix": column.str.strip_suffix(repair.value),
        "case": column.str.to_lowercase(),
        "decimal": column.str.replace(r"^(.+)\.0$", "${1}"),
        "zeros": column.str.replace(r"^0+(\d+)$", "${1}"),
        "unicode": column.str.normalize("NFC"),
        "blanks": column.str.strip_chars(),
    }
    if repair.kind != "chunk":
        return changes[repair.kind]
    return column.str.replace(f"^(?s)(.+){_escaped(repair.value)}.*$", "${1}")


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\.+*?()|[]{}^$-#&~" else sign for sign in text)


def find(judged: pl.Series, retrieved: pl.Series, ids: Ids) -> list[Offer]:
    """Repairs that would make clearly more ids meet, the best first.

    Tried are a common prefix or suffix, case, blanks, `.0`, leading zeros, Unicode form on either side (or both), and
    for documents chunk ids. A repair counts where at least half of the smaller side's query ids, or a tenth of its
    document ids, meet after it, and twice as many as before.
    """
    judged, retrieved = judged.drop_nulls().unique(), retrieved.drop_nulls().unique()
    before = int(judged.is_in(retrieved.implode()).sum())
    least = max(LEAST[ids] * min(judged.len(), retrieved.len()), 2 * before, before + 1)
    offers = []
    for repairs in _candidates(judged, retrieved, ids):
        left, right = (_repaired(side, name, repairs) for side, name in ((judged, "qrels"), (retrieved, "run")))
        after = int(left.is_in(right.implode()).sum())
        if after >= least:
            offers.append(Offer(repairs, before, after, judged.len()))
    return sorted(offers, key=lambda offer: (-offer.after, len(offer.repairs), ORDER.index(offer.repairs[0].kind)))


def _repaired(series: pl.Series, side: str, repairs: Sequence[Repair]) -> pl.Series:
    for repair in repairs:
        if repair.side == side:
            series = pl.select(apply(pl.lit(series), repair)).to_series()
    return series.unique()


def _candidates(judged: pl.Series, retrieved: pl.Series, ids: Ids) -> list[tuple[Repair, ...]]:
    tried: list[tuple[Repair, ...]] = []
    for kind in KINDS:
        run, qrels = Repair(kind, ids, "run"), Repair(kind, ids, "qrels")
        tried += [(run,), (qrels,), (run, qrels)]
    run_pair, qrels_pair = ((Repair("blanks", ids, side), Repair("case", ids, side)) for side in BOTH)
    tried += [run_pair, qrels_pair, (*run_pair, *qrels_pair)]
    tried += [(repair,) for repair in _affixes(retrieved, judged, ids, "run")]
    tried += [(repair,) for repair in _affixes(judged, retrieved, ids, "qrels")]
    if ids == "document":
        tried += [(repair,) for repair in _chunks(retrieved, judged, "run")]
        tried += [(repair,) for repair in _chunks(judged, retrieved, "qrels")]
    return tried


def _affixes(longer: pl.Series, shorter: pl.Series, ids: Ids, side: Side) -> list[Repair]:
    """The prefix and the suffix that most of the longer ids have around an id of the other side."""
    known = set(shorter.to_list())
    fronts, ends = Counter[str](), Counter[str]()
    for one in longer.sort().gather_every(max(1, longer.len() // LOOKED_AT)).to_list():
        for at in range(1, len(one)):
            if _border(one[at - 1], one[at]):
                fronts[one[:at]] += one[at:] in known
                ends[one[at:]] += one[:at] in known
    both: tuple[tuple[Kind, Counter[str]], ...] = (("prefix", fronts), ("suffix", ends))
    return [Repair(kind, ids, side, value) for kind, found in both for value, count in found.most_common(1) if count]


def _border(left: str, right: str) -> bool:
    """Whether an id can be cut between two signs: never inside a number or a word."""
    return not (left.isdigit() and right.isdigit()) and not (left.isalpha() and right.isalpha())


def _chunks(longer: pl.Series, shorter: pl.Series, side: Side) -> list[Repair]:
    """Separators at which chunk ids can be cut so that a document's id is left: what is cut off begins with a digit."""
    known = set(shorter.to_list())
    sample = longer.sort().gather_every(max(1, longer.len() // LOOKED_AT)).to_list()
    found = []
    for separator in SEPARATORS:
        cut = [one.rpartition(separator) for one in sample]
        met = sum(front in known and tail[:1].isdigit() for front, sign, tail in cut if sign)
        if met > len(sample) / 20:
            found.append(Repair("chunk", "document", side, separator))
    return found
