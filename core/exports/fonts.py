"""Fonts: Source Sans as static TrueType files, from a package that carries them, for pictures drawn without a browser."""

import atexit
import shutil
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

FAMILY = "Source Sans Pro"


@cache
def folder() -> Path:
    """A folder with the TrueType files only, gone when the process ends.

    The package has each face as OpenType too; a program that finds both may take the wrong one.
    """
    found = Path(tempfile.mkdtemp(prefix="ranklens-fonts-"))
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    for each in files("font_source_sans_pro").joinpath("files").iterdir():
        if each.name.endswith(".ttf"):
            (found / each.name).write_bytes(each.read_bytes())
    return found
