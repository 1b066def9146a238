"""Asks the Chrome UX Report at the address given as the first argument with Google's own client, and prints what it was told.
`undocumented` names the members of its answers that the discovery document of that client does not have, and `faults` says how the
requests in the file given as the second argument, a list of paths with bodies, are not as that document has them.
"""

import json
import sys
from typing import Any

from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

service = build(
    "chromeuxreport",
    "v1",
    developerKey="test-key",
    static_discovery=True,
    client_options={"api_endpoint": sys.argv[1]},
)
schemas: dict[str, Any] = service._schema.schemas


def undocumented(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """The paths of members that the schema does not have. A schema without a type takes anything."""
    if "$ref" in schema:
        return undocumented(value, schemas[schema["$ref"]], path)
    if isinstance(value, dict):
        found = []
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            found += [f"{path}.{name}"] if inner is None else undocumented(member, inner, f"{path}.{name}")
        return found
    if isinstance(value, list):
        return [fault for item in value for fault in undocumented(item, schema.get("items", {}), path)]
    return []


def faults(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """How a value that is sent is not as the schema has it."""
    if "$ref" in schema:
        return faults(value, schemas[schema["$ref"]], path)
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int}
    kind = schema.get("type")
    if kind in kinds and not isinstance(value, kinds[kind]):
        return [f"{path} is no {kind}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path} can't be {value}"]
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found = [f"{path}.{name} is unknown" for name in value if name not in known]
        return found + [fault for name in value if name in known for fault in faults(value[name], known[name], f"{path}.{name}")]
    if isinstance(value, list):
        return [fault for item in value for fault in faults(item, schema["items"], path)]
    return []


def sent_wrongly(requests: list[list[Any]]) -> list[str]:
    """How requests are not those of methods of the discovery document."""
    methods = service._rootDesc["resources"]["records"]["methods"].values()
    by_path = {f"/{method['path']}": method for method in methods}
    found = []
    for path, body in requests:
        if path in by_path:
            found += faults(body, by_path[path]["request"], by_path[path]["id"])
        else:
            found.append(f"{path} is no method")
    return found


record = service.records().queryRecord(body={"origin": "https://shop.example", "formFactor": "PHONE"}).execute()
history = (
    service.records().queryHistoryRecord(body={"origin": "https://shop.example", "collectionPeriodCount": 3}).execute()
)
try:
    service.records().queryRecord(body={"origin": "https://unknown.example"}).execute()
    unknown = 200
except HttpError as error:
    unknown = error.status_code

metrics = record["record"]["metrics"]
series = history["record"]["metrics"]["largest_contentful_paint"]
print(
    json.dumps(
        {
            "lcp": metrics["largest_contentful_paint"]["percentiles"]["p75"],
            "cls": metrics["cumulative_layout_shift"]["percentiles"]["p75"],
            "last": record["record"]["collectionPeriod"]["lastDate"],
            "weeks": len(history["record"]["collectionPeriods"]),
            "gap": [
                series["percentilesTimeseries"]["p75s"][1],
                series["histogramTimeseries"][0]["densities"][1],
            ],
            "unknown": unknown,
            "undocumented": undocumented(record, {"$ref": "QueryResponse"}, "record")
            + undocumented(history, {"$ref": "QueryHistoryResponse"}, "history"),
            "faults": sent_wrongly(json.load(open(sys.argv[2]))),
        }
    )
)
