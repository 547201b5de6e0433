"""The Queries page: the list with its filters, one query taken apart, and every state they can be in."""

import pytest

from pages.shared.queries_notes import MOST_NOTES, Note, Notebook
from tests.pages.dashboard import button, frame, in_order, opened, qrels_text, run_text, said, token_of

NEVER = {"n1": 0, "n2": 0, "n3": 0, "n4": 0}
QRELS = {
    "seed": {"d1": 3, "d2": 1, "d3": 0, "d4": 2, "d5": 3},
    "fine": {"a": 1} | NEVER,
    "order": {"a": 1} | NEVER,
    "nothing": {"a": 1} | NEVER,
    "gone": {"a": 1} | NEVER,
    "empty": NEVER,
}
BASE = {
    "seed": ["d1", "d2", "d3", "d4"],
    "fine": ["a", "n1"],
    "order": ["a", "n1", "n2", "n3"],
    "nothing": ["n1", "n2", "n3", "n4"],
    "gone": ["a"],
    "empty": ["n1"],
}
NEW = BASE | {"order": ["n1", "n2", "n3", "a"], "gone": [], "seed": ["d5", "d1", "x", "d4"]}
QUERIES = "query_id,text,intent\nseed,seed example,look\nfine,all is well,look\norder,wrong way round,buy\nnothing,<b>*markup* [x](y),buy\n"
DOCUMENTS = "doc_id,title,text,source\nd1,First document,A text of some length,wiki\nd4,Fourth,More text,mail\nn1,Noise,Nothing,wiki\n"


def two_runs(**more: str) -> str:
    files = {"qrels.txt": qrels_text(QRELS)} | {
        f"{name}.run": run_text(name, in_order(run)) for name, run in (("base", BASE), ("new", NEW))
    }
    return token_of(files | {name.replace("_", "."): text for name, text in more.items()})


@pytest.fixture(scope="module")
def token() -> str:
    return two_runs(queries_csv=QUERIES, documents_csv=DOCUMENTS)


def test_the_title_names_what_most_often_goes_wrong(token: str) -> None:
    at = opened("queries", token, k="5")
    title = at.title[0].value.replace("\\", "")
    assert title.startswith("new ")
    assert title.endswith("of 6 queries")


def test_the_list_holds_the_worst_first_and_undefined_queries_apart(token: str) -> None:
    at = opened("queries", token, k="5")
    rows = frame(at, "Queries of new")
    assert rows["query"].tolist() == ["gone", "nothing", "order", "seed", "fine"]
    assert frame(at, "Undefined queries")["query"].tolist() == ["empty"]
    assert rows["cause"].tolist()[:3] == ["Missing", "Nothing relevant returned", "Right documents, wrong order"]
    assert rows["marks"].tolist()[0] == ["Missing"]


@pytest.mark.parametrize(
    ("parameters", "queries"),
    [
        ({"sort": "Deepest fall"}, ["gone", "order", "fine", "nothing", "seed"]),
        ({"sort": "Most disagreement"}, ["gone", "order", "seed", "fine", "nothing"]),
        ({"sort": "Most lost gain"}, ["gone", "nothing", "seed", "order", "fine"]),
        ({"find": "WRONG way"}, ["order"]),
        ({"find": "*markup*"}, ["nothing"]),
        ({"cause": ["Near ideal"]}, ["fine"]),
        ({"cause": ["Missing", "Near ideal"]}, ["gone", "fine"]),
        ({"mark": ["Missing"]}, ["gone"]),
        ({"mark": ["Undefined"]}, ["empty"]),
        ({"slice": "intent", "in": ["buy"]}, ["nothing", "order"]),
        ({"of": "base"}, ["nothing", "seed", "fine", "gone", "order"]),
    ],
)
def test_order_and_filters_come_from_the_address(token: str, parameters: dict[str, str], queries: list[str]) -> None:
    at = opened("queries", token, k="5", **parameters)
    rows = frame(at, "Queries of")
    found = rows["query"].tolist()
    if parameters.get("sort"):
        assert found[0] == queries[0]
        assert sorted(found) == sorted(queries)
    else:
        assert found == queries


def test_filters_that_leave_nothing_say_so(token: str) -> None:
    assert "No query is left by these filters." in said(opened("queries", token, find="no such words"))


def test_a_link_opens_one_query_with_the_arithmetic_of_both_gains() -> None:
    files = {
        "qrels.txt": qrels_text({"seed": QRELS["seed"]}),
        "base.run": run_text("base", in_order({"seed": BASE["seed"]})),
    }
    at = opened("queries", token_of(files), q="seed", k="5")
    text = said(at)
    assert "DCG 3/1.000 + 1/1.585 + 2/2.322 = 4.492" in text
    assert "DCG 7/1.000 + 1/1.585 + 3/2.322 = 8.923" in text
    # Five documents are judged and the fifth gains nothing: the ideal of k = 5 is that of k = 4.
    assert "4.492 / 6.323 = 0.710" in text
    assert "8.923 / 13.347 = 0.669" in text
    scores = frame(at, "Each run's score")
    assert round(scores["ndcg0"][0], 3) == 0.710
    assert round(scores["ndcg1"][0], 3) == 0.669
    ranks = frame(at, "Every rank of base")
    assert ranks["dcg"].tolist()[-1] == scores["dcg0"][0]
    lacking = frame(at, "Relevant documents that base")
    assert lacking["doc_id"].tolist() == ["d5"]


def test_the_seed_example_stands_in_the_help(token: str) -> None:
    text = said(opened("queries", token, q="seed"))
    assert "4.492 / 6.323 = **0.710**" in text
    assert "8.923 / 13.347 = **0.669**" in text


