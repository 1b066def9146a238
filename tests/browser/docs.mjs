// Reads the documentation in a real Chromium: a guide that is looked for, and what it links to.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look } from "./look.mjs";

const { ORIGIN, CHROMIUM, SHOTS } = process.env;

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

  const others = asked.filter((url) => new URL(url).origin !== ORIGIN);
  assert.deepEqual(others, []);
} finally {
  await browser.close();
}
