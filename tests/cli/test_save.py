"""`ranklens save`, `open`, `report` and `delete`: a link in place of files, and the same numbers."""

import re
from pathlib import Path

import pytest

from core.saved import find, listed, read
from core.store import Folder, seal
from tests.cli.conftest import Done, Ranklens

FILES = ("--qrels", "qrels.txt", "--run", "bm25.run", "--run", "new=bm25.run", "--queries", "queries.csv")
NOTHING = "there is no such file, and nothing is saved under this link"


@pytest.fixture(autouse=True)
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    for name in ("RANKLENS_ADDRESS", "RANKLENS_EXPIRES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RANKLENS_STORE", str(folder / "kept"))
    return Folder(folder / "kept")


def save(ranklens: Ranklens, *more: str) -> Done:
    done = ranklens("save", *FILES, *more)
    assert (done.code, done.err) == (0, "")
    return done


def last(done: Done) -> str:
    return done.out.splitlines()[-1]


def test_the_last_line_is_the_link_alone_and_the_one_before_deletes(ranklens: Ranklens, store: Folder) -> None:
    done = save(ranklens, "--title", "Before the release")
    first, line, _, deletes, token = done.out.splitlines()
    assert first.startswith('Saved "Before the release" (2 runs, ')
    assert first.endswith("; whoever has the link opens it.")
    assert line.startswith("nDCG@10 · linear gain (the grade)")
    assert re.fullmatch(r"Delete it: [A-Za-z0-9_-]{32}", deletes)
    found = find(store, token)
    assert found is not None
    assert (found.owner, found.access) == ("machine", "link")
    assert found.expires is not None
    assert (found.expires - found.created).days == 90


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_open_prints_byte_for_byte_what_score_prints(ranklens: Ranklens, form: str) -> None:
    choices = ("--missing", "exclude", "--relevance-level", "2", "--order", "score64")
    token = last(save(ranklens, *choices))
    for more in ((), ("-m", "nDCG@5", "-m", "AP"), ("--per-query",)):
        scored = ranklens("score", *FILES, *choices, "--format", form, *more)
        for link in (token, f"https://eval.example/base/overview?d={token}", f"/overview?k=5&d={token}&base=new"):
            opened = ranklens("open", link, "--format", form, *more)
            assert (opened.code, opened.out, opened.err) == (0, scored.out, scored.err)


def test_a_report_of_a_link_is_the_report_of_its_files(ranklens: Ranklens, folder: Path) -> None:
    token = last(save(ranklens))
    assert ranklens("report", token).out == ranklens("report", *FILES).out
    assert ranklens("report", token, "--baseline", "new").out.startswith("### bm25 and new score the same")
    for name, what in (("one", (token,)), ("two", FILES)):
        assert ranklens("report", *what, "--format", "bundle", "--out", name).code == 0
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()


def test_a_file_of_that_name_wins(ranklens: Ranklens, folder: Path) -> None:
    token = last(save(ranklens))
    (folder / token).write_text("q1 0 d1 3\n")
    assert f"{token}: is not a bundle" in ranklens("open", token).err


