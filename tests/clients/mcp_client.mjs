// The TypeScript SDK of the Model Context Protocol, unmodified: it finds the authorization server by the 401 of the MCP
// server, registers, lists and calls tools, refreshes once its access token is not accepted any more, and asks for
// authorization anew once its grant is revoked.
//
// Takes the MCP server, the authorization server, and where the browser is to come back to. Prints a JSON object a line. After
// the first {"authorize": URL} it waits on standard input for where the browser came back to.
import { createInterface } from "node:readline/promises";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [server, authorizationServer] = [new URL(process.argv[2]), process.argv[3]];
const callback = process.argv[4];
const say = (step) => console.log(JSON.stringify(step));

const kept = {};
const provider = {
  redirectUrl: callback,
  clientMetadata: {
    client_name: "MCP SDK",
    redirect_uris: [callback],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  invalidateCredentials: () => void delete kept.tokens,
  redirectToAuthorization: (url) => say({ authorize: url.href }),
};

const connected = async () => {
  const client = new Client({ name: "sdk-test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(server, { authProvider: provider }));
  return client;
};

const first = new StreamableHTTPClientTransport(server, { authProvider: provider });
const begun = await new Client({ name: "sdk-test", version: "1.0.0" }).connect(first).catch((error) => error);
if (!(begun instanceof UnauthorizedError)) {
  throw begun ?? new Error("no authorization was asked for");
}
const lines = createInterface({ input: process.stdin });
const { value: back } = await lines[Symbol.asyncIterator]().next();
lines.close();
await first.finishAuth(new URL(back).searchParams.get("code"));

const client = await connected();
const { tools } = await client.listTools();
const called = await client.callTool({ name: "domains", arguments: {} });
say({
  version: client.transport.protocolVersion,
  tools: tools.map((tool) => tool.name),
  domains: called.structuredContent.domains.items.map((domain) => domain.domain),
});

const refresh = kept.tokens.refresh_token;
kept.tokens.access_token = "spoiled";
await (await connected()).callTool({ name: "domains", arguments: {} });
say({ refreshed: kept.tokens.refresh_token !== refresh });

const about = await (await fetch(new URL("/.well-known/oauth-authorization-server", authorizationServer))).json();
const form = { token: kept.tokens.refresh_token, client_id: kept.client.client_id };
await fetch(about.revocation_endpoint, { method: "POST", body: new URLSearchParams(form) });
const ended = await client.callTool({ name: "domains", arguments: {} }).catch((error) => error);
say({ ended: ended instanceof UnauthorizedError });
process.exit(0);
