"""The export menu of a chart or a table: pictures and data, made only when somebody asks for them."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from core.charts.style import texts
from core.charts.theme import Mode
from core.charts.titled import Drawn
from core.errors import InputError
from core.exports.brand import Brand, configured
from core.exports.picture import SCALES, SIZES, Picture, Shape, picture
from core.exports.table import to_chart, to_csv, to_markdown, to_parquet
from core.exports.text import file_name
from core.saved import found_by_id
from pages.hosted import exports
from pages.shared import audit, copy_picture, files, identity, saved_links, take

MODES: dict[Mode, str] = {"light": "Light", "dark": "Dark"}
SHAPES: dict[Shape, str] = {"wide": "Slide, 16:9", "square": "Square"}
TYPES = {
    "png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf", "csv": "text/csv", "parquet": "application/vnd.apache.parquet",
    "md": "text/markdown", "json": "application/json", "html": "text/html", "zip": "application/zip", "txt": "text/plain",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "ranklens": "application/zip",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Taken:
    """What a menu exports.

    title   the finding, or what gives it when the menu opens; can be changed before the picture is made
    method  stands under it
    footer  gives the convention line; called only when a picture is made
    chart   None for a table, whose picture is made of its cells
    """

    key: str
    title: str | Callable[[], str]
    method: str
    footer: Callable[[], str]
    frame: pl.DataFrame
    chart: Drawn | None = None
    heads: Mapping[str, str] | None = None


def button(taken: Taken) -> None:
    """The button that opens the menu."""
    if st.button("Export", icon=":material/download:", key=f"export_{taken.key}", type="tertiary"):
        opened(taken)


@st.dialog("Export", width="large")
def opened(taken: Taken) -> None:
    """The menu: how the picture looks, what it looks like, and what can be had."""
    left, right = st.columns(2, gap="small")
    mode = left.segmented_control(
        "Look", list(MODES), default=_theme(), required=True, format_func=MODES.__getitem__, key=f"look_{taken.key}"
    )
    shape = right.segmented_control(
        "Shape", list(SHAPES), default="wide", required=True, format_func=SHAPES.__getitem__, key=f"shape_{taken.key}"
    )
    title = st.text_input(
        "Title", taken.title if isinstance(taken.title, str) else taken.title(), key=f"title_{taken.key}"
    )
    method = st.text_input("Line under it", taken.method, key=f"method_{taken.key}")
    drawn = _picture(taken, title, method, mode, shape)
    png = drawn.png()
    wide, high = SIZES[shape]
    name = file_name(taken.key, title)
    seen, had = st.columns([1.9, 1], gap="medium")
    with seen:
        st.image(png, width="stretch", alt=f"The picture as it will look: {title}")
    with had:
        st.markdown("Picture")
        with st.container(horizontal=True, gap="small"):
            for scale in SCALES:
                size = f"{wide * scale:,} × {high * scale:,} pixels"
                download(f"PNG {scale}×", partial(drawn.png, scale), f"{name}-{scale}x", "png", help_text=size)
            download("SVG", lambda: drawn.svg().encode(), name, "svg", help_text="Lines and text, at any size")
            download("PDF", drawn.pdf, name, "pdf", help_text="One page, its fonts inside")
            copy_picture.button(png, key=f"copy_{taken.key}")
        st.markdown("Data")
        with st.container(horizontal=True, gap="small"):
            data(taken.frame, name)


def data(frame: pl.DataFrame, name: str) -> None:
    """A frame as CSV, Parquet and Markdown."""
    flat = _flat(frame)
    download("CSV", lambda: to_csv(flat).encode(), name, "csv", help_text="Full numbers; no cell can run as a formula")
    download("Parquet", lambda: to_parquet(frame), name, "parquet", help_text="Full numbers, with their types")
    download(
        "Markdown",
        lambda: to_markdown(flat).encode(),
        name,
        "md",
        help_text="A table to paste into a page or a pull request",
    )


def download(
    label: str,
    make: Callable[[], bytes],
    name: str,
    kind: str,
    *,
    help_text: str = "",
    icon: str = ":material/download:",
) -> None:
    """A button that makes its file when it is clicked.

    Our own server sends the file and keeps nothing of it. Without it Streamlit keeps it, and knows a large file by its length and a
    few samples, so that two files which differ elsewhere would be one: a word that nobody can guess in the name keeps them apart.
    """
    key = f"download_{name}_{kind}"
    if exports.served() and take.works():
        token = exports.offer(key, make, f"{name}.{kind}", TYPES[kind], **_allowed())
        take.button(label, token, f"{name}.{kind}", icon=icon, help_text=help_text, key=key)
        return
    st.download_button(
        label, make, f"{name}-{secrets.token_hex(4)}.{kind}", TYPES[kind], key=key, on_click="ignore", icon=icon, help=help_text or None,
    )  # fmt: skip


def _allowed() -> dict[str, Any]:
    """How long what is made of this session's files may be taken, and who takes it: sets end, and a saved comparison may be deleted."""
    who = audit.who(identity.visitor())
    saved = files.saved_one()
    if saved is None:
        return {"about": {"who": who}, "until": files.shelf().until(files.current_token() or "")}
    store = saved_links.store()
    return {"about": {"who": who, "saved": saved.id}, "guard": lambda: found_by_id(store, saved.id) is not None}


def brand() -> Brand:
    """The brand of this server; one that cannot be read is said and left out."""
    try:
        return configured()
    except InputError as error:
        st.warning(f"The brand is left out: {error.problems[0].message}", icon=":material/palette:")
        return Brand()


def _picture(taken: Taken, title: str, method: str, mode: Mode, shape: Shape) -> Picture:
    chart = taken.chart if taken.chart is not None else to_chart(_flat(_drawn(taken.frame)), taken.heads)[0]
    return picture(chart, title, method, taken.footer(), brand=brand(), mode=mode, shape=shape)


def _drawn(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns of a table that a picture of text can show: not the small histograms."""
    return frame.select(
        name for name, kind in frame.schema.items() if not (isinstance(kind, pl.List) and kind.inner.is_numeric())
    )


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Lists as text, for files whose cells hold one thing."""
    return frame.with_columns(
        texts(frame[name], lambda items: ", ".join(map(str, items))).alias(name)
        for name, kind in frame.schema.items()
        if isinstance(kind, pl.List)
    )


def _theme() -> Mode:
    return "dark" if st.context.theme.type == "dark" else "light"
