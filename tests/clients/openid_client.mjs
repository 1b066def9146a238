// openid-client of npm, unmodified: discovery, registration, consent, call, refresh, revocation.
//
// Prints a JSON object a line. After {"authorize": URL} it waits on standard input for where the browser came back to.
import { webcrypto } from "node:crypto";
import { createInterface } from "node:readline/promises";

// Node.js 18 has it, and does not show it.
globalThis.crypto ??= webcrypto;
const client = await import("openid-client");

const base = process.argv[2];
const redirectUri = "http://127.0.0.1:8765/callback";
const say = (step) => console.log(JSON.stringify(step));
const insecure = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };

const method = process.argv[3] ?? "none";
let config = await client.dynamicClientRegistration(
  new URL(base),
  {
    client_name: "openid-client",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: method,
  },
  undefined,
  insecure,
);
if (method === "client_secret_basic") {
  // It sends secrets in the form unless it is told otherwise.
  const { client_id: id, client_secret: secret } = config.clientMetadata();
  config = new client.Configuration(config.serverMetadata(), id, undefined, client.ClientSecretBasic(secret));
  client.allowInsecureRequests(config);
}
say({ issuer: config.serverMetadata().issuer, client_id: config.clientMetadata().client_id });

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const authorize = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: "read:overview read:domains",
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
  state,
  resource: base,
});
say({ authorize: authorize.href });
const lines = createInterface({ input: process.stdin });
const { value: back } = await lines[Symbol.asyncIterator]().next();
lines.close();

const tokens = await client.authorizationCodeGrant(
  config,
  new URL(back),
  { pkceCodeVerifier: verifier, expectedState: state },
  { resource: base },
);
say({ scope: tokens.scope, expires_in: tokens.expires_in });
const call = async (token) => {
  const answer = await client.fetchProtectedResource(config, token, new URL(`${base}/api/public/v1/me`), "GET").catch(
    (error) => error.response ?? error.cause,
  );
  return answer.status;
};
say({ called: await call(tokens.access_token) });
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, { resource: base });
say({ refreshed: refreshed.refresh_token !== tokens.refresh_token, called: await call(refreshed.access_token) });
await client.tokenRevocation(config, refreshed.refresh_token);
say({ revoked: true, called: await call(refreshed.access_token) });
