"""What all tests share: deterministic property tests, and where the third-party collections are, if they are."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ranklens", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("ranklens")

REPOSITORY = Path(__file__).parent.parent
# No test looks into what the person at this machine has recorded, or adds to it.
os.environ["RANKLENS_STORE"] = str(Path(tempfile.gettempdir()) / f"ranklens-tests-{os.getpid()}-nothing")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of third-party collections and cases, beside the repository or where RANKLENS_SHARED says."""
    folder = Path(os.environ.get("RANKLENS_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("the third-party collections are not part of the project and are not on this machine")
    return folder
