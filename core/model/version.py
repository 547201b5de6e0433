"""Version: which Ranklens it is that makes something, for whoever opens that later."""

import importlib.metadata
import tomllib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@cache
def version() -> str:
    """The version of the installed package, else what the project's file says: some hosts run a clone by its requirements alone."""
    try:
        return importlib.metadata.version("ranklens")
    except importlib.metadata.PackageNotFoundError:
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
