"""Isolation: two people with files of the same names, sizes and times see each their own numbers (R&S T8)."""

import os
from dataclasses import replace

from streamlit.testing.v1 import AppTest

from pages.shared.shelf import shelf
from tests.pages.dashboard import PATIENCE, whole

SESSIONS = 200 if os.environ.get("RANKLENS_LONG") == "1" else 10
# One relevant document, first or second: 1, or 1/log2(3).
MEANS = ("1.000", "0.631")


def files(pair: int, second: int) -> dict[str, str]:
    """Judgments and a run of the same length for both of a pair."""
    docs = [f"d{pair:03}a", f"d{pair:03}b"]
    qrels = f"q1 0 {docs[0]} 1\nq1 0 {docs[1]} 0\n"
    ranked = docs[::-1] if second else docs
    return {"qrels.txt": qrels, "same.run": f"q1 Q0 {ranked[0]} 1 2.5 same\nq1 Q0 {ranked[1]} 2 1.5 same\n"}


# What every page does first, and the number that it is about.
PAGE = """
import streamlit as st
from core.model.measure import Measure
from core.scoring.scores import mean
from pages.shared import loading

comparison = loading.comparison()
(name,) = comparison.names
st.text(f"{name} {mean(comparison.counted(name, Measure('nDCG', 10), None)):.3f}")
"""


def kept(brought: dict[str, str]) -> str:
    """The token of a set of files of one time, which are read without a child, so that many can be."""
    shelved = [replace(shelf().keep(name, text.encode()), ours=True) for name, text in brought.items()]
    for file in shelved:
        os.utime(file.path, (1_700_000_000, 1_700_000_000))
    return shelf().put(tuple(shelved))


def shown(token: str) -> AppTest:
    """The page of somebody with a set of files."""
    page = AppTest.from_string(PAGE, default_timeout=PATIENCE)
    page.query_params["d"] = token
    page.run()
    whole(page)
    return page


def test_people_whose_files_look_alike_see_each_their_own_numbers() -> None:
    for pair in range(SESSIONS // 2):
        brought = [files(pair, second) for second in (0, 1)]
        sizes = [{name: len(text) for name, text in each.items()} for each in brought]
        assert sizes[0] == sizes[1]
        tokens = [kept(each) for each in brought]
        people = [shown(token) for token in tokens]
        people[0].run()
        assert [person.text[0].value for person in people] == [f"same {mean}" for mean in MEANS]