def test_rankings_stand_beside_the_ideal_one_with_titles_and_grades(token: str) -> None:
    at = opened("queries", token, q="seed", k="5")
    side = frame(at, "The top 4 of the ideal")
    assert side["doc0"].tolist() == ["First document", "d5", "Fourth", "d2"]
    assert side["grade0"].tolist()[0] == ["3"]
    assert side["doc1"].tolist()[0] == "First document"
    assert side["grade2"].tolist()[2] == ["unjudged"]
    assert "No single document moved to rank 1 would raise the nDCG@5 of new." in said(at)
    fixes = frame(opened("queries", token, q="seed", k="5", of="base"), "What moving one document")
    assert fixes["doc_id"].tolist() == ["d5"]


def test_next_previous_and_back_follow_the_list_that_was_filtered(token: str) -> None:
    at = opened("queries", token, k="5", slice="intent", **{"in": ["buy"]})
    button(at, "Open the first").click().run()
    assert at.text_input(key="q").value == "nothing"
    assert "1 of 2" in said(at)
    assert button(at, "Previous").disabled
    button(at, "Next").click().run()
    assert at.text_input(key="q").value == "order"
    assert button(at, "Next").disabled
    button(at, "All queries").click().run()
    assert at.text_input(key="q").value == ""
    assert frame(at, "Queries of new")["query"].tolist() == ["nothing", "order"]


def test_a_query_outside_the_list_leads_to_the_first_of_it(token: str) -> None:
    at = opened("queries", token, q="fine", find="wrong way")
    assert "not among the 1 of the list" in said(at)
    button(at, "Next").click().run()
    assert at.text_input(key="q").value == "order"


def test_a_query_that_is_not_judged_says_so_and_leads_back(token: str) -> None:
    at = opened("queries", token, q="*nobody*")
    assert at.title[0].value == "This query is not judged"
    assert '"*nobody*" is not among the 6 judged queries.' in said(at)
    button(at, "All queries").click().run()
    assert "does not answer" in at.title[0].value


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("gone", "gone: new does not answer it"),
        ("empty", "empty: undefined, no document is relevant"),
        ("nothing", "<b>*markup* [x](y): new scores 0.000, as much as base"),
        ("order", "wrong way round: new scores 0.431, 0.569 less than base"),
    ],
)
def test_every_state_of_a_query_has_its_title(token: str, query: str, said: str) -> None:
    at = opened("queries", token, q=query, k="5")
    assert at.title[0].value.replace("\\", "") == said


def test_markup_in_a_query_is_shown_as_text(token: str) -> None:
    at = opened("queries", token, q="nothing")
    assert "\\<b\\>\\*markup\\* \\[x\\]\\(y\\)" in at.title[0].value


def test_one_run_without_any_metadata_has_a_page_of_its_own() -> None:
    files = {"qrels.txt": qrels_text(QRELS), "base.run": run_text("base", in_order(BASE))}
    token = token_of(files)
    at = opened("queries", token)
    rows = frame(at, "Queries of base")
    assert "difference" not in rows.columns
    assert "text" not in rows.columns
    assert "What would fix it" in said(opened("queries", token, q="nothing"))


def test_a_run_whose_scores_are_all_tied_says_which_ranks_are() -> None:
    ties = {query: [1.0] * len(documents) for query, documents in BASE.items()}
    files = {"qrels.txt": qrels_text(QRELS), "base.run": run_text("base", in_order(BASE, ties))}
    at = opened("queries", token_of(files), q="seed", k="5")
    assert frame(at, "Every rank of base")["grade"].tolist()[0][1] == "tied 1–4"
    assert "Tied" in frame(at, "Each run's score")["marks"].tolist()[0]


def test_notes_and_tags_are_kept_with_the_files_and_filter_the_list() -> None:
    token = two_runs(queries_csv=QUERIES)
    at = opened("queries", token, q="order")
    at.text_area(key="_text_order").set_value("check the *index*")
    button(at, "Keep").click().run()
    assert at.text_area(key="_text_order").value == "check the *index*"
    assert opened("queries", token, q="order").text_area(key="_text_order").value == "check the *index*"
    other = opened("queries", two_runs(queries_csv=QUERIES), q="order")
    assert other.text_area(key="_text_order").value == ""


def test_a_notebook_forgets_empty_notes_and_carries_them_to_a_changed_set() -> None:
    book = Notebook()
    book.write("one", "q1", Note("text", ("tag",)))
    book.carry("one", "two")
    book.write("one", "q1", Note())
    assert book.of("one") == {}
    assert book.of("two") == {"q1": Note("text", ("tag",))}
    book.write("two", "q2", Note("other"))
    book.carry("one", "two")
    assert set(book.of("two")) == {"q1", "q2"}
    for at in range(MOST_NOTES + 5):
        book.write("full", f"q{at}", Note("x"))
    assert len(book.of("full")) == MOST_NOTES


def test_without_a_comparison_the_page_says_what_it_will_answer() -> None:
    assert "Which queries fail, and why?" in said(opened("queries"))


def test_more_than_a_thousand_queries_are_cut_and_search_reads_all() -> None:
    many = {f"q{at:05}": {"a": 1} for at in range(1200)}
    files = {"qrels.txt": qrels_text(many), "base.run": run_text("base", in_order({query: ["x"] for query in many}))}
    token = token_of(files)
    at = opened("queries", token)
    assert len(frame(at, "Queries of base")) == 1000
    assert "1,200 queries. The first 1,000 are shown; search reads all." in said(at)
    assert frame(opened("queries", token, find="q01199"), "Queries of base")["query"].tolist() == ["q01199"]
