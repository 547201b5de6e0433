"""Comparison: the pieces put together, and the questions that are asked of it."""

from core.comparison.comparison import MEANS, PER_QUERY, Comparison
from core.comparison.inputs import Inputs, Piece, assemble, open_comparison

__all__ = ["MEANS", "PER_QUERY", "Comparison", "Inputs", "Piece", "assemble", "open_comparison"]
