"""Sends requests, and sends them again where that is right."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import httpx

from ._errors import APIConnectionError, APITimeoutError, PharosError, refusal
from ._operation import Operation
from ._pages import AsyncPages, Pages, Position
from ._retries import pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence


@dataclass(frozen=True)
class AnswerFacts:
    """The facts about an answer, for logs and figures of your own."""

    operation_id: str
    status: int
    attempt: int
    """Counted from 1."""
    seconds: float
    request_id: str | None
    credits_cost: int | None
    """The credits that this answer cost."""
    credits_remaining: int | None
    rate_limit_remaining: int | None
    """How many requests the limit that is nearest lets through."""
    is_replay: bool
    """Whether the answer was given before, to the same Idempotency-Key."""


@dataclass(frozen=True)
class Settings:
    base_url: str
    timeout: float
    max_retries: int
    on_answer: Callable[[AnswerFacts], None] | None


@dataclass(frozen=True)
class _Request:
    operation: Operation
    url: str
    headers: dict[str, str]
    content: bytes | None


def _filled(path: str, ids: Sequence[str]) -> str:
    """A path with its ids."""
    rest = iter(ids)

    def fill(found: re.Match[str]) -> str:
        value = next(rest)
        # A path would lead elsewhere with dots, and with nothing.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise PharosError(f"{found[1]} must be an id, not {value!r}.")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _queried(query: Mapping[str, object]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _prepared(
    settings: Settings,
    operation: Operation,
    ids: Sequence[str],
    query: Mapping[str, object],
    body: Mapping[str, object] | None,
    idempotency_key: str | None,
) -> _Request:
    headers = {"accept": "application/json"}
    if body is not None:
        headers["content-type"] = "application/json"
    if operation.is_keyed:
        # Once for the call: each retry is known as the same request.
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    url = f"{settings.base_url}{_filled(operation.path, ids)}{_queried(query)}"
    content = None if body is None else json.dumps(body).encode()
    return _Request(operation, url, headers, content)


def _reading(settings: Settings, path: str) -> _Request:
    """A read of a path that the API gave, which must lie on its host."""
    if not path.startswith("/") or path.startswith("//"):
        raise PharosError(f"{path!r} is no path on the host of the API.")
    operation = Operation("poll", "GET", path, is_repeatable=True)
    return _Request(operation, f"{settings.base_url}{path}", {"accept": "application/json"}, None)


def _checked(credential: str) -> str:
    """A credential that a header takes. An error of httpx would show it."""
    trimmed = credential.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", trimmed):
        raise PharosError("The credential is empty, or has characters that no key and no token has.")
    return trimmed


def _built(client: httpx.Client | httpx.AsyncClient, settings: Settings, request: _Request, credential: str) -> httpx.Request:
    return client.build_request(
        request.operation.method,
        request.url,
        headers={**request.headers, "authorization": f"Bearer {_checked(credential)}"},
        content=request.content,
        timeout=settings.timeout,
    )


def _failed(settings: Settings, request: _Request, error: httpx.HTTPError) -> APIConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return _late(settings, request)
    return APIConnectionError(f"{request.operation.id}: no answer from {settings.base_url}: {error}")


def _late(settings: Settings, request: _Request) -> APITimeoutError:
    return APITimeoutError(f"{request.operation.id}: no answer within {settings.timeout:g} s")


def _finished(
    settings: Settings, request: _Request, response: httpx.Response, content: bytes, attempt: int, seconds: float
) -> object:
    """The body of an answer; a refusal is raised."""
    headers = response.headers

    def figure(name: str) -> int | None:
        text = headers.get(name, "")
        return int(text) if re.fullmatch("[0-9]+", text) else None

    if settings.on_answer:
        settings.on_answer(
            AnswerFacts(
                operation_id=request.operation.id,
                status=response.status_code,
                attempt=attempt,
                seconds=seconds,
                request_id=headers.get("x-request-id"),
                credits_cost=figure("x-credits-cost"),
                credits_remaining=figure("x-credits-remaining"),
                rate_limit_remaining=figure("x-ratelimit-remaining"),
                is_replay=headers.get("idempotent-replayed") == "true",
            )
        )
    if not response.is_success:
        raise refusal(response.status_code, headers, content)
    try:
        return json.loads(content)
    except ValueError as error:
        raise PharosError(f"{settings.base_url} did not answer in JSON: is the base URL right?") from error


class Caller:
    """The caller behind the groups of operations."""

    def __init__(self, client: httpx.Client, settings: Settings, credential: Callable[[], str]) -> None:
        self._client = client
        self._settings = settings
        self._credential = credential

    def call(
        self,
        operation: Operation,
        ids: Sequence[str],
        *,
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> object:
        return self._with_retries(_prepared(self._settings, operation, ids, query, body, idempotency_key))

    def pages(self, operation: Operation, ids: Sequence[str], *, query: Mapping[str, object] = {}) -> Pages[Any, Any]:
        def read(position: Position) -> object:
            return self.call(operation, ids, query={**query, **position})

        return Pages(operation, read)

    def read(self, path: str) -> object:
        return self._with_retries(_reading(self._settings, path))

    def _with_retries(self, request: _Request) -> object:
        retry = 0
        while True:
            try:
                return self._attempt(request, retry + 1)
            except PharosError as error:
                wait = pause(request.operation, error, retry) if retry < self._settings.max_retries else None
                if wait is None:
                    raise
            time.sleep(wait)
            retry += 1

    def _attempt(self, request: _Request, attempt: int) -> object:
        # Asked for anew each time: a token may have been refreshed meanwhile.
        built = _built(self._client, self._settings, request, self._credential())
        began = time.monotonic()
        content = bytearray()
        try:
            # The API never redirects; a credential goes nowhere else.
            response = self._client.send(built, stream=True, follow_redirects=False)
            try:
                # The timeout of httpx is one of each read; this is one of all.
                for chunk in response.iter_bytes():
                    content += chunk
                    if time.monotonic() - began > self._settings.timeout:
                        raise _late(self._settings, request)
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise _failed(self._settings, request, error) from error
        return _finished(self._settings, request, response, bytes(content), attempt, time.monotonic() - began)


class AsyncCaller:
    """The caller behind the groups of operations, where calls are awaited."""

    def __init__(
        self, client: httpx.AsyncClient, settings: Settings, credential: Callable[[], str | Awaitable[str]]
    ) -> None:
        self._client = client
        self._settings = settings
        self._credential = credential

    async def call(
        self,
        operation: Operation,
        ids: Sequence[str],
        *,
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> object:
        return await self._with_retries(_prepared(self._settings, operation, ids, query, body, idempotency_key))

    def pages(
        self, operation: Operation, ids: Sequence[str], *, query: Mapping[str, object] = {}
    ) -> AsyncPages[Any, Any]:
        async def read(position: Position) -> object:
            return await self.call(operation, ids, query={**query, **position})

        return AsyncPages(operation, read)

    async def read(self, path: str) -> object:
        return await self._with_retries(_reading(self._settings, path))

    async def _with_retries(self, request: _Request) -> object:
        retry = 0
        while True:
            try:
                return await self._attempt(request, retry + 1)
            except PharosError as error:
                wait = pause(request.operation, error, retry) if retry < self._settings.max_retries else None
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            retry += 1

    async def _attempt(self, request: _Request, attempt: int) -> object:
        given = self._credential()
        credential = await given if inspect.isawaitable(given) else given
        built = _built(self._client, self._settings, request, credential)
        began = time.monotonic()
        content = bytearray()
        try:
            response = await self._client.send(built, stream=True, follow_redirects=False)
            try:
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if time.monotonic() - began > self._settings.timeout:
                        raise _late(self._settings, request)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise _failed(self._settings, request, error) from error
        return _finished(self._settings, request, response, bytes(content), attempt, time.monotonic() - began)
