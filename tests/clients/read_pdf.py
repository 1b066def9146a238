"""Reads a PDF from standard input by pypdf, and prints as JSON what a reader and a screen reader get of it."""

import io
import json
import sys
from collections.abc import Iterator

from pypdf import PdfReader
from pypdf.generic import DictionaryObject

reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
root = reader.trailer["/Root"]


def titles(outline: list) -> list[str]:
    found: list[str] = []
    for entry in outline:
        found.extend(titles(entry) if isinstance(entry, list) else [str(entry.title)])
    return found


def elements() -> Iterator[DictionaryObject]:
    """The elements of the structure tree, in the order in which they are read aloud."""
    rest = [root["/StructTreeRoot"]] if "/StructTreeRoot" in root else []
    while rest:
        node = rest.pop()
        if "/S" in node:
            yield node
        kids = node["/K"] if "/K" in node else []
        kids = [kid.get_object() for kid in (kids if isinstance(kids, list) else [kids])]
        rest.extend(kid for kid in reversed(kids) if isinstance(kid, DictionaryObject))


def scope(cell: DictionaryObject) -> str:
    """Whether a header is one of a row or of a column."""
    attributes = cell["/A"] if "/A" in cell else []
    for one in attributes if isinstance(attributes, list) else [attributes]:
        known = one.get_object()
        if "/Scope" in known:
            return str(known["/Scope"])
    return ""


def of_role(*roles: str) -> list[DictionaryObject]:
    return [element for element in elements() if str(element["/S"]) in roles]


LEVELS = [f"/H{level}" for level in range(1, 7)]

print(
    json.dumps(
        {
            "pages": [page.extract_text() for page in reader.pages],
            "is_tagged": bool(root.get("/MarkInfo", {}).get("/Marked", False)) and "/StructTreeRoot" in root,
            "language": str(root.get("/Lang", "")),
            "title": str(reader.metadata.title) if reader.metadata else "",
            "outline": titles(reader.outline),
            "shows_title": bool(root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False)),
            "headings": [int(str(heading["/S"])[2:]) for heading in of_role(*LEVELS)],
            "pictures": [str(picture["/Alt"]) if "/Alt" in picture else "" for picture in of_role("/Figure")],
            "tables": len(of_role("/Table")),
            "headers": [scope(cell) for cell in of_role("/TH")],
        }
    )
)
