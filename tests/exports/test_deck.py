"""Deck: native titles and tables, pictures with descriptions, notes, our font on every run; it opens in LibreOffice."""

import io
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches

from core.exports import fonts
from core.exports.brand import Brand
from core.exports.column_widths import ACROSS, Cell, column_widths, cut
from core.exports.deck import SLIDES, deck
from core.exports.picture import bare_picture
from core.exports.scope import Scope
from core.model.measure import Measure
from tests.charts.examples import EXAMPLES, RUNS
from tests.comparison.made import collection, comparison_of
from tests.exports.made import scope


@pytest.fixture(scope="module")
def data() -> bytes:
    return deck(scope())


@pytest.fixture(scope="module")
def slides(data: bytes) -> list[Any]:
    return list(Presentation(io.BytesIO(data)).slides)


def test_every_slide_is_there_in_16_to_9_with_a_headline_in_the_titles_place(data: bytes, slides: list[Any]) -> None:
    whole = Presentation(io.BytesIO(data))
    assert (whole.slide_width, whole.slide_height) == (Inches(13.333), Inches(7.5))
    assert len(slides) == len(SLIDES)
    titles = [slide.shapes.title.text_frame.text for slide in slides]
    assert titles[0] == scope().finding.title
    assert all(len(title.split()) > 3 for title in titles)


def test_every_picture_table_and_logo_has_a_description_and_every_slide_notes(slides: list[Any]) -> None:
    pictures = tables = 0
    for slide in slides:
        for shape in slide.shapes:
            described = shape._element.xpath(".//p:cNvPr")[0].get("descr")
            pictures += shape.shape_type == 13
            tables += shape.has_table
            if shape.shape_type == 13 or shape.has_table:
                assert len(described) > 20
        assert len(slide.notes_slide.notes_text_frame.text) > 60
    assert (pictures, tables) == (3, 2)


def test_every_run_of_text_names_its_font_and_size(slides: list[Any]) -> None:
    runs = [
        run for slide in slides for frame in frames(slide) for paragraph in frame.paragraphs for run in paragraph.runs
    ]
    assert len(runs) > 80
    assert {run.font.name for run in runs} == {fonts.FAMILY}
    assert min(run.font.size.pt for run in runs) >= 11


def frames(slide: Any) -> list[Any]:
    """Every place of text on a slide, cells of tables too."""
    found = [shape.text_frame for shape in slide.shapes if shape.has_text_frame]
    return found + [
        cell.text_frame for shape in slide.shapes if shape.has_table for row in shape.table.rows for cell in row.cells
    ]


def test_the_leaderboard_is_a_table_that_can_be_edited(slides: list[Any]) -> None:
    table = next(shape.table for shape in slides[1].shapes if shape.has_table)
    rows = [[cell.text_frame.text for cell in row.cells] for row in table.rows]
    mean = scope().comparison.mean("new", scope().measure)
    assert rows[0][:2] == ["Run", "nDCG@10"]
    assert rows[1][:2] == ["new", f"{mean:.3f}"]
    assert len(rows) == 3


def test_the_worst_queries_stand_with_their_texts(slides: list[Any]) -> None:
    table = next(shape.table for shape in slides[5].shapes if shape.has_table)
    cells = [cell.text_frame.text for row in table.rows for cell in row.cells]
    assert any(cell.startswith("text of q") for cell in cells)


def test_every_slide_with_numbers_says_their_conventions(slides: list[Any]) -> None:
    for slide in slides:
        assert "qrels 3f2a91c" in " ".join(frame.text for frame in frames(slide))


def test_slides_are_picked_and_ordered() -> None:
    found = list(Presentation(io.BytesIO(deck(scope(), ["worst", "title"]))).slides)
    assert [slide.shapes.title.text_frame.text for slide in found][1] == scope().finding.title
    assert len(found) == 2


def test_the_same_comparison_gives_the_same_bytes(data: bytes) -> None:
    assert deck(Scope.of(collection(40).comparison)) == data


def test_a_single_run_and_a_tiny_comparison_have_a_deck_without_what_they_lack() -> None:
    made = comparison_of({"q": {"a": 1.0}}, {"alone": {"q": {"a": 1.0}}})
    found = list(Presentation(io.BytesIO(deck(Scope.of(made)))).slides)
    titles = [slide.shapes.title.text_frame.text for slide in found]
    assert titles[0] == "alone scores 1.000 nDCG@10"
    assert 3 <= len(titles) < len(SLIDES)


