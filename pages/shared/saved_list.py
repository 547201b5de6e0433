"""The lists of saved comparisons: one's own, those for everyone, and for those who run the server all of them."""

from collections.abc import Sequence

import streamlit as st

from core import saved
from core.errors import InputError
from core.saved import Listed
from pages.shared import audit, deleting, identity, saved_links, saved_opening, saved_words, saving
from pages.shared.text import count, plain, quiet

MANY = 20


def draw() -> None:
    """Draw the lists that this visitor has; nothing where the server lists nothing."""
    mode = identity.mode()
    if mode == "link":
        return
    try:
        mine = _mine()
        shared = _others("everyone", mine) if mode == "sign-in" else []
        rest = _others("all", [*mine, *shared]) if identity.visitor().admin else []
    except InputError as error:
        st.header("My saved comparisons", anchor=False)
        deleting.said(error)
        return
    _list("My saved comparisons", mine, "mine", _nothing(mode))
    if mode == "sign-in":
        _list(
            "Shared with everyone",
            shared,
            "everyone",
            "Nobody has shared a comparison with everyone who signs in here.",
        )
    if rest:
        _list("All others on this server", rest, "all", "")


def _mine() -> list[Listed]:
    """What is this visitor's: everything on a machine of one's own, else what carries their name, and what this visit saved."""
    owns_all = identity.mode() == "own"
    found = saved_links.listed("all") if owns_all else saved_links.listed("mine", identity.visitor().owner)
    known = {line.id for line in found}
    made = [link.saved for link in saving.here().values() if link.saved.id not in known]
    new = [
        Listed(each.id, each.title, each.created, each.expires, each.owner, each.access, each.bytes, each.page)
        for each in made
        if saved_links.looked_up(saving.here()[each.id].token).found is not None
    ]
    return sorted([*found, *new], key=lambda line: line.created, reverse=True)


def _others(whose: saved_links.Whose, mine: Sequence[Listed]) -> list[Listed]:
    known = {line.id for line in mine}
    return [line for line in saved_links.listed(whose) if line.id not in known]


def _nothing(mode: str) -> str:
    kept = "in the store of this machine" if mode == "own" else "here"
    return f"Nothing is saved {kept} yet. What you save under a link is listed {'' if mode == 'own' else 'for you '}until it expires."


def _list(title: str, lines: Sequence[Listed], key: str, nothing: str) -> None:
    st.header(title, anchor=False)
    if not lines:
        quiet(nothing)
        return
    pages = -(-len(lines) // MANY)
    at = st.pagination(pages, key=f"listed_{key}") if pages > 1 else 1
    for line in lines[(at - 1) * MANY : at * MANY]:
        _line(line, key)
    quiet(f"{count(len(lines), 'saved comparison')} · {saved_words.size(sum(line.bytes for line in lines))}")


def _line(line: Listed, whose: str) -> None:
    """One saved comparison: what it is, and what this visitor may do with it."""
    here = saving.here().get(line.id)
    with st.container(border=True):
        left, right = st.columns([3, 2], gap="small", vertical_alignment="center")
        facts = [
            f"saved on {saved_words.moment(line.created)}",
            saved_words.until(line.expires),
            saved_words.size(line.bytes),
        ]
        facts += [saved_words.who(line.access).lower()] if identity.mode() != "own" or line.access != "link" else []
        facts += [f"by {saved_words.named(line.owner) or 'a visitor'}"] if whose != "mine" else []
        left.markdown(f"**{plain(line.title)}**  \n:small[:gray[{plain(' · '.join(facts), 400)}]]")
        with right, st.container(horizontal=True, gap="small", horizontal_alignment="right"):
            if (here or identity.may("open", line)) and st.button(
                "Open", key=f"open_{line.id}", icon=":material/open_in_new:"
            ):
                saved_opening.open_one(here.token if here else line.id, line.page)
            if identity.may("link", line) and st.button("New link", key=f"link_{line.id}", icon=":material/add_link:"):
                _new_link(line)
            if (here or identity.may("delete", line)) and st.button(
                "Delete", key=f"delete_{line.id}", icon=":material/delete:"
            ):
                deleting.confirm(line, own=bool(here))


def _new_link(line: Listed) -> None:
    try:
        made = saved.new_link(saved_links.store(), line.id)
    except InputError as error:
        audit.record("new link", "failed", saved=line.id)
        deleting.said(error)
        return
    audit.record("new link", saved=line.id)
    _shown(made)


@st.dialog("A new link", width="large")
def _shown(made: saved.Link) -> None:
    st.markdown(f"**{plain(made.saved.title)}**")
    saving.draw_link(made, key="new")
    quiet("Links that were given away before still open it.")
