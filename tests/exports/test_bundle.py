"""Bundles: the comparison comes back to the last digit; what is damaged, newer or no bundle is said, never opened."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from core.cli.score import shown
from core.comparison import Comparison
from core.errors import InputError
from core.exports.bundle import comparison_of, is_bundle, open_bundle, view_of, write_bundle
from core.model.conventions import Conventions
from core.model.limits import LOCAL
from core.model.measure import DEFAULT_MEASURES
from core.readers.child import Job, in_child
from core.readers.files import Given
from core.readers.packed import MARK, Packed, unpack
from tests.comparison.made import collection
from tests.exports.payloads import poisoned

ODD = Conventions(
    missing="exclude", undefined="exclude", order="score64", conflicts="mean", own_ids="drop", relevance_level=2
)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return collection(30).comparison


@pytest.fixture(scope="module")
def bundle(comparison: Comparison) -> bytes:
    return write_bundle(comparison, {"k": 5})


def same(one: Comparison, other: Comparison) -> None:
    """Everything that a number or a screen depends on is equal."""
    assert one.conventions == other.conventions
    assert one.names == other.names
    pairs = [
        (one.qrels, other.qrels),
        *zip(one.runs, other.runs, strict=True),
        (one.queries, other.queries),
        (one.documents, other.documents),
    ]
    for before, after in pairs:
        assert type(before) is type(after)
        for name, value in vars(before).items() if before is not None else ():
            if name.startswith("_") or (
                name in ("queries", "index", "query", "grade", "sha256") and not isinstance(value, pl.DataFrame)
            ):
                continue
            found = getattr(after, name)
            assert (
                found.equals(value) and found.schema == value.schema
                if isinstance(value, pl.DataFrame)
                else found == value
            ), name


def test_a_bundle_opens_to_the_same_comparison(comparison: Comparison, bundle: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.ranklens").write_bytes(bundle)
    for what in (bundle, tmp_path / "x.ranklens", str(tmp_path / "x.ranklens")):
        same(comparison, open_bundle(what))


@pytest.mark.parametrize("form", ["json", "csv", "table", "md"])
def test_its_numbers_are_those_it_was_made_from_to_the_last_digit(
    comparison: Comparison, bundle: bytes, form: str
) -> None:
    assert shown(open_bundle(bundle), DEFAULT_MEASURES, form, per_query=True) == shown(
        comparison, DEFAULT_MEASURES, form, per_query=True
    )


@pytest.mark.parametrize("conventions", [Conventions(), ODD])
def test_conventions_come_back(conventions: Conventions) -> None:
    made = collection(12, conventions=conventions).comparison
    assert open_bundle(write_bundle(made)).conventions == conventions


def test_any_text_comes_back() -> None:
    made = poisoned()
    same(made, open_bundle(write_bundle(made)))


def test_the_same_comparison_gives_the_same_bytes_and_a_bundle_of_a_bundle_does_too(
    comparison: Comparison, bundle: bytes
) -> None:
    assert write_bundle(comparison, {"k": 5}) == bundle
    again = open_bundle(bundle)
    assert write_bundle(open_bundle(write_bundle(again))) == write_bundle(again)


def test_the_view_comes_back(bundle: bytes) -> None:
    assert view_of(unpack(Given.of(bundle))) == {"k": 5}


def test_a_bundle_is_known_by_its_first_bytes(bundle: bytes) -> None:
    assert is_bundle(bundle)
    assert not is_bundle(b"")
    assert not is_bundle(b"q1 0 d1 1\n")
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("a.txt", "q1 0 d1 1\n")
    assert not is_bundle(other.getvalue())


def test_the_child_that_reads_what_strangers_bring_opens_the_same(comparison: Comparison, bundle: bytes) -> None:
    found = in_child(
        [Job("bundle", (Given("b", data=bundle),)), Job("bundle", (Given("c", data=bundle[:-900]),))], limits=LOCAL
    )
    assert isinstance(found[0], Packed)
    assert list(found[0].parts) == ["qrels", "run-0", "run-1", "queries"]
    assert isinstance(found[1], InputError)
    same(comparison, comparison_of(found[0], "b"))


def remade(bundle: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The bundle with its files changed."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as given:
        files = {name: given.read(name) for name in given.namelist()}
    change(files)
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return into.getvalue()


def told(**fields: object) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        files[MARK] = json.dumps(json.loads(files[MARK]) | fields).encode()

    return change


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        del files[name]

    return change


def swapped(files: dict[str, bytes]) -> None:
    files["run-0/hits.parquet"], files["run-1/hits.parquet"] = files["run-1/hits.parquet"], files["run-0/hits.parquet"]


CHANGES: dict[str, tuple[Callable[[dict[str, bytes]], None], str]] = {
    "newer": (told(ranklens_bundle=2), "was made with a newer version of Ranklens"),
    "no schema": (told(ranklens_bundle="x"), "is damaged"),
    "a part gone": (without("run-0/hits.parquet"), "is damaged"),
    "a part that belongs to another": (swapped, 'is damaged: the part "run-0/hits.parquet"'),
    "no parts": (told(parts=[], files={}), "judgments or runs are missing"),
    "no conventions": (told(conventions=None), "its conventions cannot be read"),
    "conventions of nobody": (told(conventions={"missing": "maybe"}), "its conventions cannot be read"),
    "a level below every grade": (
        lambda files: files.update({MARK: files[MARK].replace(b'"relevance_level": 1', b'"relevance_level": 0')}),
        "its conventions cannot be read",
    ),
    "a part outside the folder": (told(parts=["..", "qrels"]), "is damaged"),
    "a file outside the folder": (told(files={"../evil.json": {"sha256": "", "bytes": 0}}), "is damaged"),
    "a list in place of files": (told(files=[1, 2]), "is damaged"),
    "nested too deep": (lambda files: files.update({MARK: b"[" * 100_000}), "is damaged"),
    "no JSON": (lambda files: files.update({MARK: b"\xff"}), "is damaged"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*CHANGES])
def test_a_bundle_that_is_not_as_it_was_written_is_refused_with_a_reason(bundle: bytes, name: str) -> None:
    change, message = CHANGES[name]
    with pytest.raises(InputError, match=message):
        open_bundle(remade(bundle, change))


def test_every_flipped_bit_is_found_or_changes_nothing(comparison: Comparison, bundle: bytes) -> None:
    opened = refused = 0
    for at in range(0, len(bundle), max(1, len(bundle) // 400)):
        harmed = bytearray(bundle)
        harmed[at] ^= 1 << at % 8
        try:
            found = open_bundle(bytes(harmed))
        except InputError:
            refused += 1
        else:
            opened += 1
            same(replace(comparison, conventions=found.conventions), found)
    assert refused > 300
    assert opened < 60


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 0.999])
def test_a_bundle_cut_short_is_refused(bundle: bytes, share: float) -> None:
    with pytest.raises(InputError):
        open_bundle(bundle[: int(len(bundle) * share)])


def test_a_bundle_larger_than_the_limit_is_refused_before_it_is_read(bundle: bytes) -> None:
    with pytest.raises(InputError, match="larger than the limit"):
        open_bundle(bundle, limits=replace(LOCAL, packed=1000))
    with pytest.raises(InputError, match="holds more than the limit"):
        open_bundle(bundle, limits=replace(LOCAL, unpacked=1000))
