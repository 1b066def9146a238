// Reads the documentation in a real Chromium: a guide that is looked for, and what it links to; and calls operations from their
// pages.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look } from "./look.mjs";

const { ORIGIN, CHROMIUM, SHOTS, KEY, DOMAIN } = process.env;

const asked = [];

await mkdir(SHOTS, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const context = await browser.newContext();
  context.on("request", (request) => asked.push(request.url()));
  const page = await context.newPage();

  await page.goto(`${ORIGIN}/docs`);
  await page.getByRole("searchbox").fill("trusted_hops caddy");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("No operation has all of these words.").waitFor();
  await look(page, "docs-found", SHOTS);
  await page.getByRole("link", { name: "Installing Pharos" }).click();
  await page.getByRole("heading", { name: "Installing Pharos", level: 1 }).waitFor();
  await look(page, "guide-code", SHOTS);

  // To a part of another guide, with its widest table.
  await page.getByRole("link", { name: "what failures do" }).click();
  await page.getByRole("heading", { name: "Running Pharos", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).hash, "#what-failures-do");
  await page.locator("h2#what-failures-do").waitFor();
  await look(page, "guide-tables", SHOTS);

  // An operation is called from its page, by a key that is in its field and nowhere else.
  const operation = (id) => page.goto(`${ORIGIN}/docs/operations/${id}`);
  const key = page.getByLabel("API key");
  const send = page.getByRole("button", { name: "Send" });
  const status = page.getByRole("status");
  const said = page.locator("#try-text");
  await operation("getMe");
  await page.getByText("Scripts are off here").waitFor({ state: "hidden" });
  await key.fill(`${KEY}x`);
  await send.click();
  await status.filter({ hasText: /^Status 401/ }).waitFor();
  assert.match(JSON.parse(await said.textContent()).type, /\/docs\/api\/errors\/invalid-credential$/);
  await key.fill(KEY);
  await send.click();
  await status.filter({ hasText: /^Status 200 · X-Request-Id: / }).waitFor();
  assert.equal(typeof JSON.parse(await said.textContent()), "object");
  await page.reload();
  assert.equal(await key.inputValue(), "");
  const kept = await page.evaluate(() => localStorage.length + sessionStorage.length);
  assert.deepEqual([kept, await context.cookies(), page.url().includes(KEY)], [0, [], false]);

  await operation("updateUptimeConfig");
  await look(page, "operation-try", SHOTS);
  // Nothing is sent without what it takes.
  await key.fill(KEY);
  await send.click();
  assert.equal(await status.isVisible(), false);
  // Nor to where another operation is.
  const before = asked.length;
  await page.locator("[data-name=domain_id]").fill("..");
  await send.click();
  await status.filter({ hasText: /^There was no answer: domain_id/ }).waitFor();
  assert.equal(asked.length, before);
  await page.locator("[data-name=domain_id]").fill(DOMAIN);
  await page.getByLabel("Body").fill('{"interval_seconds": 300}');
  await send.click();
  await status.filter({ hasText: /^Status 200/ }).waitFor();
  assert.equal(JSON.parse(await said.textContent()).interval_seconds, 300);
  await look(page, "operation-tried", SHOTS);

  // A parameter that is repeated has a line each.
  await operation("getAnalyticsFunnel");
  await key.fill(KEY);
  await page.locator("[data-name=domain_id]").fill(DOMAIN);
  await page.locator("[data-name=step]").fill("page:/\nevent:sign up\n");
  await send.click();
  await status.filter({ hasText: /^Status / }).waitFor();
  const { pathname, search } = new URL(asked.findLast((url) => url.includes("step=")));
  assert.match(pathname, new RegExp(`/domains/${DOMAIN}/`));
  assert.deepEqual(new URLSearchParams(search).getAll("step"), ["page:/", "event:sign up"]);

  // Each run has a key of its own.
  await operation("runUptimeCheck");
  const own = page.locator("[data-name=Idempotency-Key]");
  const first = await own.inputValue();
  assert.match(first, /^[0-9a-f]{32}$/);
  await key.fill(KEY);
  await page.locator("[data-name=domain_id]").fill(DOMAIN);
  await page.getByLabel("Body").fill("{}");
  await send.click();
  await status.filter({ hasText: /^Status 202/ }).waitFor();
  await page.waitForFunction((before) => document.querySelector("[data-name=Idempotency-Key]").value !== before, first);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const unscripted = await plain.newPage();
  await unscripted.goto(`${ORIGIN}/docs/operations/getMe`);
  assert.ok(await unscripted.getByText("Scripts are off here").isVisible());
  assert.equal(await unscripted.getByRole("button", { name: "Send" }).count(), 0);

  const others = asked.filter((url) => new URL(url).origin !== ORIGIN);
  assert.deepEqual(others, []);
} finally {
  await browser.close();
}
