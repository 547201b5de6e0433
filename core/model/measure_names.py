"""The grammar of measure names: what ir_measures and trec_eval call a measure, read into its parts."""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from core.errors import InputError, Problem

Name = Literal["nDCG", "DCG", "IDCG", "R", "P", "Success", "RR", "AP", "Judged"]
Gain = Literal["linear", "exponential", "custom"]
Gains = tuple[tuple[float, float], ...]

LARGEST_CUTOFF = 1000
LARGEST_GAIN = 1e6
LEAST_GRADE, LARGEST_GRADE = -1000.0, 1e6
MOST_GAINS = 100

EXISTING = (
    "these exist: nDCG@10, nDCG(dcg='exp-log2')@10, nDCG(gains={1:1,2:10})@10, DCG@10, IDCG@10, R@100, P@10, "
    f"P(rel=2)@10, Success@10, RR@10, RR, AP@100, AP, Judged@10; cutoffs are whole numbers from 1 to {LARGEST_CUTOFF:,}"
)

# Spelled without case, blanks, "_" and "-".
ALIASES: dict[str, Name] = {
    "ndcg": "nDCG", "ndcgcut": "nDCG", "expndcg": "nDCG", "ndcgexp": "nDCG",
    "dcg": "DCG", "idcg": "IDCG",
    "r": "R", "recall": "R",
    "p": "P", "prec": "P", "precision": "P",
    "success": "Success", "hit": "Success", "hitrate": "Success",
    "rr": "RR", "mrr": "RR", "reciprank": "RR", "reciprocalrank": "RR",
    "ap": "AP", "map": "AP", "mapcut": "AP", "averageprecision": "AP",
    "judged": "Judged",
}  # fmt: skip
EXPONENTIAL_ALIASES = ("expndcg", "ndcgexp")

NAME = re.compile(r"([A-Za-z][A-Za-z_\- ]*)\s*(?:\((.*)\))?\s*(?:[@_.]([^@]*))?", re.DOTALL)
CUTOFF = re.compile(r"[1-9][0-9]{0,3}")
NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
PARAMETER = re.compile(
    r"\s*(?:dcg\s*=\s*(?P<quote>['\"])(?P<dcg>log2|exp-log2)(?P=quote)|rel\s*=\s*(?P<rel>[0-9]{1,7})|gains\s*=\s*\{(?P<gains>[^{}]*)\})\s*(?:,|$)"
)
PAIR = re.compile(rf"\s*({NUMBER})\s*[:=]\s*({NUMBER})\s*")


class Parts(NamedTuple):
    """What a name says: the fields of a Measure."""

    name: Name
    k: int | None
    gain: Gain
    gains: Gains
    rel: int | None


def refuse(what: str, hint: str = EXISTING) -> InputError:
    """The error for a measure that does not exist."""
    return InputError(Problem("", None, what, hint))


def shown(text: str) -> str:
    """A piece of what was given, in quotes, short and printable enough for a message."""
    clean = text.encode("utf-8", "backslashreplace").decode()
    clean = "".join(letter if letter.isprintable() else "\ufffd" for letter in clean[:80])
    return f'"{clean}…"' if len(text) > 80 else f'"{clean}"'


def parse_name(text: str) -> Parts:
    """Read a measure's name in ir_measures' or trec_eval's spelling.

    Raises InputError where it names no measure, the cutoff is none, or a parameter is not known.
    """
    found = NAME.fullmatch(text.strip())
    folded = re.sub(r"[_\- ]", "", found[1]).lower() if found else ""
    if found is None or folded not in ALIASES:
        raise refuse(f"{shown(text)} is not a measure")
    name = ALIASES[folded]
    gain, gains, rel = parse_parameters(text, found[2])
    if folded in EXPONENTIAL_ALIASES:
        gain = "exponential" if gain == "linear" else gain
    return Parts(name, parse_cutoff(text, found[3]), gain, gains, rel)


def parse_cutoff(text: str, cutoff: str | None) -> int | None:
    """The cutoff as a number; None where the name has none."""
    if cutoff is None:
        return None
    if not CUTOFF.fullmatch(cutoff) or int(cutoff) > LARGEST_CUTOFF:
        raise refuse(f"{shown(text)}: the cutoff {shown(cutoff)} is not a whole number from 1 to {LARGEST_CUTOFF:,}")
    return int(cutoff)


def parse_parameters(text: str, inside: str | None) -> tuple[Gain, Gains, int | None]:
    """What stands in the brackets: the gain, the custom gains, the relevance level."""
    gain: Gain = "linear"
    gains: Gains = ()
    rel: int | None = None
    given: list[str] = []
    at = 0
    while inside is not None and at < len(inside):
        found = PARAMETER.match(inside, at)
        if found is None:
            raise refuse(f"{shown(text)}: {shown(inside[at:])} is not a parameter of a measure")
        at = found.end()
        if found["dcg"] is not None:
            given.append("dcg")
            gain = "exponential" if found["dcg"] == "exp-log2" else "linear"
        elif found["rel"] is not None:
            given.append("rel")
            rel = int(found["rel"])
        else:
            given.append("gains")
            gains = parse_gains(found["gains"])
    if len(given) != len(set(given)) or {"dcg", "gains"} <= set(given):
        raise refuse(f"{shown(text)}: a measure takes each parameter once, and either dcg or gains")
    return ("custom" if gains else gain), gains, rel


def parse_gains(text: str) -> Gains:
    """Read a map grade → gain such as `1=1,2=10` or `1:1,2:10`.

    Returns (grade, gain) pairs sorted by grade. Raises InputError where it is none; see `check_gains`.
    """
    pairs = []
    for part in text.split(","):
        found = PAIR.fullmatch(part)
        if found is None:
            raise refuse(f"{shown(part)} is not a grade and its gain", "write gains as grade=gain, such as 1=1,2=10")
        pairs.append((float(found[1]) + 0.0, float(found[2]) + 0.0))
    return check_gains(tuple(sorted(pairs)))


def check_gains(gains: Gains) -> Gains:
    """The same gains if they can be used: 1 to 100 different grades, gains from 0 to 1,000,000, one of them above 0."""
    rules: tuple[tuple[Callable[[], bool], str], ...] = (
        (lambda: 0 < len(gains) <= MOST_GAINS, f"gains are given for 1 to {MOST_GAINS} grades"),
        (lambda: len({grade for grade, _ in gains}) == len(gains), "a grade has two gains"),
        (
            lambda: all(LEAST_GRADE <= grade <= LARGEST_GRADE for grade, _ in gains),
            "a grade lies from −1,000 to 1,000,000",
        ),
        (lambda: all(0 <= gain <= LARGEST_GAIN for _, gain in gains), "a gain lies from 0 to 1,000,000"),
        (lambda: any(gain > 0 for _, gain in gains), "every gain is 0"),
    )
    for holds, message in rules:
        if not holds():
            raise refuse(message, "write gains as grade=gain, such as 1=1,2=10")
    return gains


def plain(number: float) -> str:
    """A number as short as it can be written and read back: 1, 0.5, 1e-05."""
    return str(int(number)) if number == int(number) else repr(number)
