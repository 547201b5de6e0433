"""History: results recorded night by night, and whether they drift."""

from core.history.alerts import Alert, Finding, Watched, course_finding, finding, watched
from core.history.course import Course, Night, course
from core.history.keeping import Series, keep, read_series, series_names, state_of
from core.history.result import Result, result_of

__all__ = [
    "Alert",
    "Course",
    "Finding",
    "Night",
    "Result",
    "Series",
    "Watched",
    "course",
    "course_finding",
    "finding",
    "keep",
    "read_series",
    "result_of",
    "series_names",
    "state_of",
    "watched",
]
