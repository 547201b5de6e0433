"""The frame: every page stands alone as the first request of a visitor, whatever the address says."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import navigation
from tests.conftest import REPOSITORY
from tests.pages.dashboard import FILES, PAGES, button, opened, said, sent, title, token_of, unescaped, whole

NONSENSE: dict[str, dict[str, str | list[str]]] = {
    "k of 0": {"k": "0"},
    "k below 0": {"k": "-1"},
    "k that is no number": {"k": "x"},
    "k beyond all": {"k": "1000000000"},
    "an unknown gain": {"gain": "zzz"},
    "an unknown baseline": {"base": "unknown"},
    "unknown runs": {"runs": ["unknown", "<b>"]},
    "an unknown slice": {"slice": "unknown", "in": "x"},
    "an unknown group": {"slice": "intent", "in": "unknown"},
    "a group without a slice": {"in": "buy"},
    "a slice crossed with itself": {"slice": "intent × intent", "in": "buy"},
    "unknown conventions": {"missing": "maybe", "undefined": "?", "order": "x", "conflicts": "x", "own": "x"},
    "a level of 0": {"level": "0"},
    "a level that is no number": {"level": "x"},
    "a level beyond all": {"level": "99999999999999999999"},
    "a level without an end": {"level": "1e999"},
    "an unknown query": {"q": "nobody judged this", "of": "unknown"},
    "an unknown way to cut": {"by": "unknown"},
    "empty values": {"k": "", "gain": "", "base": "", "runs": "", "slice": "", "in": "", "q": "", "level": ""},
    "parameters of nobody": {"utm_source": "x", "__proto__": "y"},
}
MARKS = "*evil* <evil> $evil$ [evil](evil) :red[evil] `evil` _evil_ ~evil~ |evil| #evil"
RAW = re.compile(r"(?<!\\)(?:\*evil|<evil|\$evil|\[evil|:red\[|`evil|(?<= )_evil|~evil|\|evil|#evil)")
# Places where a browser shows text as text: options and values of boxes, cells and heads of grids, chart data, words for screen readers.
AS_TEXT = {
    ("Selectbox", ".options"), ("Selectbox", ".raw_value"), ("MultiSelect", ".options"), ("MultiSelect", ".raw_values"), ("Code", ".code_text"),
    ("Dataframe", ".alt"), ("Dataframe", ".columns"), ("VegaLiteChart", ".spec"), ("VegaLiteChart", ".alt"), ("Text", ".body"),
    ("TextInput", ".default"), ("TextInput", ".value"), ("TextArea", ".default"), ("TextArea", ".value"),
}  # fmt: skip


# Trends reads recorded series and needs no files; Share lists what was saved.
OF_FILES = [page for page in PAGES if page != "trends"]


@pytest.fixture(scope="module")
def token() -> str:
    return token_of(FILES)


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page() -> None:
    in_navigation = {
        value for name, value in vars(navigation).items() if name.isupper() and str(value).startswith("pages/")
    }
    assert in_navigation == {f"pages/{page}.py" for page in PAGES}
    assert all((REPOSITORY / page).is_file() for page in in_navigation)


@pytest.mark.parametrize("page", OF_FILES)
def test_a_page_without_files_says_what_it_will_answer_and_leads_to_the_data_page(page: str) -> None:
    at = opened(page)
    assert title(at)
    if page != "data":
        assert [link.proto.label for link in at.get("page_link")] == ["Go to Data"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_files_works_as_the_first_request(page: str, token: str) -> None:
    at = opened(page, d=token)
    assert title(at)
    assert at.get("page_link") == []
    assert {each.label for each in at.sidebar.selectbox} >= {"Baseline", "Slice"}


@pytest.mark.parametrize("page", OF_FILES)
def test_a_page_whose_files_are_gone_says_so(page: str) -> None:
    at = opened(page, d="nonsense")
    assert title(at) == "This link opens nothing here"
    assert "Files that were brought without saving them stay for twelve hours at most: bring them again." in said(at)


@pytest.mark.parametrize("gone", ["../../etc/passwd", "\0", "x" * 5000, "sample/../sample"])
def test_no_token_reaches_anything_but_a_set_of_files(gone: str) -> None:
    assert title(opened("overview", d=gone)) == "This link opens nothing here"


@pytest.mark.parametrize("page", PAGES)
def test_nonsense_in_every_parameter_at_once_breaks_no_page(page: str, token: str) -> None:
    every = {name: value for case in NONSENSE.values() for name, value in case.items()}
    assert title(opened(page, d=token, **every))


@pytest.mark.parametrize("case", NONSENSE)
def test_nonsense_in_the_address_means_the_default(case: str, token: str) -> None:
    usual, asked = opened("overview", d=token), opened("overview", d=token, **NONSENSE[case])
    assert title(asked) == title(usual)
    assert [(each.label, each.value) for each in asked.metric] == [(each.label, each.value) for each in usual.metric]


def test_a_deep_link_sets_what_the_sidebar_shows_and_what_the_page_counts(token: str) -> None:
    at = opened("overview", d=token, k="1", gain="Exponential", base="dense", runs=["dense"], level="3")
    # Nothing is left to hold against dense: d5 (grade 3, the best there is) stands first for q1, d6 for q2, and nothing scores for q3 and q4.
    assert title(at) == f"dense scores {(1 + 1 + 0 + 0) / 4:.3f} nDCG(dcg='exp-log2')@1"
    assert unescaped(at.metric[0].label) == "nDCG(dcg='exp-log2')@1 of dense"
    assert next(each for each in at.sidebar.selectbox if each.label == "Baseline").value == "dense"
    assert at.sidebar.number_input[0].value == 3


@pytest.mark.parametrize("page", PAGES)
def test_a_page_works_where_only_the_baseline_is_shown(page: str, token: str) -> None:
    assert title(opened(page, d=token, base="dense", runs=["dense"]))


def test_a_slice_in_the_address_filters_every_page_and_is_said(token: str) -> None:
    for page in sorted({"overview", "queries"} & set(PAGES)):
        at = opened(page, d=token, slice="intent", **{"in": "buy"})
        assert "intent: buy" in said(at), page
        assert "2 queries" in said(at), page
    button(at, "Show all queries").click().run()
    whole(at)
    assert "intent: buy" not in said(at)


def test_what_is_chosen_stays_when_the_page_changes(token: str) -> None:
    at = opened("overview", d=token)
    next(each for each in at.sidebar.selectbox if each.label == "Baseline").set_value("dense").run()
    before = [(each.label, each.value) for each in at.metric]
    for page in [page for page in PAGES if page != "overview"] + ["overview"]:
        at.switch_page(f"pages/{page}.py").run()
        whole(at)
        assert next(each for each in at.sidebar.selectbox if each.label == "Baseline").value == "dense", page
    assert [(each.label, each.value) for each in at.metric] == before
    assert before[0][0].endswith("of bm25")


def test_the_address_keeps_the_files_when_the_page_changes(token: str) -> None:
    at = opened("overview", d=token)
    del at.query_params["d"]
    at.switch_page("pages/data.py").run()
    whole(at)
    assert at.query_params["d"] in (token, [token])
    assert "ready to compare" in title(at)


@pytest.fixture(scope="module")
def marked() -> str:
    """A set of files whose names, ids, texts, labels and columns are full of Markdown, HTML and LaTeX."""
    header = f"query_id\tdoc_id\t{'relevance'}\n"
    qrels = header + f"{MARKS}\td1\t2\n{MARKS}\t{MARKS}\t1\nq2\td3\t1\nq3\td3\t0\nq4\td1\t2000\n"
    run = f"query_id\tdoc_id\tscore\n{MARKS}\t{MARKS}\t9.5\n{MARKS}\td1\t8.5\nq2\t{MARKS}\t8.5\nq2\td3\t8.5\nq4\tx\t0.5\n{MARKS}x\td1\t1\n"
    queries = f"query_id\ttext\t{MARKS}\n{MARKS}\t{MARKS}\t{MARKS}\nq2\tx\tother\nq4\tx\tother\n"
    documents = f"doc_id\ttitle\ttext\n{MARKS}\t{MARKS}\t{MARKS}\nd1\tx\ty\n"
    better = run.replace("\t9.5", "\t3.5")
    return token_of({
        f"{MARKS}.tsv": qrels, f"a {MARKS}.run": run, f"b {MARKS}.run": better, f"q {MARKS}.tsv": queries, f"d {MARKS}.tsv": documents,
    })  # fmt: skip


def obeyed(at: AppTest) -> list[tuple[str, str, str]]:
    """What a page sends with marks from a file that are not escaped, to places where they would be obeyed."""
    return [
        (kind, place, text[:160])
        for kind, place, text in sent(at)
        if (kind, place) not in AS_TEXT
        and not place.endswith((".form_id", ".id", ".user_key", ".key"))
        and RAW.search(text)
    ]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("address", [{}, {"slice": MARKS, "in": MARKS}, {"q": MARKS}], ids=["all", "slice", "query"])
def test_marks_in_files_are_shown_and_never_obeyed(page: str, address: dict[str, str], marked: str) -> None:
    at = opened(page, d=marked, k="5", **address)
    assert "2 runs" in said(at)
    assert obeyed(at) == []


def test_broken_files_show_their_marks_too() -> None:
    at = opened(
        "data", {f"{MARKS}.qrels": f"q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq1 0 d4 1\nq1 0 d5 {MARKS.replace(' ', '')}\n"}
    )
    assert "*evil*<evil>$evil$" in unescaped(at.error[0].value)
    assert obeyed(at) == []
