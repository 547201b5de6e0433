"""Links of every schema there ever was: they open for ever, to the same numbers."""

from pathlib import Path

import pytest

from core.comparison import Comparison
from core.model.measure import Measure
from core.saved import delete, find, find_delete, found_by_id, listed, listed_for_everyone, read
from core.store import Folder
from tests.saved.made import numbers, reopened
from tests.saved.make_golden import DELETES, IDENTITY, TOKEN, golden, make

GOLDEN = Path(__file__).parent / "golden_1"


@pytest.fixture(scope="module")
def opened() -> Comparison:
    return reopened(Folder(GOLDEN), TOKEN)


@pytest.mark.parametrize(
    ("run", "measure", "mean", "seed"),
    [
        ("first", "nDCG@10", 0.5233777892553254, 0.710414667913779),
        ("first", "nDCG(dcg='exp-log2')@10", 0.48841167666363844, 0.6685274490004087),
        ("first", "R@100", 0.5833333333333334, 0.75),
        ("first", "AP@100", 0.5625, 0.6875),
        ("second", "nDCG@10", 1 / 3, 1.0),
        ("second", "P@10", 0.4 / 3, 0.4),
    ],
)
def test_a_link_of_schema_1_opens_to_the_same_numbers_for_ever(
    opened: Comparison, run: str, measure: str, mean: float, seed: float
) -> None:
    found = opened.scores(run, Measure.parse(measure))
    assert found.mean == pytest.approx(mean, abs=1e-12)
    assert found.values[list(opened.qrels.queries).index("seed")] == pytest.approx(seed, abs=1e-12)


def test_it_opens_to_what_it_was_saved_from(opened: Comparison) -> None:
    assert numbers(opened) == numbers(golden())
    assert opened.missing("second") == ("none", "q2")
    assert opened.documents is not None
    assert opened.documents.table["title"].to_list() == ["One", "Fünf"]


def test_its_manifest_says_what_it_said() -> None:
    store = Folder(GOLDEN)
    found = find(store, TOKEN)
    assert found is not None
    saved = read(store, found)
    assert (saved.id, saved.title, saved.owner, saved.access) == (IDENTITY, "Golden", "machine", "everyone")
    assert (saved.page, saved.view) == ("queries", {"k": 5, "base": "second"})
    assert saved.notes == {"q2": {"text": "as it was"}}
    assert (saved.created.isoformat(), saved.expires) == ("2026-11-30T12:00:00+00:00", None)
    assert saved.line.startswith("nDCG@10 · linear gain (the grade) · ideal from all judged documents · 3 queries")
    assert [source["role"] for source in saved.inputs] == ["qrels", "run", "run"]
    assert found_by_id(store, IDENTITY) == find_delete(store, DELETES) == found
    assert [line.title for line in (*listed(store, "machine"), *listed_for_everyone(store))] == ["Golden"] * 2


def test_a_delete_link_of_schema_1_deletes(tmp_path: Path) -> None:
    store = Folder(tmp_path / "copy")
    for entry in Folder(GOLDEN).entries(""):
        store.put_new(entry.key, Folder(GOLDEN).get(entry.key) or b"")
    assert delete(store, DELETES)
    assert {entry.key.split("/")[0] for entry in store.entries("")} == {"blobs"}


def test_what_this_version_writes_differs_only_in_what_it_may(tmp_path: Path) -> None:
    made = Folder(tmp_path)
    make(made.root)
    old = {entry.key for entry in Folder(GOLDEN).entries("") if not entry.key.startswith("blobs/")}
    assert {entry.key for entry in made.entries("") if not entry.key.startswith("blobs/")} == old
    assert numbers(reopened(made, TOKEN)) == numbers(golden())
