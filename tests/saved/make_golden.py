"""The store `golden_1`, written once by the version that brought schema 1: `python -m tests.saved.make_golden FOLDER`.

It is never made again: that what it holds opens to the same numbers is the test. A new schema gets a folder of its own.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from core.comparison import Comparison
from core.saved import records, save
from core.store import Folder
from tests.comparison.collections import SEED, SEED_RUN, comparison_of, ranked

TOKEN = "golden-link-of-schema-1_opens-for-ever"  # noqa: S105 - it opens the store beside it and nothing else
DELETES = "golden-delete-link-of-schema-1"
IDENTITY = "901de" * 6 + "01"


def golden() -> Comparison:
    """The seed example, with a query that is undefined and one that a run does not answer."""
    grades = SEED | {"q2": {"d7": 2.0, "d8": 1.0}, "none": {"d9": 0.0}}
    first = SEED_RUN | {"q2": ranked("d8", "d7")}
    return comparison_of(
        grades,
        {"first": first, "second": {"seed": ranked("d5", "d1", "d4", "d2")}},
        queries={"query_id": ["none", "q2", "seed"], "text": ["–", "blue hat", "red tea"], "intent": ["a", "b", "a"]},
        documents={"doc_id": ["d1", "d5"], "title": ["One", "Fünf"]},
    )


def make(folder: Path) -> None:
    """Write the store."""
    with (
        patch.object(records, "new_token", iter((TOKEN, DELETES)).__next__),
        patch.object(records, "now", lambda: datetime(2026, 11, 30, 12, tzinfo=UTC)),
        patch.object(records, "new_id", lambda: IDENTITY),
    ):
        save(
            Folder(folder), golden(), title="Golden", view={"k": 5, "base": "second"}, page="queries",
            notes={"q2": {"text": "as it was"}}, owner="machine", access="everyone", days=None,
        )  # fmt: skip


if __name__ == "__main__":
    make(Path(sys.argv[1]))
