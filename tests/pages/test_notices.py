"""Notices on the page: the sentence, the effect, the examples, and a repair that waits to be asked for."""

from streamlit.testing.v1 import AppTest

from tests.pages.dashboard import said, unescaped, whole


def drawn() -> None:
    from core.notices import Effect, Notice
    from pages.shared import notices

    notices.draw([
        Notice("id-mismatch", "warning", "dense", "The ids hardly meet.", 3, ("#1", "#2"), offered=("run:document:prefix=x#",)),
        Notice("ties", "warning", "bm25", "bm25 has *equal* scores.", 12, ("q1", "q2"), Effect("nDCG@10", (("low", 0.3269), ("high", 0.3304)))),
        Notice("ties", "warning", "dense", "dense has equal scores.", 1, ("q3",), Effect("nDCG@10", (("low", None), ("high", 1.0)))),
        Notice("comments", "info", "bm25.run", "2 comment lines were passed over.", 2),
    ])  # fmt: skip


def page() -> AppTest:
    at = AppTest.from_function(drawn)
    at.run()
    whole(at)
    return at


def test_notices_of_one_kind_stand_together_under_its_name() -> None:
    text = said(page())
    for heading in ("Ids do not meet", "Tied scores", "Comment lines"):
        assert text.count(heading) == 1, heading
    assert text.index("Ids do not meet") < text.index("Tied scores") < text.index("Comment lines")


def test_a_notice_says_its_sentence_as_text_with_both_means() -> None:
    bodies = [each.value for each in page().markdown]
    ties = next(body for body in bodies if "bm25 has" in body)
    assert "\\*equal\\*" in ties
    assert "lowest **0.327** · highest **0.330**" in ties
    assert "lowest **–** · highest **1.000**" in next(body for body in bodies if "dense has" in body)


def test_examples_are_named_and_the_others_counted() -> None:
    text = said(page())
    assert "bm25: q1, q2 and 10 more" in text
    assert "dense: #1, #2 and 1 more" in text
    assert "dense: q3" in text
    assert "q3 and" not in text


def test_a_repair_is_a_button_that_says_what_it_would_do() -> None:
    labels = [unescaped(each.label) for each in page().button]
    assert labels == ['Repair by taking "x#" off the front of the document ids of the run']
