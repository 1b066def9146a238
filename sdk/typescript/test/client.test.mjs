// The layer by hand, against a server that is played here. `tests/api/sdk` has the same client call a real Pharos.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import * as sdk from "../dist/index.js";

const { Pharos, poll } = sdk;
const DOMAIN = "0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33";
const KEY = "svc_dev_secret";

/** The answers that come next, each a function of request and response. */
let script = [];
/** The requests that came, with their bodies. */
let heard = [];
let base;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  heard.push({ method: request.method, url: request.url, headers: request.headers, body });
  const next = script.length > 1 ? script.shift() : script[0];
  next(request, response);
});

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.closeAllConnections() ?? server.close());
beforeEach(() => {
  heard = [];
});

const client = (options = {}) => new Pharos({ baseUrl: base, apiKey: KEY, ...options });
const json = (body, status = 200, headers = {}) => (_, response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};
const problem = (status, code, headers = {}, more = {}) =>
  json({ type: `${base}/docs/api/errors/${code}`, title: code, status, detail: `It is ${code}.`, ...more }, status, headers);
const cut = (request) => request.socket.destroy();
const never = () => {};

test("a call is sent as the document says, and answered by what came", async () => {
  script = [json({ state: "up" })];
  assert.deepEqual(await client().uptime.getStatus(DOMAIN), { state: "up" });
  const [{ method, url, headers }] = heard;
  assert.deepEqual([method, url], ["GET", `/api/public/v1/domains/${DOMAIN}/uptime/status`]);
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(headers["idempotency-key"], undefined);
});

test("lists in a query are repeated, members that are left out are not sent, bodies are JSON", async () => {
  script = [json({})];
  await client().analytics.getFunnel(DOMAIN, { step: ["page:/", "event:a b"], country: undefined });
  assert.equal(new URL(heard[0].url, base).search, "?step=page%3A%2F&step=event%3Aa+b");
  await client().uptime.updateConfig(DOMAIN, { interval_seconds: 300, keyword: null });
  assert.equal(heard[1].body, '{"interval_seconds":300,"keyword":null}');
});

test("a refusal is a typed problem, and says what to do", async () => {
  script = [problem(404, "domain-not-found", { "x-request-id": "0190" })];
  const error = await client().platform.getDomain(DOMAIN).catch((error) => error);
  assert.ok(error instanceof sdk.NotFoundError && error instanceof sdk.APIError);
  assert.deepEqual(
    [error.name, error.status, error.code, error.requestId, error.help],
    ["NotFoundError", 404, "domain-not-found", "0190", `${base}/docs/api/errors/domain-not-found`],
  );
  assert.match(error.message, /It is domain-not-found\. What to do: http.*0190/);
  assert.equal(heard.length, 1);
});

test("an answer of something else is an error that says so", async () => {
  const page = (status) => (_, response) => response.writeHead(status, { "content-type": "text/html" }).end("<p>Hello");
  script = [page(403)];
  const refused = await client().platform.getMe().catch((error) => error);
  assert.deepEqual([refused.name, refused.code, refused.problem], ["PermissionDeniedError", undefined, undefined]);
  script = [page(200)];
  await assert.rejects(client().platform.getMe(), /is the base URL right/);
  script = [(_, response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()];
  await assert.rejects(client().platform.getMe(), { status: 307 });
  assert.equal(heard.length, 3);
});

test("Retry-After is waited for, and no longer than a minute", async () => {
  script = [problem(429, "rate-limited", { "retry-after": "1" }), json({})];
  const began = Date.now();
  await client().platform.getMe();
  assert.ok(Date.now() - began >= 1000);
  script = [problem(429, "rate-limited", { "retry-after": "3600" })];
  await assert.rejects(client().platform.getMe(), { name: "RateLimitError", retryAfter: 3600 });
  assert.equal(heard.length, 3);
});

test("retries end", async () => {
  script = [problem(503, "credit-balance-unavailable", { "retry-after": "0" })];
  await assert.rejects(client().platform.getMe(), { name: "ServerError" });
  assert.equal(heard.length, 3);
  await assert.rejects(client().platform.getMe({ maxRetries: 0 }), { name: "ServerError" });
  assert.equal(heard.length, 4);
});

test("a run keeps one key over its retries, and each call has a key of its own", async () => {
  script = [cut, problem(409, "idempotency-in-progress", { "retry-after": "0" }), json({}, 202)];
  await client().uptime.runCheck(DOMAIN);
  script = [json({}, 202)];
  await client().uptime.runCheck(DOMAIN);
  await client().uptime.runCheck(DOMAIN, {}, { idempotencyKey: "mine" });
  const keys = heard.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.equal(new Set(keys.slice(2)).size, 3);
  assert.equal(keys[4], "mine");
  assert.equal(new Set(heard.slice(0, 3).map(({ body }) => body)).size, 1);
});

test("a change that may have been made is not sent again, one that a limit refused is", async () => {
  for (const answer of [cut, problem(500, "internal-error", { "retry-after": "0" })]) {
    script = [answer];
    heard = [];
    await assert.rejects(client().sitemap.createFile(DOMAIN, { url: "https://shop.example/sitemap.xml" }), sdk.PharosError);
    assert.equal(heard.length, 1);
  }
  script = [problem(429, "rate-limited", { "retry-after": "0" }), json({}, 201)];
  heard = [];
  await client().sitemap.createFile(DOMAIN, { url: "https://shop.example/sitemap.xml" });
  assert.equal(heard.length, 2);
});

test("other conflicts are told at once", async () => {
  script = [problem(409, "idempotency-key-reuse")];
  await assert.rejects(client().uptime.runCheck(DOMAIN), { name: "ConflictError", code: "idempotency-key-reuse" });
  assert.equal(heard.length, 1);
});

test("a call that takes too long ends, and so does one that its caller ends", async () => {
  script = [never];
  await assert.rejects(client().platform.getMe({ timeout: 50, maxRetries: 0 }), { name: "APITimeoutError" });
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error("enough")), 50);
  await assert.rejects(client().platform.getMe({ signal: ending.signal }), /enough/);
  script = [problem(429, "rate-limited", { "retry-after": "30" })];
  const waiting = AbortSignal.timeout(300);
  await assert.rejects(client().platform.getMe({ signal: waiting }), { name: "TimeoutError" });
});

