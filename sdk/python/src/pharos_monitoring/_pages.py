"""Lists, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._errors import PharosError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping

    from ._operation import Operation

Page = TypeVar("Page")
Item = TypeVar("Item")
# The parameters that say which page is meant.
Position = dict[str, object]


def _following(operation: Operation, page: Mapping[str, Any], position: Position) -> Position | None:
    """The position of the page after `page`; None where that is the last."""
    if operation.total is not None:
        reached = page["offset"] + len(page["items"])
        return {"offset": reached} if page["items"] and reached < page[operation.total] else None
    cursor = page["next_cursor"]
    if not page["has_more"] or cursor is None:
        return None
    if cursor == position.get("cursor"):
        raise PharosError("The list does not go on: its cursor came twice.")
    return {"cursor": cursor}


class Pages(Generic[Page, Item]):
    """A list, page by page. Nothing is asked for until somebody wants it.

    `for item in pages` goes through all items of all pages, `pages.pages()` through the pages, and `pages.first()` is the first page
    as the API has it.
    """

    def __init__(self, operation: Operation, read: Callable[[Position], Any]) -> None:
        self._operation = operation
        self._read = read

    def first(self) -> Page:
        """The first page."""
        page: Page = self._read({})
        return page

    def pages(self) -> Iterator[Page]:
        """All pages."""
        position: Position | None = {}
        while position is not None:
            page = self._read(position)
            yield page
            position = _following(self._operation, page, position)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["items"]  # type: ignore[index]


class AsyncPages(Generic[Page, Item]):
    """A list, page by page. Nothing is asked for until somebody wants it.

    `async for item in pages` goes through all items of all pages, `pages.pages()` through the pages, and `await pages.first()` is the
    first page as the API has it.
    """

    def __init__(self, operation: Operation, read: Callable[[Position], Awaitable[Any]]) -> None:
        self._operation = operation
        self._read = read

    async def first(self) -> Page:
        """The first page."""
        page: Page = await self._read({})
        return page

    async def pages(self) -> AsyncIterator[Page]:
        """All pages."""
        position: Position | None = {}
        while position is not None:
            page = await self._read(position)
            yield page
            position = _following(self._operation, page, position)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page["items"]:  # type: ignore[index]
                yield item
