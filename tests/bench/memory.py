"""What a server holds when sessions come, bring 20 MB each and go, and what it gives back (R&S T14, T15).

    python -m tests.bench.memory [--cycles 200] [--megabytes 20] [--ttl 5] [--every 2]

Each cycle is a visitor with cookies of its own who opens the dashboard, brings one file which no page takes, and leaves. A session
that was left may come back for `ttl` seconds (120 on a host; shorter here, so that the bench ends), and the janitor comes each
`every` seconds (30 on a host). Printed are what Streamlit's uploads hold and the process's resident memory along the way, the slope
of what the latter is beyond the former after a warm-up, and both once everything has expired.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.conftest import REPOSITORY
from tests.hosted.asking import ask
from tests.hosted.browsing import Person
from tests.hosted.serving import Served, serving

WARM_UP = 30
SERVER = f"""
import os
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from streamlit import config

import server as ours
from pages.hosted import janitor
from pages.hosted.routes import Own
from pages.hosted.uploads import manager

def told(request):
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    held = sum(stat.byte_length for stats in manager().get_stats().values() for stat in stats)
    return JSONResponse({{"held": held, "resident": pages * os.sysconf("SC_PAGE_SIZE")}})

@asynccontextmanager
async def lifespan(app):
    async with janitor.at_work(every=float(os.environ["BENCH_EVERY"])):
        yield {{}}

app = st.App(
    Path({str(REPOSITORY)!r}) / "app.py",
    middleware=[*ours.MIDDLEWARE, Middleware(Own, routes=[Route("/told", told)])],
    lifespan=lifespan,
)
# Outside of `streamlit run` no variable says this.
config.set_option("server.disconnectedSessionTTL", int(os.environ["BENCH_TTL"]))
"""


def told(served: Served) -> dict[str, Any]:
    """Bytes that uploads hold and resident bytes of the server."""
    found: dict[str, Any] = json.loads(ask(served, "/told").body)
    return found


def cycle(served: Served, data: bytes) -> None:
    """One visitor who brings a file and leaves."""
    person = Person(served)
    with person.visiting() as visit:
        visit.run()
        answer = person.upload(visit.session, data)
        if answer.status != 204:
            raise RuntimeError(f"the upload was refused: {answer.status} {answer.text}")


def main() -> None:
    """Run the cycles and print what was held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--ttl", type=int, default=5)
    parser.add_argument("--every", type=float, default=2.0)
    asked = parser.parse_args()
    variables: dict[str, Any] = {"BENCH_TTL": str(asked.ttl), "BENCH_EVERY": str(asked.every)}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "measured.py").write_text(SERVER)
        with serving("measured", Path(folder), **variables) as served:
            _measure(served, asked.cycles, asked.megabytes * 1_000_000)
            started = time.monotonic()
            while told(served)["held"] and time.monotonic() - started < 60 + asked.ttl:
                time.sleep(0.5)
            _print("after all have left", told(served), f"{time.monotonic() - started:.0f} s later")


def _measure(served: Served, cycles: int, size: int) -> None:
    seen: list[tuple[int, int]] = []
    most = 0
    for at in range(1, cycles + 1):
        cycle(served, os.urandom(size))
        now = told(served)
        most = max(most, now["held"])
        seen.append((at, now["resident"] - now["held"]))
        if at % 20 == 0:
            _print(f"cycle {at}", now)
    late = seen[WARM_UP:] if len(seen) > 2 * WARM_UP else seen
    slope = np.polyfit([at for at, _ in late], [size / 1e6 for _, size in late], 1)[0]
    beyond = f"what is beyond it grows by {slope:+.3f} MB a cycle from cycle {late[0][0]} on"
    print(f"most held {most / 1e6:.0f} MB; {beyond}")  # noqa: T201


def _print(what: str, now: dict[str, Any], more: str = "") -> None:
    print(f"{what}: held {now['held'] / 1e6:.1f} MB, resident {now['resident'] / 1e6:.0f} MB {more}")  # noqa: T201


if __name__ == "__main__":
    main()
