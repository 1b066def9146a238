"""An operation of the API."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    # Whether it does no harm to send it again when nobody knows what became of it.
    is_repeatable: bool
    # Whether it takes an Idempotency-Key.
    is_keyed: bool = False
    # The member of a page that says how many items there are in all, where the list is paged by offset.
    total: str | None = None
