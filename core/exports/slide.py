"""Slide: one page of a deck, 13.33 × 7.5 inches: where its parts stand and how they look."""

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.oxml import serialize_part_xml
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches, Pt

from core.exports.brand import Brand
from core.exports.column_widths import ACROSS, MARGIN, Cell, column_widths, cut, two_lines
from core.exports.text import printed

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
FONT: Final = "Source Sans Pro"
PANOSE: Final = "020B0503030403020204"  # a normal sans-serif of medium weight, as the font itself says
TITLE_ONLY: Final = 5
LOGO: Final = 0.5
FOOT: Final = 6.95
LONGEST_CELL: Final = 70
ROOMY: Final = 6  # so many rows have room for three lines each


class Page:
    """A slide being made; positions are inches from the upper left."""

    def __init__(self, prs: Any, brand: Brand) -> None:
        self.brand, self.colours = brand, brand.palette("light")
        self.slide = prs.slides.add_slide(prs.slide_layouts[TITLE_ONLY])
        for shape in list(self.slide.placeholders):
            if shape.placeholder_format.idx != 0:
                shape.element.getparent().remove(shape.element)
        fill = self.slide.background.fill
        fill.solid()
        fill.fore_color.rgb = _rgb(self.colours.background)
        if brand.logo:
            logo = self.slide.shapes.add_picture(BytesIO(brand.logo), 0, Inches(0.35), height=Inches(LOGO))
            logo.left = Emu(int(WIDTH - Inches(MARGIN) - logo.width))
            _describe(logo, f"Logo of {brand.name}" if brand.name else "Logo")

    def headline(self, text: str, method: str = "") -> None:
        """The slide's own title, in the title's place, so that an outline and a screen reader find it; the method below."""
        size = 28 if len(text) <= 70 else 24
        self._titled(text, top=0.4, height=0.95, size=size)
        if method:
            self.text(method, top=1.33, size=14, soft=True)

    def cover(self, title: str, sentence: str) -> None:
        """The first slide: the verdict in large type."""
        bar = self.slide.shapes.add_shape(
            MSO_SHAPE.RECTANGLE, Inches(MARGIN + 0.1), Inches(1.75), Inches(0.9), Inches(0.09)
        )
        bar.fill.solid()
        bar.fill.fore_color.rgb = _rgb(self.colours.categorical[0])
        bar.line.fill.background()
        bar.shadow.inherit = False
        _describe(bar, "")
        self._titled(title, top=2.0, height=1.5, size=44 if len(title) <= 60 else 34)
        self.text(sentence, top=3.65, size=22, height=1.5)

    def _titled(self, text: str, *, top: float, height: float, size: int) -> None:
        shape = self.slide.shapes.title
        beside = LOGO * 4 if self.brand.logo else 0.0
        shape.left, shape.top = Inches(MARGIN), Inches(top)
        shape.width, shape.height = Inches(ACROSS - beside), Inches(height)
        self._write(shape.text_frame, text, size=size, bold=True, anchor=MSO_ANCHOR.MIDDLE)

    def text(self, text: str, *, top: float, size: int, soft: bool = False, height: float = 0.5) -> None:
        """A line, or a few, across the slide."""
        box = self.slide.shapes.add_textbox(Inches(MARGIN), Inches(top), Inches(ACROSS), Inches(height))
        self._write(box.text_frame, text, size=size, soft=soft)

    def foot(self, line: str) -> None:
        """The convention line, and whose deck it is."""
        said = " · ".join(part for part in (line, self.brand.name) if part)
        if said:
            self.text(said, top=FOOT, size=11, soft=True, height=0.35)

    def picture(self, png: bytes, description: str) -> None:
        """A picture over the slide, below the headline; the description stands for it where it is not seen."""
        wide, high = Inches(ACROSS), Inches(5.15)
        shape = self.slide.shapes.add_picture(BytesIO(png), Inches(MARGIN), Inches(1.82))
        scale = min(wide / shape.width, high / shape.height)
        shape.width, shape.height = Emu(int(shape.width * scale)), Emu(int(shape.height * scale))
        shape.left = Emu(int(Inches(MARGIN) + (wide - shape.width) / 2))
        _describe(shape, description)

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]], shares: Sequence[float]) -> None:
        """A native table that can be edited; what the columns do not need, they divide by `shares`."""
        each = min(0.52, 4.9 / (len(rows) + 1))
        shape = self.slide.shapes.add_table(
            len(rows) + 1, len(heads), Inches(MARGIN), Inches(1.95), Inches(ACROSS), Inches(each * (len(rows) + 1))
        )
        _describe(shape, f"A table with the columns {', '.join(map(printed, heads))}.")
        table = shape.table
        _without_style(table)
        size = 15 if len(rows) <= ROOMY else 13
        widths = column_widths(heads, rows, shares, size)
        for column, width in zip(table.columns, widths, strict=True):
            column.width = Inches(width)
        for row in table.rows:
            row.height = Inches(each)
        right = [bool(rows) and rows[0][at].right for at in range(len(heads))]
        for at, head in enumerate(heads):
            self._cell(table.cell(0, at), Cell(head, bold=True, right=right[at]), size - 1, soft=True, line=1.25)
        for down, cells in enumerate(rows, 1):
            for at, cell in enumerate(cells):
                room = LONGEST_CELL if len(rows) <= ROOMY else two_lines(widths[at], size)
                told = replace(cell, text=cut(cell.text, room, middle=at == 0))
                self._cell(table.cell(down, at), told, size)

    def paragraphs(
        self, blocks: Sequence[tuple[str, Sequence[str]]], *, left: float, across: float, top: float
    ) -> None:
        """Blocks of sentences under small heads; `left` and `across` are shares of the width."""
        box = self.slide.shapes.add_textbox(
            Inches(MARGIN + left * ACROSS), Inches(top), Inches(across * ACROSS), Inches(FOOT - top)
        )
        frame = box.text_frame
        frame.word_wrap = True
        first = True
        for head, sentences in blocks:
            for at, text in enumerate([head, *sentences]):
                paragraph = frame.paragraphs[0] if first else frame.add_paragraph()
                first = False
                paragraph.space_after = Pt(5)
                self._run(paragraph, text, size=16 if at == 0 else 13, bold=at == 0)

    def notes(self, sentences: Sequence[str]) -> None:
        """What the speaker may say."""
        frame = self.slide.notes_slide.notes_text_frame
        frame.text = "\n".join(printed(sentence) for sentence in sentences if sentence)
        for paragraph in frame.paragraphs:
            for run in paragraph.runs:
                run.font.name = FONT

    def _cell(self, cell: Any, told: Cell, size: int, *, soft: bool = False, line: float = 0.5) -> None:
        self._write(cell.text_frame, told.text, size=size, bold=told.bold, soft=soft, right=told.right, role=told.role)
        cell.vertical_anchor = MSO_ANCHOR.MIDDLE
        cell.margin_left = cell.margin_right = Inches(0.08)
        cell.margin_top = cell.margin_bottom = Inches(0.03)
        cell.fill.background()
        _line_below(cell, self.colours.line, line)

    def _write(
        self, frame: Any, text: str, *, size: int, bold: bool = False, soft: bool = False, right: bool = False, role: str = "",
        anchor: Any = None,
    ) -> None:  # fmt: skip
        frame.word_wrap = True
        if anchor is not None:
            frame.vertical_anchor = anchor
            frame.margin_left = frame.margin_right = Inches(0.1)
        paragraph = frame.paragraphs[0]
        for run in list(paragraph.runs):
            paragraph._p.remove(run._r)
        paragraph.alignment = PP_ALIGN.RIGHT if right else PP_ALIGN.LEFT
        self._run(paragraph, text, size=size, bold=bold or bool(role), soft=soft, role=role)

    def _run(
        self, paragraph: Any, text: str, *, size: int, bold: bool = False, soft: bool = False, role: str = ""
    ) -> None:
        """Text with everything about its looks said: a theme's font that is not there would be replaced by a wider one."""
        run = paragraph.add_run()
        run.text = " ".join(printed(text).split())
        run.font.name, run.font.size, run.font.bold = FONT, Pt(size), bold
        colours = {"better": self.colours.categorical[0], "worse": self.colours.categorical[1]}
        run.font.color.rgb = _rgb(colours.get(role, self.colours.soft if soft else self.colours.ink))
        for script in ("a:ea", "a:cs"):
            element = run.font._element.makeelement(qn(script), {"typeface": FONT})
            run.font._element.append(element)


