"""Nothing that a name, a judgment or a rank can hold brings the process down; what is scored equals a naive one."""

import math
import os
import random
import string

import numpy as np
import pytest

from core.errors import InputError
from core.model.conventions import Conventions
from core.model.measure import Measure
from core.scoring import trec
from core.scoring.hits import Hits
from core.scoring.judged import judged
from core.scoring.scores import Scores, score
from tests.scoring.collections import Grades, Scored, naive, qrels_of, ranked, run_of

INPUTS = 10_000 if os.environ.get("RANKLENS_LONG") == "1" else 1_000

NAMES = [
    "nDCG",
    "ndcg_cut",
    "DCG",
    "IDCG",
    "R",
    "recall",
    "P",
    "Success",
    "RR",
    "AP",
    "map",
    "Judged",
    "Rprec",
    "no_query",
    "",
]
INSIDE = [
    "",
    "",
    "",
    "()",
    "(dcg='exp-log2')",
    "(rel=2)",
    "(gains={0:1,1:3,2:2,3:9})",
    "(gains={1:})",
    "(rel=1e9)",
    "(((",
    "(dcg=1)",
]
SIGNS = ["@", "@", "@", "_", ".", "", "@@"]
CUTOFFS = [
    "1",
    "2",
    "5",
    "10",
    "37",
    "1000",
    "0",
    "-1",
    "1000000000",
    "x",
    "05",
    "1.5",
    "",
    "5,05",
    "１",
    "\x00",
    "1e3",
    " 7",
]
GOOD = [
    "nDCG",
    "nDCG",
    "nDCG(dcg='exp-log2')",
    "nDCG(gains={0:1,1:3,2:2,3:9})",
    "R",
    "P(rel=2)",
    "Success",
    "RR",
    "AP",
    "Judged",
    "DCG",
]
GRADES: list[float] = [
    -1000,
    -2,
    -1.5,
    -1,
    0,
    0.5,
    1,
    1,
    2,
    2,
    3,
    2.5,
    30,
    31,
    127,
    128,
    999.5,
    1000,
    1001,
    10_000,
    10_001,
    1_000_000,
]
SMALL: list[float] = [-2, -1, 0, 0, 1, 2, 3]
LEVELS = [float("inf"), float("-inf"), 1e30, -1e-30, 0.0, -0.0, 1.0, 1.0, 1.0000000001, 2.5]
IDS = ["no_query", "no query", "a", "b", "0", "00", " ", "a\x00b", "\u202e", "é", "e\u0301", "😀", "=1+1", "x" * 300]


def some_name(source: random.Random) -> str:
    kind = source.random()
    if kind < 0.1:
        letters = string.printable + "\x00\ud800é@"
        return "".join(source.choices(letters, k=source.randrange(12)))
    if kind < 0.4:
        return "".join(map(source.choice, (NAMES, INSIDE, SIGNS, CUTOFFS)))
    return f"{source.choice(GOOD)}@{source.choice([1, 2, 3, 5, 10, 1000])}"


def some_collection(source: random.Random) -> tuple[Grades, Scored]:
    values: list[float] = source.choice([GRADES, SMALL, SMALL, [-2], [0], [source.choice(GRADES)]])
    queries = source.sample(IDS, source.randrange(1, 5))
    grades: Grades = {
        query: {doc: source.choice(values) for doc in source.sample(IDS, source.randrange(1, 9))} for query in queries
    }
    answered = [query for query in [*queries, "another"] if source.random() < 0.8] or queries[:1]
    return grades, {
        query: {doc: source.choice(LEVELS) for doc in source.sample(IDS, source.randrange(1, 12))} for query in answered
    }


def outcome(source: random.Random) -> Scores | InputError:
    """What becomes of one random input."""
    grades, scores = some_collection(source)
    level = source.choice([1, 1, 2, 1000])
    try:
        measure = Measure.parse(some_name(source))
        found = score(qrels_of(grades), run_of(grades, scores), [measure], Conventions(relevance_level=level))[measure]
    except InputError as error:
        return error
    for query, value in zip(sorted(grades, key=str.encode), found.values.tolist(), strict=True):
        expected = naive(grades[query], ranked(scores.get(query, {})), measure, level)
        if measure.gain == "exponential" and max(grades[query].values()) > 1000:
            expected = math.nan
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True), (measure, grades, scores)
    return found


def garbage(seed: int, queries: int) -> Hits:
    """Hits that no reader would make: unjudged, unsorted, with impossible ranks and grades."""
    source = np.random.default_rng(seed)
    rows = int(source.integers(0, 40))
    grades = source.choice([-5.0, -2, 0, 0.5, 1, 3, 2.0**31, 1e300, np.inf, np.nan], rows)
    return Hits(np.sort(source.integers(0, queries, rows)), source.integers(0, 1500, rows), grades)


@pytest.mark.parametrize("part", range(10))
def test_hits_that_no_reader_would_make_leave_pytrec_eval_unharmed(part: int) -> None:
    facts = judged(qrels_of({"a": {"d": 3, "e": 1}, "b": {"d": -2}, "c": {"d": 10_000, "e": 2, "f": 0}}))
    best = facts.best(Measure("IDCG", 1000))
    for seed in range(part, INPUTS, 10):
        for values in trec.linear_ndcg(garbage(seed, facts.n), best, facts.n, [1, 10, 1000]).values():
            assert ((values >= 0) & (values <= 1)).all(), seed


@pytest.mark.parametrize("part", range(10))
def test_random_inputs_are_scored_right_or_refused(part: int) -> None:
    outcomes = [outcome(random.Random(seed)) for seed in range(part, INPUTS, 10)]
    refused = [found for found in outcomes if isinstance(found, InputError)]
    assert all(error.problems[0].message and error.problems[0].hint for error in refused)
    assert 0.2 < len(refused) / len(outcomes) < 0.8
