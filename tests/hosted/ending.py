"""Running what is asynchronous to its end in a test: in a thread of its own, since a browser's driver keeps a loop in this one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def ended(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, or what it raises."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
