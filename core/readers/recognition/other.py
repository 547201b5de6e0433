"""Other formats than tables: Parquet, JSON, JSON lines, SVMlight, topics, predictions."""

from core.model.limits import Limits
from core.model.reading import Choice, Reading, Role
from core.readers.files import Given
from core.readers.recognition.head import Head
from core.readers.recognition.json_head import json_reading


def other_format(given: Given, head: Head, role: Role | None, choice: Choice, limits: Limits) -> Reading | None:
    """The reading of a file that is no table of delimited text; None where it may be one."""
    return json_reading(given, head, role, choice)
