"""Brand: colours and a logo from a TOML file, or every reason why not."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.exports.brand import Brand, configured, read_brand

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def written(folder: Path, text: str) -> Path:
    (folder / "brand.toml").write_text(text)
    (folder / "logo.png").write_bytes(PNG)
    (folder / "logo.txt").write_text("no picture")
    return folder / "brand.toml"


def test_a_brand_takes_the_place_of_our_colours_in_light(tmp_path: Path) -> None:
    brand = read_brand(
        written(tmp_path, '[brand]\nname = "Example Ltd"\nlogo = "logo.png"\nbetter = "#0B6E4F"\nink = "#222222"\n')
    )
    assert brand == Brand(name="Example Ltd", logo=PNG, better="#0B6E4F", ink="#222222")
    light, ours = brand.palette("light"), Brand().palette("light")
    assert (light.categorical[0], light.ink) == ("#0B6E4F", "#222222")
    assert light.categorical[1:] == ours.categorical[1:]
    assert brand.palette("dark") == Brand().palette("dark")


WRONG = {
    "[brand]\nbetter = 'green'": "better is not a colour such as #0B6E4F",
    "[brand]\nbeter = '#000000'": '"beter" is not a setting',
    "[brand]\nname = 3": "name is not a text",
    "[brand]\nlogo = 'none.png'": "the logo cannot be read",
    "[brand]\nlogo = 'logo.txt'": "the logo is not a PNG or JPEG",
    "better = '#000000'": r"has no table \[brand\]",
    "[brand": "is not TOML",
}


@pytest.mark.parametrize("text", [*WRONG])
def test_what_is_wrong_with_a_brand_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=WRONG[text]):
        read_brand(written(tmp_path, text))


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_brand(written(tmp_path, "[brand]\nbetter = 1\nworse = 'x'\nlogo = 'logo.txt'\n"))
    assert len(caught.value.problems) == 3


def test_the_variable_names_the_brand_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKLENS_BRAND", raising=False)
    assert configured() == Brand()
    monkeypatch.setenv("RANKLENS_BRAND", str(written(tmp_path, "[brand]\nname = 'X'\n")))
    assert configured() == Brand(name="X")
    monkeypatch.setenv("RANKLENS_BRAND", str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="cannot be read"):
        configured()
