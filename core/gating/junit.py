"""JUnit: a gate's report as the XML that build servers show as tests."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

# What XML 1.0 cannot hold, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Result = Literal["passed", "failure", "error", "skipped"]


@dataclass(frozen=True)
class Case:
    """One check: its name, what it came to, why in one line, and all there is to say."""

    name: str
    result: Result
    message: str = ""
    text: str = ""


def junit(suite: str, cases: Sequence[Case]) -> str:
    """The cases as one test suite; without times, so that the same cases give the same bytes."""
    counts = {
        f"{result}s" if result != "skipped" else result: str(sum(case.result == result for case in cases))
        for result in ("failure", "error", "skipped")
    }
    root = ElementTree.Element("testsuites", {"tests": str(len(cases)), **counts})
    of_suite = ElementTree.SubElement(root, "testsuite", {"name": _safe(suite), "tests": str(len(cases)), **counts})
    for case in cases:
        element = ElementTree.SubElement(of_suite, "testcase", {"classname": "ranklens.gate", "name": _safe(case.name)})
        if case.result != "passed":
            ElementTree.SubElement(element, case.result, {"message": _safe(case.message)}).text = _safe(case.text)
        elif case.text:
            ElementTree.SubElement(element, "system-out").text = _safe(case.text)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _safe(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
