"""Holds requests to the Search Console API against the discovery document of Google's own client, and the assertion of a service
account against its public key. The arguments: a file of requests as JSON, a file with the form of the token request, a file
with the key.
"""

import json
import sys
from typing import Any
from urllib.parse import parse_qs, unquote

from authlib.jose import jwt
from googleapiclient.discovery import build

service = build("searchconsole", "v1", developerKey="none", static_discovery=True)
document: dict[str, Any] = service._rootDesc
schemas = document["schemas"]


def methods(resource: dict[str, Any]) -> list[dict[str, Any]]:
    found = list(resource.get("methods", {}).values())
    for inner in resource.get("resources", {}).values():
        found += methods(inner)
    return found


def faults(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    """How a value is not as the schema has it."""
    if "$ref" in schema:
        return faults(value, schemas[schema["$ref"]], path)
    kind = schema.get("type")
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
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


def is_at(method: dict[str, Any], request: dict[str, Any]) -> bool:
    """Whether a request goes to a method: literal segments are the same, the others are one segment each."""
    want, have = method["path"].split("/"), request["path"].strip("/").split("/")
    return (
        method["httpMethod"] == request["method"]
        and len(want) == len(have)
        and all(part.startswith("{") or part == unquote(found) for part, found in zip(want, have))
    )


found: list[str] = []
for request in json.load(open(sys.argv[1])):
    fitting = [method for method in methods(document) if is_at(method, request)]
    if len(fitting) != 1:
        found.append(f"{request['method']} {request['path']} is no method")
    elif "request" in fitting[0]:
        found += faults(request["body"], fitting[0]["request"], fitting[0]["id"])

form = parse_qs(open(sys.argv[2]).read(), strict_parsing=True)
claims = jwt.decode(form["assertion"][0], open(sys.argv[3]).read())
print(
    json.dumps(
        {
            "faults": found,
            "grant_type": form["grant_type"][0],
            "alg": claims.header["alg"],
            "kid": claims.header["kid"],
            "iss": claims["iss"],
            "aud": claims["aud"],
            "scope": claims["scope"],
            "seconds": claims["exp"] - claims["iat"],
        }
    )
)
