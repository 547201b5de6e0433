"""Saving: a comparison kept in the store under a link, from a form, and what came of it."""

import hashlib
import os

import streamlit as st

from core import saved
from core.errors import InputError, Problem
from core.exports.scope import Scope
from core.model.limits import HOSTED
from core.saved import DAYS, Access, Link
from core.saved.saving import LONGEST_TITLE, MOST_DAYS
from pages.shared import (
    audit,
    identity,
    queries_notes,
    saved_facts,
    saved_links,
    saved_opening,
    saved_view,
    saved_words,
)
from pages.shared.copy_link import copied
from pages.shared.deleting import said
from pages.shared.limits import limits
from pages.shared.navigation import shown_pages
from pages.shared.share_show import offer
from pages.shared.text import count, plain, quiet

EXPIRES, NEVER = "RANKLENS_EXPIRES", "never"
PERIODS: dict[int | None, str] = {7: "In 7 days", 30: "In 30 days", 90: "In 90 days", 365: "In a year", None: "Never"}
_LAST, _HERE, _ROUND = "_saved_last", "_saved_here", "_saved_round"


def draw(scope: Scope) -> None:
    """The first row of the page: the form, and beside it the link that was made last, or what a link will hold."""
    st.header("Save it under a link", anchor=False)
    left, right = st.columns(2, gap="small")
    with left:
        _form(scope)
    with right:
        _result()


def _form(scope: Scope) -> None:
    with offer(
        "A link for others", "It brings data and screen back in any browser, also after a restart of this server."
    ):
        try:
            periods, usual = _periods()
        except InputError as error:
            said(error)
            return
        finding = scope.finding.title[:LONGEST_TITLE]
        # A title of another finding must not stay when the view changes; nor does a second click on Save save twice.
        view, turn = hashlib.sha256(finding.encode()).hexdigest()[:12], st.session_state.get(_ROUND, 0)
        with st.form(f"save_{turn}", border=False):
            title = st.text_input(
                "Title", finding, max_chars=LONGEST_TITLE, key=f"save_title_{turn}_{view}",
                help="What the list and the page of the link call it. Everyone who opens the link reads it.",
            )  # fmt: skip
            first, second = st.columns(2, gap="small")
            days = first.selectbox(
                "Expires", list(periods), index=list(periods).index(usual), format_func=periods.__getitem__,
                key=f"save_days_{turn}", help="After that the link is dead, and what it held is taken off this server.",
            )  # fmt: skip
            page = second.selectbox(
                "Opens on", list(_pages()), index=list(_pages()).index(saved_opening.place()[0]), key=f"save_page_{turn}",
                format_func=_pages().__getitem__, help="The page that was looked at last, as it was left.",
            )  # fmt: skip
            access = _who(turn)
            pressed = st.form_submit_button("Save", icon=":material/link:", key=f"save_{turn}_now")
        if pressed and page is not None:
            _save(scope, title, days, page, access)


def _who(turn: int) -> Access:
    """Who may open it: asked where it makes a difference. Nobody could open what is private to a browser that is not known again."""
    known = identity.visitor().owner is not None
    choices = [access for access in identity.offered() if known or access != "private"]
    if identity.mode() == "own" or len(choices) < 2:
        return choices[0] if choices else "link"
    picked = st.radio(
        "Who may open it", choices, format_func=saved_words.who, key=f"save_who_{turn}",
        help="It can be deleted by whoever saved it, and by whoever has its delete link.",
    )  # fmt: skip
    return picked or choices[0]


def _pages() -> dict[str, str]:
    return {each.url_path or "data": each.title for each in shown_pages()}


def _periods() -> tuple[dict[int | None, str], int | None]:
    """After how long it may expire, and the usual choice. For ever is for a person's own machine, or where the host says so.

    Raises InputError where RANKLENS_EXPIRES is neither a number of days nor `never`.
    """
    told = os.environ.get(EXPIRES, "").strip().lower() or str(DAYS)
    if told != NEVER and not (told.isascii() and told.isdigit() and len(told) < 9 and 1 <= int(told) <= MOST_DAYS):
        raise InputError(
            Problem(EXPIRES, None, f'"{told[:40]}" in {EXPIRES} is not a number of days', "Such as 90, or never")
        )
    usual = None if told == NEVER else int(told)
    found: dict[int | None, str] = PERIODS if usual in PERIODS else {usual: f"In {count(usual or 1, 'day')}", **PERIODS}
    if usual is not None and limits() is HOSTED:
        found = {days: text for days, text in found.items() if days is not None}
    return found, usual


def _save(scope: Scope, title: str, days: int | None, page: str, access: Access) -> None:
    """Save, and keep the link in this visit: its token is nowhere else."""
    last, asked = saved_opening.place()
    view = {**saved_view.now(), **({saved_opening.PLACE: asked} if asked and page == last else {})}
    with st.spinner("Saving judgments, runs and texts …", show_time=True):
        try:
            made = saved.save(
                saved_links.store(), scope.comparison, title=title, view=view, page=page, notes=queries_notes.told(),
                owner=identity.visitor().owner, access=access, days=days, measure=scope.measure, limits=limits(),
            )  # fmt: skip
        except InputError as error:
            audit.record("save", "failed")
            said(error)
            return
        # Before anything is drawn: a second click ends this run at the next thing that is.
        keep(made)
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
        audit.record("save", saved=made.saved.id)
    st.rerun()


def keep(made: Link) -> None:
    """Remember a link for this visit, to be shown."""
    st.session_state[_LAST] = made
    st.session_state[_HERE] = {**here(), made.saved.id: made}
    saved_links.forget()


def here() -> dict[str, Link]:
    """What was saved in this visit, by its id."""
    found: dict[str, Link] = st.session_state.get(_HERE, {})
    return found


def _result() -> None:
    made: Link | None = st.session_state.get(_LAST)
    if made is None or saved_links.looked_up(made.token).found is None:
        _before()
    else:
        with st.container(border=True, height="stretch"):
            st.markdown(f"### Saved: {plain(made.saved.title)}")
            draw_link(made, key="saved")
            with st.expander("What it holds", icon=":material/inventory_2:"):
                saved_facts.held(made.saved)


def _before() -> None:
    with st.container(border=True, height="stretch"):
        st.markdown("### What a link holds")
        st.markdown(
            "- Judgments, runs, and what is known of queries and documents, texts too: as they were read, with the digests of your files.\n"
            "- The view that the sidebar asks for, and the page that it opens on.\n"
            "- Notes and tags. Whoever opens the link has a copy of them, and changes nobody else's.\n"
            "- The same numbers to the last digit, with any later version of Ranklens."
        )
        quiet("Every link comes with a second one that deletes. Neither can be guessed, and this server keeps neither.")


def draw_link(made: Link, *, key: str) -> None:
    """A link and the link that deletes, to be copied now."""
    copied("Copy link", saved_words.link(made.token), key=f"copy_{key}")
    who = saved_words.who(made.saved.access)
    facts = " · ".join((who, saved_words.until(made.saved.expires), saved_words.size(made.saved.bytes)))
    st.markdown(f"{plain(facts)}.")
    st.markdown("The link that deletes it:")
    copied("Copy delete link", saved_words.delete_link(made.delete_token), key=f"copy_{key}_delete")
    quiet(
        "Copy both now: they are shown in this visit and kept nowhere. Whoever has the second one can delete what the first one opens."
    )
