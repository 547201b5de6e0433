"""The command line, run in this process on files of a folder of its own."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from core.cli import main

# Four judged queries. q1 is the seed example; q2 has its only relevant document at rank 2, behind an unjudged one; q3 has no positive
# grade; q4 is not in the run, which answers qx that nobody judged.
QRELS = "q1 0 d1 3\nq1 0 d2 1\nq1 0 d3 0\nq1 0 d4 2\nq1 0 d5 3\nq2 0 d6 1\nq3 0 d7 0\nq4 0 d8 1\n"
RUN = (
    "q1 Q0 d1 1 9 bm25\nq1 Q0 d2 2 8 bm25\nq1 Q0 d3 3 7 bm25\nq1 Q0 d4 4 6 bm25\n"
    "q2 Q0 d9 1 5 bm25\nq2 Q0 d6 2 4 bm25\nq3 Q0 d7 1 3 bm25\nqx Q0 d1 1 2 bm25\n"
)
QUERIES = "query_id,text,intent\nq1,red tea,buy\nq2,blue hat,look\nq3,green,look\n"


@dataclass(frozen=True)
class Done:
    """What a command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON. NaN and Infinity are not JSON."""
        return json.loads(self.out, parse_constant=_refuse)

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The problems of an error, which must be all that the JSON holds."""
        assert set(self.json) == {"schema", "error"}
        assert self.json["schema"] == 1
        assert set(self.json["error"]) == {"problems"}
        return self.json["error"]["problems"]  # type: ignore[no-any-return]  # JSON is any value

    @property
    def codes(self) -> set[str]:
        """The codes of the notices."""
        return {notice["code"] for notice in self.json["notices"]}


def _refuse(name: str) -> NoReturn:
    raise AssertionError(f"{name} was printed")


Ranklens = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the collection in it."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels.txt", QRELS), ("bm25.run", RUN), ("queries.csv", QUERIES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ranklens(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ranklens:
    """`ranklens("score", "--qrels", …, stdin=b"…")`: run one command line in the folder."""
    assert folder.is_dir()

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main(arguments)
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return run
