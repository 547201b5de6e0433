"""Every fault that the README of the planted faults names is found, and no other."""

import json
import re

from click.testing import CliRunner

from core.cli import ranklens
from tests.sample_data.collection import SAMPLE

FAULTS = SAMPLE / "planted_faults"
ROW = re.compile(r"^\| (?P<fault>.+) \| (?P<file>[\w.]+):(?P<line>\d+) \| `(?P<code>[a-z-]+)` \|$", re.MULTILINE)
TABLE = [found.groupdict() for found in ROW.finditer((FAULTS / "README.md").read_text(encoding="utf-8"))]


def test_data_health_finds_every_planted_fault_and_no_other() -> None:
    files = [part for name in ("catalogue.run", "meaning.csv", "rules.csv") for part in ("--run", str(FAULTS / name))]
    files += ["--qrels", str(FAULTS / "qrels.csv"), "--queries", str(FAULTS / "queries.csv")]
    done = CliRunner().invoke(ranklens, ["check", *files, "--format", "json"])
    assert done.exit_code == 0, done.output
    found = {notice["code"] for notice in json.loads(done.stdout)["notices"]}
    assert found == {row["code"] for row in TABLE}
    assert len(TABLE) == len(found) == 35


def test_every_line_that_the_table_points_to_shows_the_fault() -> None:
    shown = {row["code"]: line_of(row["file"], int(row["line"])) for row in TABLE}
    expected = {
        "id-mismatch": "L01,book:b-101|book:b-103",
        "undefined-queries": "L11,1,b-145,0,south",
        "conflicting-judgments": "L04,1,b-116,0,north",
        "duplicate-documents": "L03 Q0 b-112 3 12.2 keyword",
        "near-ties": "L05 Q0 b-124 2 16.00000001 keyword",
        "own-id-retrieved": "L02 Q0 L02 1 22.5 keyword",
        "outlier-grade": "L05,1,b-122,33,north",
        "negative-grades": "L03,1,b-115,-1,north",
        "fractional-grades": "L02,1,b-110,0.5,north",
        "few-judgments": "L09,1,b-141,1,south",
        "infinite-scores": "L06 Q0 b-128 1 inf keyword",
        "second-column": "L06,2,b-126,0,south",
        "unrated-queries": "L13,,,,",
        "id-damage": "L07,1,1.34E+11,1,south",
        "id-variants": "L02,1,B-107,1,north",
        "several-runs": "L01 Q0 b-101 1 1.0 popular",
        "metadata-gaps": "L10,donate old books,website,",
        "metadata-repeated": "L03,how long may I keep a comic,lending,child",
        "empty-document-list": "L10,",
    }
    assert expected.items() <= shown.items()


def line_of(name: str, line: int) -> str:
    """One physical line of a file, counted from 1."""
    encoding = "utf-16" if name == "queries.csv" else "utf-8"
    return (FAULTS / name).read_text(encoding=encoding).splitlines()[line - 1]
