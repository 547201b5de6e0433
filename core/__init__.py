"""Ranklens in Python: the few functions that a notebook or a pipeline needs.

    from core import read_qrels, read_run, score, compare, gate

See `core.notebook` for what each does. They are loaded when they are first asked for, so that the command line starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.notebook import compare, gate, read_qrels, read_queries, read_run, score, write_run

__all__ = ["compare", "gate", "read_qrels", "read_queries", "read_run", "score", "write_run"]


def __getattr__(name: str) -> object:
    """Load a function when it is first asked for."""
    if name in __all__:
        return getattr(import_module("core.notebook"), name)
    raise AttributeError(f"module 'core' has no attribute {name!r}")
