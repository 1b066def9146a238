"""Waiting for what a run comes to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

from ._errors import PharosError, WaitTimeoutError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from . import types as t

Answer = TypeVar("Answer")

_LONGEST_INTERVAL = 10.0
_FINAL = ("succeeded", "partial", "failed", "canceled", "expired")


def is_final(run: t.Run) -> bool:
    """Whether a run has ended."""
    return run["status"] in _FINAL


def status_path(run: t.Run) -> str:
    """Where a run tells of itself."""
    if not run["poll_path"].endswith(f"/runs/{run['run_id']}"):
        raise PharosError(f"A run of {run['kind']} has no status to read: poll what it finds.")
    return run["poll_path"]


class _Waiting:
    """The pauses between looks, which grow, until a deadline."""

    def __init__(self, timeout: float, interval: float) -> None:
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._wait = interval
        self._longest = max(interval, _LONGEST_INTERVAL)

    def pause(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise WaitTimeoutError(f"Not done within {self._timeout:g} s.")
        wait, self._wait = self._wait, min(self._wait * 1.5, self._longest)
        return min(wait, left)


def poll(
    read: Callable[[], Answer],
    is_done: Callable[[Answer], bool],
    *,
    timeout: float = 600.0,
    interval: float = 1.0,
) -> Answer:
    """Reads again and again until `is_done` says so, and gives the last answer.

    After `timeout` seconds it raises WaitTimeoutError. `interval` is the pause before the second look; the pauses grow to ten seconds.
    """
    waiting = _Waiting(timeout, interval)
    while not is_done(answer := read()):
        time.sleep(waiting.pause())
    return answer


async def async_poll(
    read: Callable[[], Awaitable[Answer]],
    is_done: Callable[[Answer], bool],
    *,
    timeout: float = 600.0,
    interval: float = 1.0,
) -> Answer:
    """Like `poll`, with a `read` that is awaited."""
    waiting = _Waiting(timeout, interval)
    while not is_done(answer := await read()):
        await asyncio.sleep(waiting.pause())
    return answer