def test_the_company_stands_on_every_slide_in_its_colours() -> None:
    logo = bare_picture(EXAMPLES["forest"](RUNS)[0], size=(320, 120)).png()
    data = deck(
        scope(),
        ["title", "leaderboard"],
        brand=Brand(name="Example Ltd", logo=logo, better="#0B6E4F", background="#FFFBF0"),
    )
    for slide in Presentation(io.BytesIO(data)).slides:
        assert "Example Ltd" in " ".join(frame.text for frame in frames(slide))
        assert [shape for shape in slide.shapes if shape.shape_type == 13]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read("ppt/slides/slide2.xml").decode() + archive.read("ppt/slides/slide1.xml").decode()
    assert "0B6E4F" in text
    assert "FFFBF0" in text


def test_the_theme_has_our_font_for_what_people_add(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        theme = archive.read("ppt/theme/theme1.xml").decode()
    assert theme.count(f'<a:latin typeface="{fonts.FAMILY}" panose="020B0503030403020204"') == 2


# Advance widths of DejaVu Sans Bold, in ems: the widest face that usually stands in for a missing one.
WIDE = {"Difference": 5.88, "exponential": 6.67, "nDCG@1000": 6.60, "interval": 4.86}


def test_no_word_of_a_head_is_wider_than_its_column_in_a_wider_font() -> None:
    made = collection(40)
    runs = {"y-long-name-of-a-run-that-is-long" * at: made.scored["new"] for at in range(1, 4)}
    measure = Measure("nDCG", 1000, "linear")
    page = Presentation(
        io.BytesIO(deck(Scope.of(comparison_of(made.grades, runs), measure=measure), ["leaderboard"]))
    ).slides[0]
    table = next(shape.table for shape in page.shapes if shape.has_table)
    heads = [cell.text_frame for cell in table.rows[0].cells]
    seen = 0
    for head, column in zip(heads, table.columns, strict=True):
        size = head.paragraphs[0].runs[0].font.size.pt
        for word in head.text.split():
            if word in WIDE:
                seen += 1
                assert WIDE[word] * size / 72 + 0.16 <= column.width.inches, word
    assert seen == len(WIDE)
    assert sum(column.width.inches for column in table.columns) == pytest.approx(ACROSS, abs=0.01)


def test_names_in_a_full_table_are_cut_in_the_middle_so_that_their_ends_are_seen() -> None:
    assert cut("x" * 10, 10) == "x" * 10
    assert cut("the-long-name-of-a-run-number-1", 15, middle=True) == "the-long-…ber-1"
    assert cut("abcdefgh", 5) == "abcd…"
    widths = column_widths(["Run", "n"], [[Cell("w" * 400), Cell("1", right=True)]], [1, 1], 15)
    assert sum(widths) == pytest.approx(ACROSS)
    assert column_widths([str(at) * 40 for at in range(9)], [], [1] * 9, 15) == pytest.approx([ACROSS / 9] * 9)


@pytest.mark.long
@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.skipif(
    not shutil.which("soffice") or not shutil.which("pdftoppm"),
    reason="LibreOffice and poppler are programs of the system that not every machine has",
)
def test_it_opens_in_libreoffice_with_our_font_or_another_and_no_head_breaks(
    data: bytes, tmp_path: Path, installed: bool
) -> None:
    (tmp_path / "deck.pptx").write_bytes(data)
    ours = f"<dir>{fonts.folder()}</dir>" if installed else ""
    (tmp_path / "fonts.conf").write_text(
        f'<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>{ours}'
        f"<cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>"
    )
    command = [
        "soffice", f"-env:UserInstallation=file://{tmp_path / 'profile'}", "--headless", "--norestore", "--convert-to", "pdf", "--outdir",
        str(tmp_path), str(tmp_path / "deck.pptx"),
    ]  # fmt: skip
    surroundings = os.environ | {"HOME": str(tmp_path), "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    subprocess.run(command, check=True, capture_output=True, timeout=240, env=surroundings)
    subprocess.run(["pdftoppm", "-r", "40", "-png", "deck.pdf", "page"], cwd=tmp_path, check=True, timeout=120)
    assert len(list(tmp_path.glob("page-*.png"))) == len(SLIDES)
    assert ({name.split("-")[0] for name in told_by("pdffonts", tmp_path)} == {"SourceSansPro"}) == installed
    heads = told_by("pdftotext", tmp_path)
    assert {"Difference", "exponential", "nDCG@10", "interval", "Verdict"} <= heads


def told_by(program: str, folder: Path) -> set[str]:
    """What one of poppler's programs tells of the deck: the fonts in it, or the words of the leaderboard."""
    command = (
        ["pdffonts", "deck.pdf"] if program == "pdffonts" else ["pdftotext", "-f", "2", "-l", "2", "deck.pdf", "-"]
    )
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=60).stdout
    return (
        {line.split("+")[1].split()[0] for line in said.splitlines()[2:]}
        if program == "pdffonts"
        else set(said.split())
    )
