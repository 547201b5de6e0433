"""Gating: may a candidate replace the baseline? A comparison goes in, an outcome with its reasons comes out."""

from core.gating.gate import Gated, gate

__all__ = ["Gated", "gate"]
