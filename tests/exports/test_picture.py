"""Pictures: the same chart gives the same bytes, at the sizes promised, in our font, legible from the back of a room."""

import io
import re
import struct

import pytest
import vl_convert
from PIL import Image

from core.exports.picture import SCALES, SIZES, bare_picture, picture
from core.exports.table import to_chart
from tests.charts.examples import EXAMPLES, RUNS
from tests.exports.made import scope

FOOTER = (
    "nDCG@10 · linear gain (the grade) · ideal from all judged documents · 300 queries · missing = 0 · qrels 3f2a91c"
)
SMALLEST = 17


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("shape", SIZES)
def test_a_png_has_the_size_of_its_shape_times_the_scale(scale: int, shape: str) -> None:
    wide, high = SIZES[shape]  # type: ignore[index]  # the names are parametrized
    chart, words = EXAMPLES["forest"](RUNS)
    png = picture(chart, "new beats old by 0.1", words[:80], FOOTER, shape=shape).png(scale)  # type: ignore[arg-type]  # as above
    assert struct.unpack(">II", png[16:24]) == (wide * scale, high * scale)


def test_the_same_chart_gives_the_same_bytes() -> None:
    made = [picture(EXAMPLES["heatmap"](RUNS)[0], "new beats old", "method", FOOTER) for _ in range(2)]
    assert made[0].png() == made[1].png()
    assert made[0].svg() == made[1].svg()
    assert made[0].pdf() == made[1].pdf()


@pytest.mark.parametrize("name", [*EXAMPLES])
def test_no_text_of_any_chart_is_below_17_pixels(name: str) -> None:
    chart, words = EXAMPLES[name](RUNS)
    svg = picture(chart, "new beats old by 0.1", words[:120], FOOTER).svg()
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', svg)]
    assert min(sizes) >= SMALLEST
    assert set(re.findall(r'font-family="([^"]+)"', svg)) == {"Source Sans Pro"}
    assert "new beats old by 0.1" in svg
    assert "qrels 3f2a91c" in svg


def test_light_and_dark_have_the_page_colours() -> None:
    chart = EXAMPLES["forest"](RUNS)[0]
    corners = [
        Image.open(io.BytesIO(picture(chart, "t", "m", "f", mode=mode).png())).convert("RGB").getpixel((0, 0))
        for mode in ("light", "dark")
    ]
    assert corners == [(255, 255, 255), (0x0F, 0x14, 0x1C)]


def test_a_pdf_has_its_fonts_inside() -> None:
    pdf = picture(EXAMPLES["forest"](RUNS)[0], "t", "m", "f").pdf()
    assert pdf.startswith(b"%PDF")
    assert b"SourceSansPro" in pdf


def test_a_chart_that_asks_for_a_file_elsewhere_gets_nothing() -> None:
    spec = '{"data": {"url": "http://203.0.113.7/x.json"}, "mark": "point", "encoding": {"x": {"field": "a"}}}'
    with pytest.raises(ValueError, match="203"):
        vl_convert.vegalite_to_png(spec, vl_version="6.4", allowed_base_urls=[])


def test_a_chart_alone_has_no_title() -> None:
    svg = bare_picture(EXAMPLES["forest"](RUNS)[0], size=(1280, 520)).svg()
    assert 'width="1280"' in svg
    assert "new beats old" not in svg


def test_a_table_as_a_picture_shows_its_cells_and_counts_the_rows_it_leaves_out() -> None:
    frame = scope().comparison.per_query([scope().measure]).select("query_id", "score")
    chart, words = to_chart(frame)
    svg = picture(chart, "Every query", "method", FOOTER).svg()
    assert "q00" in svg
    assert f"… and {frame.height - 15:,} more" in svg
    assert words == f"A table of {frame.height} rows with the columns query id, score."
