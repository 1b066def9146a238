"""The clients."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast
from urllib.parse import urlsplit

import httpx

from ._errors import PharosError
from ._generated.async_groups import AsyncGroups
from ._generated.groups import Groups
from ._http import AsyncCaller, Caller, Settings
from ._runs import async_poll, is_final, poll, status_path

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import TracebackType

    from typing_extensions import Self

    from . import types as t
    from ._http import AnswerFacts

R = TypeVar("R", bound="t.Run")
Source = TypeVar("Source")

_TIMEOUT = 60.0
_MAX_RETRIES = 2


def _is_origin(text: str) -> bool:
    """Whether it is the address of a host, without a path or whatever else an address may have."""
    try:
        url = urlsplit(text)
        has_host = bool(url.hostname) and url.port != 0
    except ValueError:
        return False
    rest = (url.username, url.password, url.query, url.fragment, url.path.strip("/"))
    return url.scheme in ("http", "https") and has_host and not any(rest)


def _settings(
    base_url: str | None, timeout: float, max_retries: int, on_answer: Callable[[AnswerFacts], None] | None
) -> Settings:
    text = base_url or os.environ.get("PHAROS_URL")
    if not text:
        raise PharosError("Give base_url, or set PHAROS_URL.")
    if not _is_origin(text):
        raise PharosError(
            "base_url must be an http or https address without a path, such as https://pharos.example."
        )
    return Settings(text.rstrip("/"), timeout, max_retries, on_answer)


def _credential(api_key: str | None, access_token: str | Source | None) -> str | Source:
    if api_key is not None and access_token is not None:
        raise PharosError("Give api_key or access_token, not both.")
    given = access_token if api_key is None else api_key
    if given is None:
        given = os.environ.get("PHAROS_API_KEY")
    if given is None:
        raise PharosError("Give api_key or access_token, or set PHAROS_API_KEY.")
    return given


class Pharos(Groups):
    """A client of one Pharos. It may be shared by threads: one is enough for a process.

    Args:
        base_url: Where Pharos is, such as `https://pharos.example`. Left out: the variable PHAROS_URL.
        api_key: An API key. Left out, and without `access_token`: the variable PHAROS_API_KEY.
        access_token: An access token of OAuth, or what gives one: it is called before each attempt, so that it may refresh the
            token.
        timeout: Seconds that one attempt may take.
        max_retries: How often a call is tried again at most.
        on_answer: Is told of each answer, refusals and retries included.
        http_client: A client of httpx of your own, for instance one with a proxy. Closing it stays yours.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        access_token: str | Callable[[], str] | None = None,
        timeout: float = _TIMEOUT,
        max_retries: int = _MAX_RETRIES,
        on_answer: Callable[[AnswerFacts], None] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        given = _credential(api_key, access_token)
        self._settings = _settings(base_url, timeout, max_retries, on_answer)
        self._source = given if callable(given) else lambda: given
        self._client = http_client or httpx.Client()
        self._is_own = http_client is None
        self._caller = Caller(self._client, self._settings, self._source)
        super().__init__(self._caller)

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Pharos:
        """The same client, with connections of this one, and another patience."""
        return Pharos(
            base_url=self._settings.base_url,
            access_token=self._source,
            timeout=self._settings.timeout if timeout is None else timeout,
            max_retries=self._settings.max_retries if max_retries is None else max_retries,
            on_answer=self._settings.on_answer,
            http_client=self._client,
        )

    def wait_for_run(self, run: R, *, timeout: float = 600.0, interval: float = 1.0) -> R:
        """Waits until a run has ended, and gives how it did: look at its `status`, since a run may fail.

        For runs of reports, of the inspector and of lab tests. Other runs have no status that can be read; `poll` waits for what they
        find.
        """
        if is_final(run):
            return run
        path = status_path(run)
        return poll(lambda: cast("R", self._caller.read(path)), is_final, timeout=timeout, interval=interval)

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Pharos({self._settings.base_url!r})"


class AsyncPharos(AsyncGroups):
    """A client of one Pharos whose calls are awaited, by asyncio. Its arguments are those of `Pharos`."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        access_token: str | Callable[[], str | Awaitable[str]] | None = None,
        timeout: float = _TIMEOUT,
        max_retries: int = _MAX_RETRIES,
        on_answer: Callable[[AnswerFacts], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        given = _credential(api_key, access_token)
        self._settings = _settings(base_url, timeout, max_retries, on_answer)
        self._source = given if callable(given) else lambda: given
        self._client = http_client or httpx.AsyncClient()
        self._is_own = http_client is None
        self._caller = AsyncCaller(self._client, self._settings, self._source)
        super().__init__(self._caller)

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncPharos:
        """The same client, with connections of this one, and another patience."""
        return AsyncPharos(
            base_url=self._settings.base_url,
            access_token=self._source,
            timeout=self._settings.timeout if timeout is None else timeout,
            max_retries=self._settings.max_retries if max_retries is None else max_retries,
            on_answer=self._settings.on_answer,
            http_client=self._client,
        )

    async def wait_for_run(self, run: R, *, timeout: float = 600.0, interval: float = 1.0) -> R:
        """Waits until a run has ended, and gives how it did: look at its `status`, since a run may fail.

        For runs of reports, of the inspector and of lab tests. Other runs have no status that can be read; `async_poll` waits for
        what they find.
        """
        if is_final(run):
            return run
        path = status_path(run)

        async def read() -> R:
            return cast("R", await self._caller.read(path))

        return await async_poll(read, is_final, timeout=timeout, interval=interval)

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncPharos({self._settings.base_url!r})"
