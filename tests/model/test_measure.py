"""Measure: names are read in every spelling people use, printed in one, and nonsense is refused with a hint."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.model.measure import DEFAULT_MEASURES, Measure, parse_gains

# Left of "<": how ir_measures spells it. Right: what trec_eval, ranx and people write, apart by two blanks.
SPELLINGS = """
nDCG@10 < nDCG@10  ndcg@10  NDCG@10  ndcg_cut_10  ndcg_cut.10  nDCG()@10  nDCG(dcg='log2')@10
nDCG@1000 < ndcg_cut_1000
nDCG(dcg='exp-log2')@10 < nDCG(dcg="exp-log2")@10  exp_ndcg_10  ndcg_exp@10
nDCG(gains={1:1,2:10})@10 < nDCG(gains={2: 10, 1: 1})@10  nDCG( gains = {1=1,2=10} )@10
nDCG(gains={0:0,1:0.01,3:1})@5 < ndcg(gains={3:1.0,1:1e-2,0:0})@5
nDCG(gains={1:1e-07,2:2.5})@5 < nDCG(gains={1:1e-7,2:2.50})@5
DCG@10 < dcg@10  DCG_10
DCG(dcg='exp-log2')@10 < dcg(dcg='exp-log2')@10
IDCG(gains={1:3})@10 < idcg(gains={1:3})@10
R@100 < recall_100  recall.100  Recall@100  r@100
R(rel=2)@100 < Recall(rel=2)@100
P@10 < P_10  precision@10  p@10
P(rel=2)@10 < P( rel = 2 )@10  precision(rel=2)@10
Success@10 < success_10  hit_rate@10  HitRate@10  hit@10
RR@10 < MRR@10  mrr@10
RR < MRR  mrr  recip_rank
RR(rel=2)@3 < MRR(rel=2)@3
AP@100 < MAP@100
AP@10 < map_cut_10  map_cut.10
AP < map  MAP
AP(rel=3) < map(rel=3)
Judged@10 < judged@10  judged_10
"""
PAIRS = [
    (written, canonical)
    for canonical, spellings in (line.split(" < ") for line in SPELLINGS.strip().splitlines())
    for written in [canonical, f" {canonical} ", *re.split("  +", spellings)]
]


@pytest.mark.parametrize(("written", "canonical"), PAIRS)
def test_every_usual_spelling_is_the_same_measure(written: str, canonical: str) -> None:
    assert str(Measure.parse(written)) == canonical
    assert Measure.parse(written) == Measure.parse(canonical)


NONSENSE = {
    "": '"" is not a measure',
    "nDCG": "nDCG needs a cutoff, such as nDCG@10",
    "Recall": "R needs a cutoff, such as R@10",
    "nDCG@0": '"nDCG@0": the cutoff "0" is not a whole number from 1 to 1,000',
    "nDCG@-1": '"nDCG@-1": the cutoff "-1" is not a whole number from 1 to 1,000',
    "nDCG@1001": '"nDCG@1001": the cutoff "1001" is not a whole number from 1 to 1,000',
    "ndcg_cut_1000000000": '"ndcg_cut_1000000000": the cutoff "1000000000" is not a whole number from 1 to 1,000',
    "nDCG@x": '"nDCG@x": the cutoff "x" is not a whole number from 1 to 1,000',
    "nDCG@05": '"nDCG@05": the cutoff "05" is not a whole number from 1 to 1,000',
    "nDCG@1.5": '"nDCG@1.5": the cutoff "1.5" is not a whole number from 1 to 1,000',
    "nDCG@１０": '"nDCG@１０": the cutoff "１０" is not a whole number from 1 to 1,000',
    "nDCG@": '"nDCG@": the cutoff "" is not a whole number from 1 to 1,000',
    "ndcg_cut.5,10": '"ndcg_cut.5,10": the cutoff "5,10" is not a whole number from 1 to 1,000',
    "Rprec": '"Rprec" is not a measure',
    "P(dcg='exp-log2')@10": "P does not use a gain",
    "nDCG(rel=2)@10": "nDCG(rel=2): the relevance level belongs to R, P, Success, RR and AP, from 1",
    "P(rel=0)@10": "P(rel=0): the relevance level belongs to R, P, Success, RR and AP, from 1",
    "P(rel=2,rel=3)@10": '"P(rel=2,rel=3)@10": a measure takes each parameter once, and either dcg or gains',
    "nDCG(judged_only=True)@10": '"nDCG(judged_only=True)@10": "judged_only=True" is not a parameter of a measure',
    "nDCG(gains={})@10": '"" is not a grade and its gain',
    "nDCG(gains={1:0})@10": "every gain is 0",
    "nDCG(gains={1:-1})@10": "a gain lies from 0 to 1,000,000",
    "nDCG(gains={1:1,1.0:2})@10": "a grade has two gains",
    "\ud800@10": '"\\ud800@10" is not a measure',
    "nDCG@1\x00": '"nDCG@1\ufffd": the cutoff "1\ufffd" is not a whole number from 1 to 1,000',
}


@pytest.mark.parametrize(("written", "message"), NONSENSE.items())
def test_nonsense_is_refused_with_what_exists(written: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        Measure.parse(written)
    (problem,) = refused.value.problems
    assert problem.message == message
    assert problem.hint is not None
    assert "nDCG@10" in problem.hint or "1=1,2=10" in problem.hint


@given(
    st.text(max_size=40) | st.from_regex(r"[A-Za-z_]{1,8}(\([a-z={}:'0-9,]*\))?[@_.][-+0-9a-z.]{0,5}", fullmatch=True)
)
def test_any_text_is_a_measure_or_refused(text: str) -> None:
    try:
        measure = Measure.parse(text)
    except InputError as error:
        assert error.problems[0].hint  # noqa: PT017 - both outcomes are right, and each has its own check
    else:
        assert Measure.parse(str(measure)) == measure


gain_maps = st.dictionaries(
    st.integers(-3, 9).map(float) | st.sampled_from([0.5, 2.25]), st.floats(0, 1e6), min_size=1, max_size=5
)
cutoffs = st.integers(1, 1000)


def gain_measures() -> st.SearchStrategy[Measure]:
    plain = st.builds(
        Measure, st.sampled_from(["nDCG", "DCG", "IDCG"]), cutoffs, st.sampled_from(["linear", "exponential"])
    )
    positive = gain_maps.filter(lambda gains: any(gain > 0 for gain in gains.values()))
    return plain | st.builds(
        lambda name, k, gains: Measure(name, k, "custom", tuple(gains.items())),
        st.sampled_from(["nDCG", "DCG"]),
        cutoffs,
        positive,
    )


measures = (
    gain_measures()
    | st.builds(Measure, st.sampled_from(["R", "P", "Success"]), cutoffs, rel=st.none() | st.integers(1, 1_000_000))
    | st.builds(Measure, st.sampled_from(["RR", "AP"]), st.none() | cutoffs, rel=st.none() | st.integers(1, 9))
    | st.builds(Measure, st.just("Judged"), cutoffs)
)


@given(measures)
def test_a_measure_prints_as_a_name_that_reads_back_as_itself(measure: Measure) -> None:
    assert Measure.parse(str(measure)) == measure
    assert hash(Measure.parse(str(measure))) == hash(measure)


@pytest.mark.parametrize("k", [0, -1, 1001, 10**9, True, 2.0, "10"])
def test_a_cutoff_that_does_not_exist_cannot_be_built(k: object) -> None:
    with pytest.raises(InputError, match="is not a whole number from 1 to 1,000"):
        Measure.parse("nDCG@10").with_cutoff(k)  # type: ignore[arg-type] # that is the point


def test_the_same_measure_at_another_cutoff_and_gain() -> None:
    measure = Measure.parse("nDCG@10")
    assert str(measure.with_cutoff(5)) == "nDCG@5"
    assert str(measure.with_gain("exponential")) == "nDCG(dcg='exp-log2')@10"
    assert measure.with_gain("custom", ((1, 1), (2, 10))) == Measure.parse("nDCG(gains={1:1,2:10})@10")
    assert measure.with_gain("custom", ((2, 10), (1, 1))).with_gain("linear") == measure
    with pytest.raises(InputError, match="R does not use a gain"):
        Measure.parse("R@100").with_gain("exponential")
    with pytest.raises(InputError, match="its map is missing"):
        measure.with_gain("custom")


def test_gains_are_read_as_the_command_line_writes_them() -> None:
    assert parse_gains("1=1,2=10") == parse_gains("2:10, 1:1") == ((1.0, 1.0), (2.0, 10.0))
    with pytest.raises(InputError, match="is not a grade and its gain"):
        parse_gains("E=3")


def test_the_default_measures_are_the_contract_of_the_command_line() -> None:
    named = [str(measure) for measure in DEFAULT_MEASURES]
    assert named == [
        "nDCG@10",
        "nDCG(dcg='exp-log2')@10",
        "R@100",
        "RR@10",
        "Success@10",
        "P@10",
        "AP@100",
        "Judged@10",
    ]


def test_people_read_words_they_know() -> None:
    labels = [
        measure.label
        for measure in map(Measure.parse, ["nDCG@10", "nDCG(dcg='exp-log2')@5", "R@100", "RR", "AP@10", "P(rel=2)@10"])
    ]
    assert labels == [
        "nDCG@10, linear gain",
        "nDCG@5, exponential gain",
        "Recall@100",
        "MRR",
        "MAP@10",
        "Precision@10, grade ≥ 2",
    ]
    assert Measure.parse("R@100").meaning == "The share of the relevant documents that stand in the top 100."
    assert Measure.parse("RR").meaning.endswith("0 where there is none in the whole run.")


def test_only_sums_of_gains_leave_the_range_from_0_to_1() -> None:
    assert [m.name for m in map(Measure.parse, ["nDCG@1", "DCG@1", "IDCG@1", "R@1", "RR", "AP"]) if not m.bounded] == [
        "DCG",
        "IDCG",
    ]
