"""Wire: freezing and thawing give the same objects to the last bit, and nothing damaged comes back."""

import json
import math
from dataclasses import fields
from pathlib import Path

import polars as pl
import pytest

from core.errors import InputError
from core.model.metadata import DocumentMetadata, QueryMetadata
from core.model.qrels import Qrels, Source
from core.notices import Effect, Notice
from core.readers.wire import Frozen, freeze, thaw
from tests.readers.test_runs import JUDGED, qrels, runs

SOURCE = Source("q.txt", "ab" * 32)
NOTICES = (
    Notice("ties", "warning", "run \u2603", "A sentence.", 3, ("a", "\u00e9"), Effect("nDCG@10", (("low", 0.1), ("high", None)))),
    Notice("id-mismatch", "warning", "run", "Another.", 1, (), None, ("run:document:prefix:x",)),
)  # fmt: skip
TABLE = pl.DataFrame({"query_id": ["a", "b"], "text": [None, "x"], "length": [0.1 + 0.2, math.pi]})
OBJECTS: dict[str, Frozen] = {
    "qrels": Qrels(JUDGED.judgments, (SOURCE, SOURCE), 7, ("u1", "u2"), pl.DataFrame({"query_id": ["a1"], "source": ["web"]}), NOTICES),
    "qrels without more": qrels({"a1": {"d\u00e9": 0.1 + 0.2}}),
    "run": runs("a1 Q0 d1 1 0.1 m\na1 Q0 d2 2 0.1 m\na1 Q0 x 3 -inf m\nzz Q0 d 1 1 m\n")[0],
    "run of ranks": runs("a1\td2\t0\n", fields=("query_id", "doc_id", "rank"), delimiter="\t")[0],
    "run without answers": runs("zz Q0 d1 1 1 m\n")[0],
    "run with metadata": runs("# ir_metadata.start\n# tag: base\n# ir_metadata.end\na1 Q0 d1 1 1 m\n")[0],
    "queries": QueryMetadata(TABLE, (SOURCE,), 2, NOTICES),
    "documents": DocumentMetadata(TABLE.select(doc_id="query_id", title="text"), (SOURCE,), 2),
}  # fmt: skip


@pytest.mark.parametrize("what", OBJECTS.values(), ids=OBJECTS)
def test_what_is_frozen_thaws_to_the_same(what: Frozen, tmp_path: Path) -> None:
    freeze(what, tmp_path / "one")
    found = thaw(tmp_path / "one")
    assert type(found) is type(what)
    for field in fields(what):
        before, after = getattr(what, field.name), getattr(found, field.name)
        if isinstance(before, pl.DataFrame):
            assert after.schema == before.schema
            assert after.equals(before, null_equal=True)
        else:
            assert after == before
    freeze(found, tmp_path / "two")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def frozen(folder: Path) -> Path:
    freeze(OBJECTS["run"], folder / "run")
    return folder / "run"


def test_a_missing_or_cut_part_is_named(tmp_path: Path) -> None:
    folder = frozen(tmp_path)
    hits = (folder / "hits.parquet").read_bytes()
    for data in (hits[:40], b"", b"PAR1" + b"\0" * 50 + b"PAR1"):
        (folder / "hits.parquet").write_bytes(data)
        with pytest.raises(InputError, match=r"run: is damaged: hits\.parquet"):
            thaw(folder)
    (folder / "hits.parquet").unlink()
    with pytest.raises(InputError, match=r"hits\.parquet"):
        thaw(folder)


def test_a_frame_of_other_columns_is_no_part(tmp_path: Path) -> None:
    folder = frozen(tmp_path)
    pl.DataFrame({"x": [1]}).write_parquet(folder / "hits.parquet")
    with pytest.raises(InputError, match=r"hits\.parquet"):
        thaw(folder)


@pytest.mark.parametrize(
    "change", [{"kind": "other"}, {"notices": 3}, {"notices": [{"code": "x"}]}, {"ranklens": "a"}, {"source": None}]
)
def test_a_manifest_that_was_changed_is_damaged(change: dict[str, object], tmp_path: Path) -> None:
    folder = frozen(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(InputError, match=r"manifest\.json"):
        thaw(folder)


def test_a_later_version_says_so(tmp_path: Path) -> None:
    folder = frozen(tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"ranklens": 99}))
    with pytest.raises(InputError, match="later version"):
        thaw(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, "\0"])
def test_no_manifest_is_damaged(text: str, tmp_path: Path) -> None:
    folder = frozen(tmp_path)
    (folder / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json"):
        thaw(folder)
