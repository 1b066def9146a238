// Visits pages that are slow by one cause each, measured by a real Pharos. Told by variables:
//   CHROMIUM  the browser's program
//   SCRIPT    the address of the site's script
//   HOST      the name of the site, which leads here
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { picture } from "./picture.mjs";

const { CHROMIUM, SCRIPT, HOST } = process.env;
/** As a person's: what says that it is headless is no visitor. */
const AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Longer than a good Largest Contentful Paint by far. */
const SLOW = 3_500;

const page = (body, head = "") =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${head}` +
  `<script defer src="${SCRIPT}"></script></head><body>${body}</body></html>`;
const BUSY = "const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); };";
const TEXT = `<h1>${"A page that is slow. ".repeat(12)}</h1>`;
const CONTENT = '<div id="content" style="height: 600px; background: #ddd">Content</div>';
const IMAGE = '<img id="hero" src="/hero.png" width="600" height="400" alt="">';
const click = (listener) =>
  page(`<button id="buy" style="position: absolute; left: 20px; top: 20px; width: 200px; height: 60px">Buy</button>
    <script>${BUSY} document.getElementById("buy").onclick = ${listener};</script>`);

/** The answers of the site by path: what, its type, and after how many milliseconds; or where to. */
const ANSWERS = {
  "/": [page("<h1>Home</h1>")],
  "/late-image": [
    page(`<div id="place"></div><script>
      setTimeout(() => (document.getElementById("place").innerHTML = '${IMAGE}'), ${SLOW});</script>`),
  ],
  "/slow-image": [page(IMAGE.replace("hero.png", "slow.png"))],
  "/render-blocking": [page(TEXT, '<script src="/blocking.js"></script>')],
  "/slow-server": [page(TEXT), "text/html", SLOW],
  "/first": ["/second", 302, SLOW / 2],
  "/second": ["/arrived", 302, SLOW / 2],
  "/arrived": [page(TEXT)],
  "/late-banner": [
    page(`<div id="banner"></div>${CONTENT}<script>
      setTimeout(() => (document.getElementById("banner").style.height = "300px"), 800);</script>`),
  ],
  "/late-font": [
    page(
      `<p id="text">${"The font of this text comes late. ".repeat(20)}</p>${CONTENT}`,
      `<style>@font-face { font-family: Late; src: url(/late.ttf); font-display: swap; size-adjust: 250%; }
       #text { font: 24px Late, sans-serif; }</style>`,
    ),
  ],
  "/long-click": [click("() => busy(500)")],
  "/busy-click": [click("() => {}")],
  "/long-frame": [click("() => requestAnimationFrame(() => busy(500))")],
  "/failing-fetch": [page("<h1>Home</h1><script>setTimeout(() => fetch('/api/carts/4711'), 500);</script>")],
  "/hero.png": [picture(600, 400), "image/png", 0],
  "/slow.png": [picture(600, 400), "image/png", SLOW],
  "/blocking.js": ["", "text/javascript", SLOW],
};

/** A font of the system that has letters. Chromium needs one itself. */
async function font(folder = "/usr/share/fonts") {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (/^(DejaVuSans|LiberationSans|NotoSans|FreeSans).*\.ttf$/.test(entry.name)) return readFile(join(entry.parentPath ?? entry.path, entry.name));
  }
  throw new Error(`${folder} has no font`);
}

ANSWERS["/late.ttf"] = [await font(), "font/ttf", 1_000];

const site = createServer(async (request, response) => {
  const [what, kind = "text/html", wait = 0] = ANSWERS[new URL(request.url, "http://site").pathname] ?? [];
  await pause(wait);
  if (what === undefined) response.writeHead(404).end("Nothing is here.");
  else if (typeof kind === "number") response.writeHead(kind, { location: what }).end();
  else response.writeHead(200, { "content-type": kind }).end(what);
});
await new Promise((listening) => site.listen(0, "127.0.0.1", listening));

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${site.address().port}`],
});

/** Opens a page, does something there, and leaves it, so that it says its last word. */
async function visit(path, act) {
  const context = await browser.newContext({ userAgent: AGENT, viewport: { width: 1280, height: 720 } });
  const tab = await context.newPage();
  await tab.goto(`http://${HOST}${path}`);
  await act(tab);
  await tab.goto(`http://${HOST}/`);
}

const stay = async () => pause(SLOW + 2_500);
const buy = (tab) => tab.mouse.click(100, 50);

const slow = ["/late-image", "/slow-image", "/render-blocking", "/slow-server", "/first", "/late-banner", "/late-font", "/failing-fetch"];
await Promise.all(slow.map((path) => visit(path, stay)));
// One after the other, so that none waits for the work of another.
for (const path of ["/long-click", "/long-frame"])
  await visit(path, async (tab) => {
    await pause(500);
    await buy(tab);
    await pause(1_500);
  });
await visit("/busy-click", async (tab) => {
  await pause(500);
  await tab.evaluate(() => void setTimeout(() => busy(1_500), 100));
  await pause(400);
  await buy(tab);
  await pause(2_500);
});
// What is on its way arrives.
await pause(2_000);
await browser.close();
site.close();
site.closeAllConnections();
