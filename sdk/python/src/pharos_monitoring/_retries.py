"""When a call is tried again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ._errors import APIConnectionError, APIError

if TYPE_CHECKING:
    from ._operation import Operation

# Seconds of the first pause, which doubles from retry to retry.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
# Whoever is told to come back later than that is told so, instead of being made to wait.
_LONGEST_RETRY_AFTER = 60.0
_PASSING = (408, 429, 500, 502, 503, 504)


def _is_worthwhile(operation: Operation, error: Exception) -> bool:
    """Whether trying once more may help, and does no harm."""
    if isinstance(error, APIConnectionError):
        return operation.is_repeatable
    if not isinstance(error, APIError):
        return False
    # A limit refuses before anything is done.
    if error.status == 429:
        return True
    return operation.is_repeatable and (error.status in _PASSING or error.code == "idempotency-in-progress")


def pause(operation: Operation, error: Exception, retry: int) -> float | None:
    """Seconds to wait before retry `retry`, counted from 0; None where there should be none."""
    if not _is_worthwhile(operation, error):
        return None
    # Spread, so that callers who were refused together do not come back together.
    backoff = min(_FIRST_PAUSE * 2.0**retry, _LONGEST_PAUSE) * random.uniform(0.5, 1.0)
    after = error.retry_after if isinstance(error, APIError) else None
    if after is None:
        return backoff
    return after + backoff / 2 if after <= _LONGEST_RETRY_AFTER else None