test("lists go on by cursor and by offset, and no further than somebody looks", async () => {
  const page = (items, next_cursor) => json({ items, next_cursor, has_more: next_cursor !== null });
  script = [page([1, 2], "b"), page([3], "c"), page([4], null)];
  const all = [];
  for await (const item of client().uptime.listChecks(DOMAIN, { limit: 2 })) all.push(item);
  assert.deepEqual(all, [1, 2, 3, 4]);
  assert.deepEqual(
    heard.map(({ url }) => url.split("?")[1]),
    ["limit=2", "limit=2&cursor=b", "limit=2&cursor=c"],
  );

  script = [page([1, 2], "b")];
  heard = [];
  assert.deepEqual(await client().uptime.listChecks(DOMAIN).toArray({ max: 2 }), [1, 2]);
  assert.equal((await client().uptime.listChecks(DOMAIN)).next_cursor, "b");
  assert.equal(heard.length, 2);
  await assert.rejects(client().uptime.listChecks(DOMAIN).toArray({ max: 100 }), /cursor came twice/);

  const rows = (offset, items) => json({ items, offset, limit: 2, total_rows: 3 });
  script = [rows(0, [1, 2]), rows(2, [3])];
  heard = [];
  const sizes = [];
  for await (const { items } of client().analytics.listReportRows(DOMAIN, DOMAIN).pages()) sizes.push(items.length);
  assert.deepEqual(sizes, [2, 1]);
  assert.match(heard[1].url, /\?offset=2$/);
});

test("a run is waited for, and not for ever", async () => {
  const run = (status, poll_path = `/api/public/v1/domains/${DOMAIN}/reports/runs/r1`) => ({ run_id: "r1", kind: "report", status, poll_path });
  script = [json(run("running")), json(run("failed"))];
  const ended = await client().waitForRun(run("queued"), { interval: 1 });
  assert.equal(ended.status, "failed");
  assert.equal(heard.length, 2);
  script = [json(run("running"))];
  await assert.rejects(client().waitForRun(run("queued"), { interval: 10, timeout: 50 }), { name: "WaitTimeoutError" });
  await assert.rejects(client().waitForRun(run("queued", "/x/uptime/checks?run_id=r1")), /poll what it finds/);
  await assert.rejects(client().waitForRun(run("queued", "//127.0.0.1:9/runs/r1")), /not the host/);
  let looks = 0;
  assert.equal(await poll(async () => ++looks, (look) => look === 3, { interval: 1 }), 3);
});

test("what can't be a client, a credential or an id is refused without showing secrets", async () => {
  for (const baseUrl of ["shop.example", "ftp://shop.example", `${base}/api`, "http://a:b@shop.example", ""]) {
    assert.throws(() => new Pharos({ baseUrl, apiKey: KEY }), /baseUrl|PHAROS_URL/);
  }
  assert.throws(() => new Pharos({ baseUrl: base }), /PHAROS_API_KEY/);
  assert.throws(() => client({ accessToken: "a" }), /not both/);
  for (const id of ["", ".", "..", undefined]) await assert.rejects(client().platform.getDomain(id), /must be an id/);
  const error = await client({ apiKey: "svc_dev_secret\r\nx" }).platform.getMe().catch((error) => error);
  assert.ok(error instanceof sdk.PharosError && !String(error.stack).includes("secret"));
  const { inspect } = await import("node:util");
  assert.ok(!inspect(client(), { depth: 9 }).includes("secret"));
  assert.equal(heard.length, 0);
});

test("a token is asked for before each attempt, and answers are told of", async () => {
  const tokens = ["one", "two\n"];
  const told = [];
  script = [problem(503, "api-disabled", { "retry-after": "0" }), json({}, 200, { "x-credits-cost": "5", "idempotent-replayed": "true" })];
  await client({ apiKey: undefined, accessToken: async () => tokens.shift(), onAnswer: (facts) => told.push(facts) }).platform.getMe();
  assert.deepEqual(
    heard.map(({ headers }) => headers.authorization),
    ["Bearer one", "Bearer two"],
  );
  assert.deepEqual(
    told.map(({ operationId, status, attempt, creditsCost, isReplay }) => [operationId, status, attempt, creditsCost, isReplay]),
    [
      ["getMe", 503, 1, undefined, false],
      ["getMe", 200, 2, 5, true],
    ],
  );
});
