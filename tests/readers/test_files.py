"""Files: magic bytes, archives, limits and digests of what people give."""

import gzip
import hashlib
import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.model.limits import LOCAL, Limits
from core.readers import read_qrels, recognise
from core.readers.files import Given, head, members, whole
from core.readers.rows import Findings

TEXT = b"a1 0 d1 2\na1 0 d2 1\n" * 50


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def told(data: bytes, limits: Limits = LOCAL) -> str:
    with pytest.raises(InputError) as caught:
        whole(Given("run.gz", data=data), limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("packed", "container"),
    [
        (TEXT, "plain"),
        (gzip.compress(TEXT, mtime=0), "gzip"),
        (gzip.compress(TEXT[:200], mtime=0) + gzip.compress(TEXT[200:], mtime=0), "gzip"),
        (zstandard.compress(TEXT), "zstd"),
        (zstandard.compress(TEXT[:200]) + zstandard.compress(TEXT[200:]), "zstd"),
        (zipped({"folder/run.txt": TEXT, "__MACOSX/._run.txt": b"x", ".DS_Store": b"x"}), "zip"),
    ],
)
def test_a_file_is_unpacked_by_its_first_bytes_and_hashed_as_given(packed: bytes, container: str) -> None:
    findings = Findings("f")
    assert whole(Given("f", data=packed), LOCAL, findings) == TEXT
    assert findings.sha256 == hashlib.sha256(packed).hexdigest()
    assert head(Given("f", data=packed), 10) == (container, TEXT[:10], False)
    assert head(Given("f", data=packed)) == (container, TEXT, True)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda data: zipped({"r": data})])
def test_an_archive_cut_off_anywhere_is_refused_by_name(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(TEXT)
    for end in range(4, len(packed)):
        assert told(packed[:end]).startswith(("run.gz: the gzip", "run.gz: the zstd", "run.gz: the zip"))


def test_a_zip_with_a_wrong_checksum_is_damaged() -> None:
    packed = bytearray(zipped({"r": TEXT}))
    packed[14] ^= 1
    at = packed.rfind(b"PK\x01\x02")
    packed[at + 16] ^= 1
    assert told(bytes(packed)) == "run.gz: the zip archive is cut off or damaged"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(gzip.compress(TEXT, mtime=0), mtime=0), "run.gz: holds another archive, which is not opened"),
        (zipped({"a.gz": gzip.compress(TEXT, mtime=0)}), "run.gz: holds another archive, which is not opened"),
        (zipped({"a": TEXT, "b": TEXT}), 'run.gz: the zip archive holds 2 files: "a", "b"'),
        (zipped({}), "run.gz: the zip archive holds no file"),
        (zipped({"[Content_Types].xml": b"x", "xl/a": b"x"}), "run.gz: is an office document"),
        (b"%PDF-1.7", "run.gz: is a PDF, which is not read here"),
        (b"\xfd7zXZ\x00", "run.gz: is compressed with xz, which is not read here"),
    ],
)
def test_what_is_not_read_is_named(data: bytes, message: str) -> None:
    assert told(data) == message


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_refused_and_never_opened(protocol: int, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    data = pickled(mark, protocol)
    with pytest.raises(InputError) as caught:
        recognise(Given("model.pkl", data=data))
    assert not mark.exists()
    message = caught.value.problems[0].message
    assert message == "is a Python pickle, which is not read here" or protocol < 2
    with pytest.raises(InputError):
        read_qrels(Given("qrels.txt", data=data))


def pickled(mark: Path, protocol: int) -> bytes:
    """What a pickle looks like that would make a file; written by hand, since nothing here unpickles or pickles."""
    path = str(mark).encode()
    if protocol < 2:
        return b"cos\nmkdir\n(S'" + path + b"'\ntR."
    frame = b"\x95" + (len(path) + 30).to_bytes(8, "little") if protocol >= 4 else b""
    return b"\x80" + bytes([protocol]) + frame + b"cos\nmkdir\n(X" + len(path).to_bytes(4, "little") + path + b"tR."


def test_feather_and_both_kinds_of_arrow_files_are_refused_by_name() -> None:
    frame = pl.DataFrame({"query_id": ["q"], "doc_id": ["d"], "relevance": [1]})
    file, stream = io.BytesIO(), io.BytesIO()
    frame.write_ipc(file)
    frame.write_ipc_stream(stream)
    for data, what in ((file.getvalue(), "an Arrow file"), (stream.getvalue(), "an Arrow stream"), (b"FEA1" + bytes(20), "a Feather file"),
                       (b"\x93NUMPY" + bytes(20), "a NumPy file")):  # fmt: skip
        with pytest.raises(InputError, match=f"is {what}, which is not read here"):
            read_qrels(Given("qrels.feather", data=data))


def test_each_file_of_a_zip_is_read_alone_and_has_its_own_digest() -> None:
    files = {"runs/a.txt": b"one", "b.txt": b"two"}
    one, two = members(Given("all.zip", data=zipped(files)))
    assert (one.name, two.name) == ("runs/a.txt", "b.txt")
    findings = Findings("f")
    assert whole(two, LOCAL, findings) == b"two"
    assert findings.sha256 == hashlib.sha256(b"two").hexdigest()
    assert members(Given("f", data=TEXT)) == [Given("f", data=TEXT)]


def test_a_limit_states_itself_and_the_way_out() -> None:
    with pytest.raises(InputError) as caught:
        whole(Given("f", data=b"x" * 2_000_000), Limits(packed=1_000_000))
    problem = caught.value.problems[0]
    assert problem.message == "is 2 MB, more than the limit of 1 MB"
    assert problem.hint is not None
    assert "top 100" in problem.hint
    assert (
        told(gzip.compress(b"x" * 2_000_000, mtime=0), Limits(unpacked=1_000_000))
        == "run.gz: unpacks to more than the limit of 1 MB"
    )


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, lambda data: zipped({"r": data})])
def test_a_bomb_is_refused_by_its_ratio_and_a_small_repetitive_file_is_not(pack: Callable[[bytes], bytes]) -> None:
    assert told(pack(b"x" * 20_000_000)) == "run.gz: unpacks to more than 100 times its size, which is the limit"
    assert len(whole(Given("f", data=pack(b"x" * 10_000_000)))) == 10_000_000


def test_a_path_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "no.run", "no.run: there is no such file"),
        (tmp_path, "is a folder, not a file"),
    ):
        with pytest.raises(InputError, match=message):
            whole(Given.of(path))


def test_progress_ends_at_the_whole_file() -> None:
    said: list[tuple[int, int]] = []
    packed = gzip.compress(TEXT, mtime=0)
    whole(Given("f", data=packed), LOCAL, Findings("f", progress=lambda done, total: said.append((done, total))))
    assert said[-1] == (len(packed), len(packed))


@given(st.binary(max_size=200), st.sampled_from([b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PK\x05\x06"]))
def test_no_bytes_at_all_do_more_than_raise_an_input_error(tail: bytes, magic: bytes) -> None:
    for data in (tail, magic + tail):
        with suppress(InputError):
            members(Given("f", data=data))
            whole(Given("f", data=data))
