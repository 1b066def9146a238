"""Reads a PDF from standard input by pypdf, and prints as JSON what a reader and a screen reader get of it."""

import io
import json
import sys

from pypdf import PdfReader

reader = PdfReader(io.BytesIO(sys.stdin.buffer.read()))
root = reader.trailer["/Root"]


def titles(outline: list) -> list[str]:
    found: list[str] = []
    for entry in outline:
        found.extend(titles(entry) if isinstance(entry, list) else [str(entry.title)])
    return found


print(
    json.dumps(
        {
            "pages": [page.extract_text() for page in reader.pages],
            "is_tagged": bool(root.get("/MarkInfo", {}).get("/Marked", False)) and "/StructTreeRoot" in root,
            "language": str(root.get("/Lang", "")),
            "title": str(reader.metadata.title) if reader.metadata else "",
            "outline": titles(reader.outline),
        }
    )
)
