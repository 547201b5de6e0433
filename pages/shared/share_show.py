"""What the Share page offers to show: slides, the report, pictures, a summary, the address."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import streamlit as st

from core.exports import deck as decks
from core.exports.archive import zipped
from core.exports.figures import figure, figure_names, figures
from core.exports.markdown import markdown
from core.exports.picture import picture
from core.exports.report import report as page
from core.exports.scope import Scope
from core.exports.text import file_name
from pages.shared import export_menu, saved_links, saved_opening, saved_words
from pages.shared.export_menu import MODES, Taken, brand, download
from pages.shared.files import current_token, saved_one
from pages.shared.navigation import shown_pages
from pages.shared.present import PARAMETER, presentable
from pages.shared.samples import SETS
from pages.shared.text import quiet


@contextmanager
def offer(title: str, sentence: str) -> Iterator[None]:
    """A card of the page: what it is, in a sentence, and what is drawn inside."""
    with st.container(border=True, height="stretch"):
        st.markdown(f"### {title}")
        st.markdown(sentence)
        yield


def name_of(scope: Scope) -> str:
    """What the files are called, after the finding."""
    return file_name("ranklens", scope.finding.title)


def deck(scope: Scope) -> None:
    """Slides, picked and ordered."""
    with offer(
        "Slide deck",
        "PowerPoint, 16:9: headlines, tables that can be edited, pictures with descriptions, notes for the speaker.",
    ):
        names = {label: name for name, label in decks.SLIDES.items()}
        picked = st.pills(
            "Slides", list(names), selection_mode="multi", default=list(names), key="slides", persist_state="session",
            help="Take slides out. Those that you add come last, so taking all out and picking anew gives any order.",
        )  # fmt: skip
        looks = brand()
        if picked:
            slides = [names[label] for label in picked]
            download(
                "Slide deck",
                lambda: decks.deck(scope, slides, brand=looks),
                name_of(scope),
                "pptx",
                icon=":material/slideshow:",
            )
        else:
            quiet("Pick a slide.")


def report(scope: Scope) -> None:
    """One page with everything."""
    with offer(
        "Report",
        "One page for any browser, without a network: charts to explore, tables, notices, digests of the files.",
    ):
        looks = brand()
        download("Report", lambda: page(scope, brand=looks).encode(), name_of(scope), "html", icon=":material/article:")
        quiet("It prints well: for a PDF, open it and print.")


def pictures(scope: Scope) -> None:
    """Every chart, one at a time or all of them."""
    with offer(
        "Pictures",
        "Every chart under the sentence that it shows: PNG in three sizes, SVG, PDF, light or dark, for a slide or square.",
    ):
        names = figure_names(scope)
        picked = st.selectbox(
            "Chart", list(names), format_func=names.__getitem__, key="picture", persist_state="session"
        )
        with st.container(horizontal=True, gap="small"):
            found = (
                figure(scope, picked)
                if picked and st.button("Open its menu", icon=":material/image:", key="open_picture")
                else None
            )
            if found is not None:
                footer = found.footer
                export_menu.opened(
                    Taken(found.key, found.finding, found.method, lambda: footer, found.frame, found.chart)
                )
            for mode, label in MODES.items():
                download(
                    f"All, {label.lower()}", _all_pictures(scope, mode), f"{name_of(scope)}-pictures-{mode}", "zip",
                    help_text="Every chart as a PNG of 2,560 × 1,440 pixels", icon=":material/photo_library:",
                )  # fmt: skip


def _all_pictures(scope: Scope, mode: str) -> Callable[[], bytes]:
    looks = brand()

    def make() -> bytes:
        drawn = {
            f"{at:02}-{each.key}.png": picture(
                each.chart,
                each.finding,
                each.method,
                each.footer,
                brand=looks,
                mode="dark" if mode == "dark" else "light",
            ).png(2)
            for at, each in enumerate(figures(scope), 1)
        }
        return zipped(drawn)

    return make


def summary(scope: Scope) -> None:
    """Markdown for a pull request."""
    with offer(
        "Markdown summary", "The verdict, the runs, what the mean hides: short enough for a pull request or a chat."
    ):
        text = markdown(scope)
        download("Summary", text.encode, name_of(scope), "md", icon=":material/notes:")
        with st.expander("See it, and copy it"):
            st.code(text, language=None, wrap_lines=True)


def address() -> None:
    """The address of a page of this view, and of its screen for a wall."""
    with offer("Address", "It restores the view: measure, runs, slices, conventions."):
        names = {each.url_path: each.title for each in shown_pages()}
        picked = st.selectbox(
            "Page", list(names), format_func=names.__getitem__, key="address", index=1, persist_state="session"
        )
        pairs = [(key, value) for key in st.query_params for value in st.query_params.get_all(key) if key != PARAMETER]
        token = current_token()
        pairs += [("d", token)] if token and not any(key == "d" for key, _ in pairs) else []
        saved = saved_one()
        pairs += [(saved_opening.MARK, "1")] if saved and not any(key == saved_opening.MARK for key, _ in pairs) else []
        base = saved_words.base()
        st.code(f"{base}/{picked}?{urlencode(pairs)}", language=None, wrap_lines=True)
        if presentable(str(picked or "data")):
            st.markdown("As one clean screen in large type, 1920 × 1080 (zoom out in a smaller window):")
            st.code(
                f"{base}/{picked}?{urlencode([*pairs, (PARAMETER, '1'), ('embed', 'true')])}",
                language=None,
                wrap_lines=True,
            )
        if saved is not None and token is not None:
            by_link = saved_links.looked_up(token).by == "link"
            own = "It opens what your list opens, for you: others need a link, which the list below makes."
            quiet(f"It opens as long as its link does, which {saved_words.until(saved.expires)}." if by_link else own)
        elif token not in SETS:
            quiet(
                "The files behind it stay on this server for twelve hours at most. Save it under a link to keep them."
            )
