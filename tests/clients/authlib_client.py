"""authlib of PyPI, unmodified: discovery, registration, consent, call, refresh, revocation.

Prints a JSON object a line. After {"authorize": URL} it waits on standard input for where the browser came back to.
"""

import json
import os
import sys

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

base = sys.argv[1]
method = sys.argv[2] if len(sys.argv) > 2 else "none"
redirect_uri = "http://127.0.0.1:8766/callback"


def say(**step):
    print(json.dumps(step), flush=True)


metadata = AuthorizationServerMetadata(requests.get(get_well_known_url(base, external=True)).json())
# Its own checks ask for https, which a test on this machine does not have.
assert metadata["issuer"] == base
client = requests.post(
    metadata["registration_endpoint"],
    json={"client_name": "authlib", "redirect_uris": [redirect_uri], "token_endpoint_auth_method": method},
).json()
say(issuer=metadata["issuer"], client_id=client["client_id"])

session = OAuth2Session(
    client["client_id"],
    client.get("client_secret"),
    token_endpoint_auth_method=method,
    revocation_endpoint_auth_method=method,
    scope="read:overview read:domains",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
)
verifier = generate_token(64)
url, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, resource=base
)
say(authorize=url)
back = sys.stdin.readline().strip()
tokens = session.fetch_token(
    metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier, resource=base
)
say(scope=tokens["scope"], expires_in=tokens["expires_in"])


def call():
    return session.get(f"{base}/api/public/v1/me").status_code


say(called=call())
first = tokens["refresh_token"]
refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=first, resource=base)
say(refreshed=refreshed["refresh_token"] != first, called=call())
session.revoke_token(metadata["revocation_endpoint"], refreshed["refresh_token"])
say(revoked=True, called=call())