def test_the_dashboards_address_makes_links_of_tokens(ranklens: Ranklens, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKLENS_ADDRESS", "https://eval.example/ranklens/")
    done = save(ranklens)
    *_, deletes, link = done.out.splitlines()
    assert re.fullmatch(r"https://eval\.example/ranklens/overview\?d=[A-Za-z0-9_-]{32}", link)
    assert re.fullmatch(r"Delete it: https://eval\.example/ranklens/\?delete=[A-Za-z0-9_-]{32}", deletes)
    assert ranklens("open", link).out == ranklens("score", *FILES).out
    assert ranklens("delete", deletes.removeprefix("Delete it: ")).code == 0
    assert ranklens("open", link).code == 2
    monkeypatch.setenv("RANKLENS_ADDRESS", "eval.example")
    refused = ranklens("save", *FILES)
    assert (refused.code, refused.out) == (2, "")
    assert 'RANKLENS_ADDRESS: "eval.example" is not an address' in refused.err


def test_json_tells_everything_once(ranklens: Ranklens, store: Folder) -> None:
    told = save(
        ranklens, "--format", "json", "--access", "everyone", "--owner", "person:Ann@Eval.example", "--expires-in", "never"
    ).json  # fmt: skip
    assert set(told) == {
        "schema", "link", "token", "delete", "id", "title", "owner", "access", "expires", "page", "bytes",
    }  # fmt: skip
    assert (told["schema"], told["link"], told["expires"], told["page"]) == (1, told["token"], None, "overview")
    [line] = listed(store, "person:ann@eval.example")
    assert (line.id, line.title, line.access, line.bytes) == (told["id"], "bm25, new", "everyone", told["bytes"])
    assert ranklens("delete", told["delete"], "--format", "json").json == {"schema": 1, "deleted": True}


def test_the_screen_it_opens_to_is_the_one_that_was_asked_for(ranklens: Ranklens, store: Folder) -> None:
    choices = ("--undefined", "exclude", "--relevance-level", "2")
    token = last(save(ranklens, *choices, "--baseline", "new", "-m", "P@3", "-m", "nDCG(dcg='exp-log2')@5"))
    found = find(store, token)
    assert found is not None
    saved = read(store, found)
    assert saved.view == {
        "missing": "zero", "undefined": "exclude", "level": 2, "gain": "exponential", "k": 5, "base": "new",
    }  # fmt: skip
    assert saved.measure == "nDCG(dcg='exp-log2')@5"


@pytest.mark.parametrize(
    ("option", "variable", "days"),
    [("7", None, 7), (None, "7", 7), ("3", "7", 3), (None, "never", None), ("Never", "7", None)],
)
def test_a_link_expires_when_it_was_asked_to(
    ranklens: Ranklens, store: Folder, monkeypatch: pytest.MonkeyPatch, option: str | None, variable: str | None, days: int | None
) -> None:  # fmt: skip
    if variable is not None:
        monkeypatch.setenv("RANKLENS_EXPIRES", variable)
    found = find(store, last(save(ranklens, *(("--expires-in", option) if option else ()))))
    assert found is not None
    assert days == (None if found.expires is None else (found.expires - found.created).days)


def test_deleting_takes_the_link_and_the_delete_link_and_says_when_there_is_nothing(
    ranklens: Ranklens, store: Folder
) -> None:
    for pick in (-1, -2):
        lines = save(ranklens).out.splitlines()
        done = ranklens("delete", lines[pick].removeprefix("Delete it: "))
        assert (done.code, done.out, done.err) == (0, "Deleted: every link to it is dead.\n", "")
        assert NOTHING in ranklens("open", lines[-1]).err
        again = ranklens("delete", lines[pick].removeprefix("Delete it: "))
        assert (again.code, again.out) == (2, "")
        assert NOTHING in again.err
    assert listed(store, "machine") == []
    assert {entry.key.split("/")[0] for entry in store.entries("")} == {"blobs"}


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown token": (("open", "A" * 32), f"LINK: {NOTHING}"),
    "an unknown address": (("open", "https://eval.example/overview?d=x"), f"LINK: {NOTHING}"),
    "an address of nothing": (("open", "https://eval.example/overview?k=5"), "there is no such file"),
    "an address that is none": (("open", "http://[?d=x"), "there is no such file"),
    "a word": (("open", "none"), "none: there is no such file"),
    "nothing": (("open", ""), f"LINK: {NOTHING}"),
    "a long one": (("open", "x" * 5000), f"LINK: {NOTHING}"),
    "an unknown link to report": (("report", "A" * 32), f"LINK: {NOTHING}"),
    "a link and files": (("report", "A" * 32, *FILES), "a link or a bundle brings its own"),
    "a bundle to delete": (("delete", "qrels.txt"), f"LINK: {NOTHING}"),
    "no days": (("save", *FILES, "--expires-in", "soon"), '--expires-in: "soon" is not a number of days'),
    "days of no calendar": (("save", *FILES, "--expires-in", "99999999"), "cannot be kept for 99,999,999 days"),
    "days of no width": (("save", *FILES, "--expires-in", "9" * 5000), "is not a number of days"),
    "nobody's access": (("save", *FILES, "--access", "all"), "'all' is not one of"),
    "nobody": (("save", *FILES, "--owner", "ann"), '--owner: "ann" is no owner'),
    "nobody signed in": (("save", *FILES, "--owner", "person: "), '--owner: "person: " is no owner'),
    "an unknown baseline": (("save", *FILES, "--baseline", "x"), '--baseline: there is no run called "x"'),
    "a long title": (("save", *FILES, "--title", "x" * 300), "not saved: the title has 300 letters"),
    "no such store": (("save", *FILES, "--store", "gopher://x"), "gopher"),
    "a mistyped store": (("save", *FILES, "--store", "s3:/x"), 'RANKLENS_STORE: "s3:/x" is no place of a store'),
    "a folder of nobody": (("save", *FILES, "--store", "~nobody-here/x"), '"~nobody-here/x" is no place of a store'),
    "gains that lack a grade": (("save", *FILES, "--gains", "7=1"), "the gains given lack"),
    "no such store to look in": (("open", "A" * 32, "--store", "gopher://x"), "gopher"),
    "no such file": (("save", "--qrels", "none.txt", "--run", "bm25.run"), "none.txt: there is no such file"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*REFUSED])
