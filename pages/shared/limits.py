"""What a file, and what people bring altogether, may cost here: hosted where RANKLENS_HOSTED says so, else a person's own machine."""

import os
from dataclasses import dataclass

from core.model.limits import HOSTED, LOCAL, MB, Limits

GB = 1_000 * MB


@dataclass(frozen=True)
class Share:
    """What one session, or all sessions of one address, may upload.

    files  uploads in an hour
    held   bytes in memory at one time: until the page has taken the files, and while they arrive
    hour   bytes in an hour
    """

    files: int
    held: int
    hour: int


@dataclass(frozen=True)
class Budget:
    """What uploads may cost this server.

    held             bytes in memory at one time, of everybody together
    stalled, seconds an upload may pause so long, and take so long altogether
    shelf, on_shelf  bytes on disk of everybody together, and of one session
    makers           files to take away that one session may have made at the same time
    """

    session: Share
    address: Share
    held: int
    seconds: int
    shelf: int
    on_shelf: int
    stalled: int = 60
    makers: int = 3


# A person's own machine takes the largest file that it reads, several times over.
LOCAL_BUDGET = Budget(
    Share(files=100_000, held=20 * GB, hour=1_000 * GB), Share(files=100_000, held=20 * GB, hour=1_000 * GB),
    held=20 * GB, seconds=6 * 3600, shelf=100 * GB, on_shelf=100 * GB, makers=10,
)  # fmt: skip
# One address may be a whole company behind one router.
HOSTED_BUDGET = Budget(
    Share(files=500, held=256 * MB, hour=2 * GB), Share(files=5_000, held=512 * MB, hour=10 * GB),
    held=1 * GB, seconds=900, shelf=20 * GB, on_shelf=2 * GB,
)  # fmt: skip


def hosted() -> bool:
    """Whether this server is a host, and no person's own machine."""
    return os.environ.get("RANKLENS_HOSTED") == "1"


def limits() -> Limits:
    """The limits of this server."""
    return HOSTED if hosted() else LOCAL


def budget() -> Budget:
    """What uploads may cost this server."""
    return HOSTED_BUDGET if hosted() else LOCAL_BUDGET


def amount(size: int) -> str:
    """`256 MB`, `2 GB`: bytes as people read them."""
    return f"{size // MB:,} MB" if size < GB else f"{size / GB:g} GB"
