"""Reads a PDF from standard input by pypdf, and prints as JSON what a reader and a screen reader get of it."""

import io
import json
import sys
import tempfile
from collections.abc import Iterator
from xml.etree import ElementTree

from pdfua import validate
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream, DictionaryObject

pdf = sys.stdin.buffer.read()
reader = PdfReader(io.BytesIO(pdf))
root = reader.trailer["/Root"]


def titles(outline: list) -> list[list[str | int]]:
    """Each heading that the outline has, with the number of its page."""
    found: list[list[str | int]] = []
    for entry in outline:
        if isinstance(entry, list):
            found.extend(titles(entry))
        else:
            page = reader.get_destination_page_number(entry)
            found.append([str(entry.title), 0 if page is None else page + 1])
    return found


def kids(node: DictionaryObject) -> list:
    held = node["/K"] if "/K" in node else []
    return [kid.get_object() for kid in (held if isinstance(held, list) else [held])]


def elements() -> Iterator[DictionaryObject]:
    """The elements of the structure tree, in the order in which they are read aloud."""
    rest = [root["/StructTreeRoot"]] if "/StructTreeRoot" in root else []
    while rest:
        node = rest.pop()
        if "/S" in node:
            yield node
        rest.extend(kid for kid in reversed(kids(node)) if isinstance(kid, DictionaryObject))


def scope(cell: DictionaryObject) -> str:
    """Whether a header is one of a row or of a column."""
    attributes = cell["/A"] if "/A" in cell else []
    for one in attributes if isinstance(attributes, list) else [attributes]:
        known = one.get_object()
        if "/Scope" in known:
            return str(known["/Scope"])
    return ""


def pages_of(element: DictionaryObject) -> set[int]:
    """The pages that an element has marks on, its own and those of what stands in it."""
    own = element.raw_get("/Pg").idnum if "/Pg" in element else 0
    found: set[int] = set()
    for kid in kids(element):
        if isinstance(kid, int):
            found.add(own)
        elif isinstance(kid, DictionaryObject) and "/MCID" in kid:
            found.add(kid.raw_get("/Pg").idnum if "/Pg" in kid else own)
        elif isinstance(kid, DictionaryObject) and "/S" in kid:
            found |= pages_of(kid)
    return found


def of_role(*roles: str) -> list[DictionaryObject]:
    return [element for element in elements() if str(element["/S"]) in roles]


LEVELS = [f"/H{level}" for level in range(1, 7)]
# The elements that each of these may hold, by PDF/UA-1 7.2.
HELD = {
    "/L": {"/L", "/LI", "/Caption"},
    "/LI": {"/Lbl", "/LBody"},
    "/Table": {"/TR", "/THead", "/TBody", "/TFoot", "/Caption"},
    "/TR": {"/TH", "/TD"},
}
# The types of PDF 1.7.
STANDARD = """Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl
LBody Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure
Formula Form""".split()
# The operators that draw.
DRAWS = b"""f F f* S s B B* b b* Tj TJ ' " Do sh""".split() + [b"INLINE IMAGE"]


def strangers() -> list[str]:
    """Elements of a type that nobody knows, or where PDF/UA has none of their kind."""
    mapped = root["/StructTreeRoot"].get("/RoleMap", {})
    found: list[str] = []
    for element in elements():
        role = str(element["/S"])
        if str(mapped.get(role, role))[1:] not in STANDARD:
            found.append(role)
        if role in HELD:
            roles = [str(kid.get("/S", "a mark")) if isinstance(kid, DictionaryObject) else "a mark" for kid in kids(element)]
            found.extend(f"{one} in {role}" for one in roles if one not in HELD[role])
    return found


def marks() -> set[tuple[int, int]]:
    """The marks that elements have, each by its page."""
    found: set[tuple[int, int]] = set()
    for element in elements():
        page = element.raw_get("/Pg").idnum if "/Pg" in element else 0
        for kid in kids(element):
            if isinstance(kid, int):
                found.add((page, int(kid)))
            elif isinstance(kid, DictionaryObject) and "/MCID" in kid:
                found.add((kid.raw_get("/Pg").idnum if "/Pg" in kid else page, int(kid["/MCID"])))
    return found


def loose(page: PageObject, owned: set[tuple[int, int]]) -> int:
    """How much of what a page draws is neither an element's nor an artifact."""
    number = page.indirect_reference.idnum if page.indirect_reference else 0
    open_marks: list[bool] = []
    count = 0
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator in (b"BMC", b"BDC"):
            about = operands[1] if len(operands) > 1 and isinstance(operands[1], DictionaryObject) else {}
            is_owned = "/MCID" in about and (number, int(about["/MCID"])) in owned
            open_marks.append(is_owned or operands[0] == "/Artifact")
        elif operator == b"EMC":
            open_marks.pop()
        elif operator in DRAWS and not any(open_marks):
            count += 1
    return count


def links() -> list[list[str | bool]]:
    """Of each annotation what it is, what it says, whether its element knows it, and how tabs go on its page."""
    known = {
        kid.raw_get("/Obj").idnum
        for element in of_role("/Link")
        for kid in kids(element)
        if isinstance(kid, DictionaryObject) and "/Obj" in kid
    }
    return [
        [str(one["/Subtype"]), str(one.get("/Contents", "")), entry.idnum in known, str(page.get("/Tabs", ""))]
        for page in reader.pages
        for entry in (page["/Annots"] if "/Annots" in page else [])
        for one in [entry.get_object()]
    ]


def sizes() -> dict[str, int]:
    """How many letters there are of each size, in points as they are printed."""
    found: dict[str, int] = {}

    def note(text: str, transform: list[float], line: list[float], _font: object, size: float) -> None:
        if letters := len(text.strip()):
            points = f"{abs(transform[3] * line[3]) * size:.2f}"
            found[points] = found.get(points, 0) + letters

    for page in reader.pages:
        page.extract_text(visitor_text=note)
    return found


def metadata() -> dict[str, str]:
    """The title and the part of PDF/UA that the file says to conform to."""
    if "/Metadata" not in root:
        return {}
    packet = ElementTree.fromstring(root["/Metadata"].get_data())
    names = {
        "title": "{http://purl.org/dc/elements/1.1/}title",
        "part": "{http://www.aiim.org/pdfua/ns/id/}part",
    }
    return {name: "".join(found.itertext()) for name, tag in names.items() for found in packet.iter(tag)}


def findings() -> list[str]:
    """What pdfua has against it."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        return [f"{finding.rule_id} {finding.message}" for finding in validate(file.name).findings]


owned = marks()

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
            "repeated": sum(scope(cell) == "/Column" and len(pages_of(cell)) > 1 for cell in of_role("/TH")),
            "sizes": sizes(),
            "metadata": metadata(),
            "links": links(),
            "strangers": strangers(),
            "loose": [loose(page, owned) for page in reader.pages],
            "findings": findings(),
        }
    )
)