def test_what_cannot_be_done_is_told_and_nothing_is_kept(ranklens: Ranklens, folder: Path, name: str) -> None:
    arguments, said = REFUSED[name]
    done = ranklens(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert not (folder / "kept").exists()
    if arguments[0] != "report":
        assert ranklens(*arguments, "--format", "json").problems


def test_a_link_that_is_damaged_or_newer_is_told(ranklens: Ranklens, store: Folder) -> None:
    token = last(save(ranklens))
    [link] = (store.root / "links").iterdir()
    data = link.read_bytes()
    link.write_bytes(data.replace(b"machine", b"machina"))
    done = ranklens("open", token, "--format", "json")
    assert done.problems == [
        {"file": "the link", "line": None, "message": "is damaged: it is not as it was written", "hint": None}
    ]
    link.write_bytes(seal({"schema": 2}))
    [problem] = ranklens("open", token, "--format", "json").problems
    assert problem["message"] == "was written by a later version of Ranklens (schema 2)"
    assert problem["hint"] == "update Ranklens"
    link.write_bytes(data)
    [run, *_] = sorted((store.root / "blobs").rglob("*/*"))
    run.write_bytes(b"")
    assert "is damaged: its part" in ranklens("report", token).err


def test_standard_input_can_be_saved_and_a_bundle_opened_from_it(ranklens: Ranklens, folder: Path) -> None:
    files = ("--qrels", "-", *FILES[2:])
    qrels = (folder / "qrels.txt").read_bytes()
    done = ranklens("save", *files, stdin=qrels)
    assert ranklens("open", last(done)).out == ranklens("score", *files, stdin=qrels).out
    ranklens("report", last(done), "--format", "bundle", "--out", "x.ranklens")
    assert ranklens("open", "-", stdin=(folder / "x.ranklens").read_bytes()).out == ranklens("open", last(done)).out


def test_where_the_link_cannot_be_written_nothing_is_saved(ranklens: Ranklens, store: Folder) -> None:
    done = ranklens("save", *FILES, "--out", "none/link.txt")
    assert (done.code, "none/link.txt: cannot be written" in done.err) == (2, True)
    assert {entry.key.split("/")[0] for entry in store.entries("")} == {"blobs"}
    assert save(ranklens, "--out", "link.txt").out == ""
    assert find(store, Path("link.txt").read_text("utf-8").splitlines()[-1]) is not None


def test_an_option_names_another_store(ranklens: Ranklens, folder: Path) -> None:
    token = last(save(ranklens, "--store", "elsewhere"))
    assert not (folder / "kept").exists()
    assert NOTHING in ranklens("open", token).err
    assert f"looked in {folder / 'kept'}" in ranklens("open", token).err
    assert ranklens("open", token, "--store", "elsewhere").code == 0
    assert ranklens("report", token, "--store", "elsewhere").code == 0
    assert ranklens("delete", token, "--store", "elsewhere").code == 0
