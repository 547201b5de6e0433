"""Limits: how much of a file is read before it is refused with a way out. Configuration, not law."""

from dataclasses import dataclass

MB = 1_000_000


def in_words(size: int) -> str:
    """A size in bytes for people: `900 bytes`, `12 kB`, `3.4 MB`, `2,000 MB`."""
    if size < 1000:
        return "1 byte" if size == 1 else f"{size:,} bytes"
    unit, name = (MB, "MB") if size >= MB - 500 else (1000, "kB")
    digits = 1 if size / unit < 9.95 and round(size / unit, 1) % 1 else 0
    return f"{size / unit:,.{digits}f} {name}"


@dataclass(frozen=True)
class Limits:
    """What one input may cost.

    packed, unpacked  bytes of a file as given and after decompression
    ratio             how many times larger it may become
    rows              data rows of one run
    runs, queries     in one comparison
    memory            bytes of private memory for a parsing child
    seconds           wall clock for a parsing child
    saved             bytes of one saved comparison in the store
    owned             bytes of all that one owner has saved; None: as much as the disk holds
    """

    packed: int = 2_000 * MB
    unpacked: int = 8_000 * MB
    ratio: int = 100
    rows: int = 20_000_000
    runs: int = 64
    queries: int = 200_000
    memory: int = 8_000 * MB
    seconds: int = 600
    saved: int = 4_000 * MB
    owned: int | None = None


LOCAL = Limits()
HOSTED = Limits(packed=200 * MB, unpacked=1_000 * MB, memory=3_000 * MB, seconds=60, saved=100 * MB, owned=2_000 * MB)
