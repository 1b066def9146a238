"""The Python SDK of the Model Context Protocol, unmodified: it finds the authorization server by the 401 of the MCP server,
registers, lists and calls tools, refreshes once its access token has lapsed, and asks for authorization anew once its grant is
revoked.

Takes the MCP server, the authorization server, and where the browser is to come back to. Prints a JSON object a line. After the
first {"authorize": URL} it waits on standard input for where the browser came back to.
"""

import asyncio
import json
import os
import sys
import time
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

SERVER, AUTHORIZATION_SERVER, CALLBACK = sys.argv[1:4]


def say(step):
    print(json.dumps(step), flush=True)


class Kept:
    """What a client keeps, and the user's browser."""

    tokens = None
    client = None
    is_revoked = False

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client

    async def open(self, url):
        say({"authorize": url})

    async def back(self):
        if self.is_revoked:
            say({"ended": True})
            os._exit(0)
        came_back = await asyncio.to_thread(sys.stdin.readline)
        query = parse_qs(urlsplit(came_back.strip()).query)
        first = lambda name: query.get(name, [None])[0]
        return AuthorizationCodeResult(code=first("code"), state=first("state"), iss=first("iss"))


async def main():
    kept = Kept()
    metadata = OAuthClientMetadata(
        client_name="MCP SDK",
        redirect_uris=[CALLBACK],
        token_endpoint_auth_method="none",
    )
    provider = OAuthClientProvider(SERVER, metadata, kept, kept.open, kept.back)

    async def called():
        async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
            async with Client(streamable_http_client(SERVER, http_client=http)) as client:
                tools = await client.list_tools()
                result = await client.call_tool("domains", {})
                return client.protocol_version, tools.tools, result.structured_content

    version, tools, content = await called()
    domains = [domain["domain"] for domain in content["domains"]["items"]]
    say({"version": version, "tools": [tool.name for tool in tools], "domains": domains})

    refresh = kept.tokens.refresh_token
    # As an hour later.
    provider.context.token_expiry_time = time.time() - 1
    await called()
    say({"refreshed": kept.tokens.refresh_token != refresh})

    async with httpx2.AsyncClient(timeout=30) as http:
        about = await http.get(f"{AUTHORIZATION_SERVER}/.well-known/oauth-authorization-server")
        form = {"token": kept.tokens.refresh_token, "client_id": kept.client.client_id}
        revoked = await http.post(about.json()["revocation_endpoint"], data=form)
        revoked.raise_for_status()
    kept.is_revoked = True
    await called()
    say({"ended": False})


asyncio.run(main())
