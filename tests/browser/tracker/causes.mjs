// Visits pages that are slow by one cause each, measured by a real Pharos. Told by variables:
//   CHROMIUM  the browser's program
//   SCRIPT    the address of the site's script
//   HOST      the name of the site, which leads here
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { AGENT, before, listen, told } from "./measured.mjs";
import { picture } from "./picture.mjs";
import { until } from "./receiver.mjs";

const { CHROMIUM, HOST } = process.env;
/** How long a planted cause takes, in milliseconds: longer by far than all else on a busy machine. */
const SLOW = 5_000;
/** The same of work that a click waits for. */
const WORK = 2_000;

/** The paths of the views that Pharos took in. */
const taken = new Set();
const pharos = await before((path, { view }) => path === "/collect/vitals" && taken.add(new URL(view.url).pathname));

const page = (body, head = "") =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>${head}` +
  `<script defer src="${pharos.script}"></script></head><body>${body}</body></html>`;
/** Something that is done when people have seen the page: nothing shifts before. */
const seenFirst = (work) =>
  `<script>new PerformanceObserver(() => setTimeout(() => ${work}, 500)).observe({ type: "paint", buffered: true });</script>`;
const TEXT = `<h1>${"A page that is slow. ".repeat(12)}</h1>`;
const CONTENT = '<div id="content" style="height: 600px; background: #ddd">Content</div>';
const IMAGE = '<img id="hero" src="/hero.png" width="600" height="400" alt="">';
/** A page with a button. What comes of the click is seen, so that there is a next paint. */
const click = (listener) =>
  page(`<button id="buy" style="position: absolute; left: 20px; top: 20px; width: 200px; height: 60px">Buy</button>
    <script>
      const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); };
      const buy = document.getElementById("buy");
      const bought = () => (buy.textContent = "Bought");
      buy.onclick = ${listener};
    </script>`);

let painted;
const whenPainted = new Promise((done) => (painted = done));
/** The answers of the site by path: what, its type, and after how many milliseconds or after what; or where to. */
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
    page(`<div id="banner"></div>${CONTENT}${seenFirst('(document.getElementById("banner").style.height = "300px")')}`),
  ],
  "/late-font": [
    page(
      `<p id="text">${"The font of this text comes late. ".repeat(20)}</p>${CONTENT}${seenFirst('fetch("/painted")')}`,
      `<style>@font-face { font-family: Late; src: url(/late.ttf); font-display: swap; size-adjust: 250%; }
       #text { font: 24px Late, sans-serif; }</style>`,
    ),
  ],
  "/long-click": [click(`() => { busy(${WORK}); bought(); }`)],
  "/busy-click": [click("bought")],
  "/long-frame": [click(`() => requestAnimationFrame(() => { busy(${WORK}); bought(); })`)],
  "/failing-fetch": [page("<h1>Home</h1><script>setTimeout(() => fetch('/api/carts/4711'), 500);</script>")],
  "/hero.png": [picture(600, 400), "image/png"],
  "/slow.png": [picture(600, 400), "image/png", SLOW],
  "/blocking.js": ["", "text/javascript", SLOW],
  "/painted": ["", "text/plain"],
  "/late.ttf": [await font(), "font/ttf", whenPainted],
};

/** A font of the system that has letters. Chromium needs one itself. */
async function font(folder = "/usr/share/fonts") {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (/^(DejaVuSans|LiberationSans|NotoSans|FreeSans).*\.ttf$/.test(entry.name)) {
      return readFile(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  throw new Error(`${folder} has no font`);
}

const site = await listen(async (request, response) => {
  const { pathname } = new URL(request.url, "http://site");
  const [what, kind = "text/html", wait = 0] = ANSWERS[pathname] ?? [];
  if (pathname === "/painted") painted();
  await (typeof wait === "number" ? pause(wait) : wait);
  if (what === undefined) response.writeHead(404).end("Nothing is here.");
  else if (typeof kind === "number") response.writeHead(kind, { location: what }).end();
  else response.writeHead(200, { "content-type": kind }).end(what);
});

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox", `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${site.port}`],
});

const paint = (tab) => told(tab, "largest-contentful-paint", "true");
const shift = (tab) => told(tab, "layout-shift", "entry.value > 0.1");
const failure = (tab) => told(tab, "resource", "entry.initiatorType === 'fetch' && entry.responseStatus === 404");
const buy = async (tab) => {
  await tab.mouse.click(100, 50);
  await told(tab, "event", "entry.name === 'click'");
};

/** Opens a page, waits there or does something, and leaves it, so that it says its last word. */
async function visit(path, act) {
  const context = await browser.newContext({ userAgent: AGENT, viewport: { width: 1280, height: 720 } });
  const tab = await context.newPage();
  await tab.goto(`http://${HOST}${path}`);
  const { pathname } = new URL(tab.url());
  await act(tab);
  await tab.goto(`http://${HOST}/`);
  await until(`the view of ${pathname}`, () => taken.has(pathname));
  await context.close();
}

const waits = [
  ["/late-image", paint],
  ["/slow-image", paint],
  ["/render-blocking", paint],
  ["/slow-server", paint],
  ["/first", paint],
  ["/late-banner", shift],
  ["/late-font", shift],
  ["/failing-fetch", failure],
];
await Promise.all(waits.map(([path, act]) => visit(path, act)));
// One after the other, so that none waits for the work of another.
await visit("/long-click", buy);
await visit("/long-frame", buy);
await visit("/busy-click", async (tab) => {
  await tab.evaluate(`void setTimeout(() => busy(${SLOW}), 200)`);
  await pause(500);
  await buy(tab);
});
await browser.close();
for (const { stop } of [site, pharos]) stop();