def set_theme_font(prs: Any) -> None:
    """Make our font the theme's, so that text which people add has it too; where it is not installed, PANOSE asks for one like it."""
    theme = prs.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    tree = parse_xml(theme.blob)
    for kind in ("majorFont", "minorFont"):
        latin = tree.find(f".//{qn('a:' + kind)}/{qn('a:latin')}")
        latin.attrib.clear()
        latin.attrib.update({"typeface": FONT, "panose": PANOSE, "pitchFamily": "34", "charset": "0"})
    theme._blob = serialize_part_xml(tree)


def _rgb(colour: str) -> RGBColor:
    return RGBColor(*bytes.fromhex(colour.lstrip("#")))  # type: ignore[no-untyped-call]  # python-pptx has no types


def _describe(shape: Any, text: str) -> None:
    """The alternative text; an empty one marks decoration."""
    shape._element.xpath(".//p:cNvPr")[0].set("descr", printed(text)[:2000])


def _without_style(table: Any) -> None:
    """Take the banded style away: lines and ink carry the table."""
    for name in ("firstRow", "bandRow"):
        table._tbl.tblPr.set(name, "1" if name == "firstRow" else "0")
    style = table._tbl.tblPr.find(qn("a:tableStyleId"))
    if style is not None:
        style.text = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"


def _line_below(cell: Any, colour: str, points: float) -> None:
    properties = cell._tc.get_or_add_tcPr()
    line = properties.makeelement(qn("a:lnB"), {"w": str(int(Pt(points))), "cap": "flat", "cmpd": "sng"})
    fill = line.makeelement(qn("a:solidFill"), {})
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": colour.lstrip("#")}))
    line.append(fill)
    properties.insert(0, line)
