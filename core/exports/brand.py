"""Brand: a company's colours, logo and name on what is taken away, from a TOML file."""

import os
import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import core
from core.charts import Palette, palette
from core.charts.theme import Mode
from core.errors import InputError, Problem

THEME = Path(core.__file__).parent.parent / ".streamlit" / "config.toml"
VARIABLE = "RANKLENS_BRAND"
COLOURS = ("better", "worse", "ink", "soft", "background")
LARGEST_LOGO = 5_000_000
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"


@dataclass(frozen=True)
class Brand:
    """What stands in place of our own looks; empty means ours.

    name        stands at the foot of every slide
    logo        a PNG or JPEG, upper right on every slide and in the report
    better      the accent: a better run, the first run's colour; as `#RRGGBB`, like all colours
    worse       its opposite
    ink, soft   text, and text that steps back
    background  behind everything
    Colours are for light pictures, slides and reports; dark ones keep the colours made for dark.
    """

    name: str = ""
    logo: bytes = b""
    better: str = ""
    worse: str = ""
    ink: str = ""
    soft: str = ""
    background: str = ""

    def palette(self, mode: Mode) -> Palette:
        """The colours of a mode: the theme file's, with those of the brand in their place."""
        found = _palette(mode)
        if mode == "dark":
            return found
        pair = (self.better or found.categorical[0], self.worse or found.categorical[1])
        return replace(
            found,
            background=self.background or found.background,
            ink=self.ink or found.ink,
            soft=self.soft or found.soft,
            categorical=(*pair, *found.categorical[2:]),
        )


@cache
def _palette(mode: Mode) -> Palette:
    return palette(THEME, mode)


def read_brand(path: Path) -> Brand:
    """A brand from a TOML file with one table `[brand]`; `logo` names a PNG or JPEG beside the file.

    Raises InputError with everything that is wrong with it.
    """
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(Problem(path.name, None, f"cannot be read: {error.strerror}")) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(Problem(path.name, None, f"is not TOML: {error}")) from error
    table = told.get("brand")
    if not isinstance(table, dict):
        raise InputError(Problem(path.name, None, "has no table [brand]", 'write [brand] and, say, better = "#0B6E4F"'))
    problems = [Problem(path.name, None, message) for message in _wrong(table)]
    logo = b""
    if isinstance(table.get("logo"), str):
        try:
            logo = _logo(path.parent / table["logo"])
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return Brand(logo=logo, **{key: value for key, value in table.items() if key != "logo"})


def configured() -> Brand:
    """The brand that RANKLENS_BRAND names, or ours where it names none. Raises InputError."""
    named = os.environ.get(VARIABLE)
    return read_brand(Path(named)) if named else Brand()


def _wrong(table: dict[str, Any]) -> list[str]:
    known = {"name", "logo", *COLOURS}
    found = [f'"{key}" is not a setting; there are {", ".join(sorted(known))}' for key in table if key not in known]
    found += [f"{key} is not a text" for key in ("name", "logo") if not isinstance(table.get(key, ""), str)]
    for key in COLOURS:
        colour = table.get(key, "#000000")
        if not isinstance(colour, str) or not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
            found.append(f"{key} is not a colour such as #0B6E4F")
    return found


def _logo(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(Problem(path.name, None, f"the logo cannot be read: {error.strerror}")) from error
    if not data.startswith((PNG, JPEG)) or len(data) > LARGEST_LOGO:
        raise InputError(Problem(path.name, None, "the logo is not a PNG or JPEG of at most 5 MB"))
    return data
