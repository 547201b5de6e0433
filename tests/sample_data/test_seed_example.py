"""The example to check by hand gives the numbers that its README works out."""

import json

import pytest
from click.testing import CliRunner

from core.cli import ranklens
from tests.sample_data.collection import SAMPLE

SEED = SAMPLE / "seed_example"


def test_grades_3_1_0_2_returned_and_a_3_missed_score_as_worked_out_by_hand() -> None:
    measures = ["--measure", "nDCG@4", "--measure", "nDCG(dcg='exp-log2')@4"]
    files = ["--qrels", str(SEED / "qrels.txt"), "--run", str(SEED / "system.run")]
    done = CliRunner().invoke(ranklens, ["score", *files, *measures, "--format", "json"])
    assert done.exit_code == 0, done.output
    linear, exponential = json.loads(done.stdout)["means"]["system"].values()
    # By hand: (3 + 1/log2(3) + 2/log2(5)) over the ideal 3, 3, 2, 1, and the same with 7, 1, 3 over 7, 7, 3, 1.
    assert linear == pytest.approx(4.4922829 / 6.3234658, abs=1e-6)
    assert exponential == pytest.approx(8.9229594 / 13.3471848, abs=1e-6)
    readme = (SEED / "README.md").read_text(encoding="utf-8")
    assert f"**{linear:.4f}**" in readme
    assert f"**{exponential:.4f}**" in readme
