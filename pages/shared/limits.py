"""What a file may cost here: the hosted limits where RANKLENS_HOSTED says so, else those of a person's own machine."""

import os

from core.model.limits import HOSTED, LOCAL, Limits


def limits() -> Limits:
    """The limits of this server."""
    return HOSTED if os.environ.get("RANKLENS_HOSTED") == "1" else LOCAL
