"""Recognise: from the content of a file to how it is read."""

from core.readers.recognise.reading import recognise

__all__ = ["recognise"]
