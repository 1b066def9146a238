"""Asks the Search Console API at the address given as the first argument with Google's own client, and prints what it was told.
`undocumented` names the members of its answers that the discovery document of that client does not have, `unlisted` the values
of an inspection that its enums do not have, and `enums` lists what these have.
"""

import json
import sys
from typing import Any

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

service = build(
    "searchconsole",
    "v1",
    credentials=Credentials("played.test"),
    static_discovery=True,
    client_options={"api_endpoint": sys.argv[1]},
)
schemas: dict[str, Any] = service._schema.schemas
SITE = "sc-domain:shop.example"


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


def unlisted(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """The paths of values that are none of those that the schema lists."""
    if "$ref" in schema:
        return unlisted(value, schemas[schema["$ref"]], path)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return [fault for name in value if name in known for fault in unlisted(value[name], known[name], f"{path}.{name}")]
    if isinstance(value, list):
        return [fault for item in value for fault in unlisted(item, schema.get("items", {}), path)]
    return [f"{path} is {value}"] if "enum" in schema and value not in schema["enum"] else []


def query(site: str = SITE, **body: Any) -> dict[str, Any]:
    days = {"startDate": "2026-03-28", "endDate": "2026-03-29"}
    return service.searchanalytics().query(siteUrl=site, body=days | body).execute()


def refused(site: str = SITE, **body: Any) -> int:
    try:
        query(site, **body)
    except HttpError as error:
        return error.status_code
    return 200


# The guides spell names in camel case, the discovery document in upper snake case; both count.
totals = query(dimensions=["date"], dataState="all", type="web")
queries = query(dimensions=["QUERY", "COUNTRY"], dataState="FINAL", endDate="2026-03-28", rowLimit=10)
pages = query(dimensions=["page"], dataState="final", endDate="2026-03-28", aggregationType="byPage")
sites = service.sites().list().execute()
sitemaps = service.sitemaps().list(siteUrl=SITE).execute()
page = {"inspectionUrl": "https://shop.example/product/arc", "siteUrl": SITE, "languageCode": "en-US"}
inspected = service.urlInspection().index().inspect(body=page).execute()
result = inspected["inspectionResult"]
index = result["indexStatusResult"]

told = sum(row["clicks"] for row in queries["rows"])
all_clicks = sum(row["clicks"] for row in pages["rows"])
shoes = queries["rows"][0]
parts = ["IndexStatusInspectionResult", "AmpInspectionResult", "AmpIssue", "RichResultsInspectionResult", "RichResultsIssue"]
enums = {
    f"{name}.{member}": schema["enum"]
    for name in parts
    for member, schema in schemas[name]["properties"].items()
    if "enum" in schema
}
print(
    json.dumps(
        {
            "totals": [[row["keys"][0], row["clicks"], row["impressions"]] for row in totals["rows"]],
            "first_incomplete": totals["metadata"]["firstIncompleteDate"],
            "shoes": [shoes["keys"], shoes["clicks"], shoes["position"]],
            "hidden": all_clicks - told,
            "aggregations": [queries["responseAggregationType"], pages["responseAggregationType"]],
            "sitemaps": [[sitemap["path"], sitemap["contents"][0]["submitted"]] for sitemap in sitemaps["sitemap"]],
            "levels": [site["permissionLevel"] for site in sites["siteEntry"]],
            "refused": [refused(dimensions=["QUERY"], type="DISCOVER"), refused("sc-domain:other.example")],
            "inspected": [index["verdict"], index["coverageState"], index["googleCanonical"], index["sitemap"]],
            "rich": [found["richResultType"] for found in result["richResultsResult"]["detectedItems"]],
            "enums": enums,
            "unlisted": unlisted(inspected, {"$ref": "InspectUrlIndexResponse"}, "inspected"),
            "undocumented": undocumented(totals, {"$ref": "SearchAnalyticsQueryResponse"}, "totals")
            + undocumented(queries, {"$ref": "SearchAnalyticsQueryResponse"}, "queries")
            + undocumented(pages, {"$ref": "SearchAnalyticsQueryResponse"}, "pages")
            + undocumented(sites, {"$ref": "SitesListResponse"}, "sites")
            + undocumented(sitemaps, {"$ref": "SitemapsListResponse"}, "sitemaps")
            + undocumented(inspected, {"$ref": "InspectUrlIndexResponse"}, "inspected"),
        }
    )
)
