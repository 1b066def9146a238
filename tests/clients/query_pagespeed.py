"""Asks PageSpeed Insights at the address given as the first argument with Google's own client, and prints what it was told.
`undocumented` names the members of its answers that the discovery document of that client does not have.
"""

import json
import sys
from typing import Any

from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

service = build(
    "pagespeedonline",
    "v5",
    developerKey="test-key",
    static_discovery=True,
    client_options={"api_endpoint": sys.argv[1]},
)
schemas: dict[str, Any] = service._schema.schemas


def undocumented(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """The paths of members that the schema does not have. One of the type `any` takes anything."""
    if "$ref" in schema:
        return undocumented(value, schemas[schema["$ref"]], path)
    if schema.get("type") == "any":
        return []
    if isinstance(value, dict):
        found = []
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            found += [f"{path}.{name}"] if inner is None else undocumented(member, inner, f"{path}.{name}")
        return found
    if isinstance(value, list):
        return [fault for item in value for fault in undocumented(item, schema.get("items", {}), path)]
    return []


def ask(url: str) -> dict[str, Any]:
    return (
        service.pagespeedapi()
        .runpagespeed(
            url=url,
            strategy="MOBILE",
            locale="en-US",
            category=["PERFORMANCE", "ACCESSIBILITY", "BEST_PRACTICES", "SEO"],
        )
        .execute()
    )


answer = ask("https://shop.example/shoes")
try:
    ask("https://shop.example/unpainted")
    unpainted = 200
except HttpError as error:
    unpainted = error.status_code
print(
    json.dumps(
        {
            "score": answer["lighthouseResult"]["categories"]["performance"]["score"],
            "unpainted": unpainted,
            "undocumented": undocumented(answer, {"$ref": "PagespeedApiPagespeedResponseV5"}, "answer"),
        }
    )
)
