"""The two runs of a gate: from two run files, or from a bundle that holds the baseline with its judgments."""

import zipfile

from core.cli.options import Request
from core.cli.reading import read
from core.comparison import Comparison
from core.errors import InputError, Problem
from core.readers.files import Given


def with_baseline(asked: Request) -> tuple[Comparison, str | None]:
    """A comparison of the baseline and the candidate, in this order, and the digest that the baseline's judgments had.

    Raises InputError with what is wrong in the files, or where one of them holds several runs.
    """
    given = asked.inputs.runs[0].given
    if _is_bundle(given):
        raise InputError(
            Problem(given.name, None, "is a bundle, and this version does not open bundles", "give the run's own file")
        )
    comparison = read(asked)
    if len(comparison.names) != 2:
        names = ", ".join(f'"{name}"' for name in comparison.names)
        raise InputError(
            Problem("--baseline/--candidate", None, f"the files hold {len(comparison.names)} runs: {names}", "the gate takes one of each")
        )  # fmt: skip
    return comparison, None


def _is_bundle(given: Given) -> bool:
    with given.raw() as stream:
        if not zipfile.is_zipfile(stream):
            return False
        with zipfile.ZipFile(stream) as archive:
            return "manifest.json" in archive.namelist()
