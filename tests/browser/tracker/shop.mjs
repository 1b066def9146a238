// Walks through a shop that a real Pharos measures, and says what the pages' own copy of web-vitals logged: a list, a view each.
// Told by variables:
//   CHROMIUM  the browser's program
//   SCRIPT    the address of the site's script
//   HOST      the name of the shop, which leads here
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "playwright-core";
import { AGENT, before, listen, read, told } from "./measured.mjs";
import { picture } from "./picture.mjs";
import { until } from "./receiver.mjs";

const { CHROMIUM, HOST } = process.env;
const PHONE =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
/** Where a link leads away to. */
const ELSEWHERE = "elsewhere.example";
const LIBRARY = new URL("../../../tracker/node_modules/web-vitals/dist/web-vitals.attribution.iife.js", import.meta.url);
const LAMP = { item_id: "arc", item_name: "Arc floor lamp", item_category: "Floor lamps", price: 189, quantity: 1 };
/** How many views the walk has. */
const VIEWS = 8;

/** The beacons that Pharos took in, by path and id. */
const taken = { "/collect/events": new Map(), "/collect/vitals": new Map() };
/** The last log of each page, by when the page began; and how many logs there were. */
const own = new Map();
let words = 0;

const pharos = await before((path, body) => taken[path].set(body.beacon, body));
const page = (title, body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
  <meta name="viewport" content="width=device-width"><script src="/web-vitals.js"></script><script>
    window.pharos = window.pharos || function () { (pharos.q = pharos.q || []).push(arguments) };
    const tell = (name, order) =>
      pharos("event", name, { ...order, value: 189, currency: "USD", items: [${JSON.stringify(LAMP)}] });
    const [{ type }] = performance.getEntriesByType("navigation");
    const own = { path: location.pathname, type, start: performance.timeOrigin };
    for (const name of ["LCP", "CLS", "INP", "FCP", "TTFB"]) {
      webVitals["on" + name](({ value }) => (own[name.toLowerCase()] = value), { reportAllChanges: name === "INP" });
    }
    addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") navigator.sendBeacon("/own", JSON.stringify(own));
    });
  </script><script defer src="${pharos.script}"></script></head><body>
  <form action="/search"><input name="q"><button id="find">Search</button></form>${body}</body></html>`;

/** The answers of the shop by path: what, its type, and after how many milliseconds; or where to. */
const ANSWERS = {
  "/": [page("Lamps", '<h1>Lamps</h1><img id="hero" src="/hero.png" width="600" height="400" alt="">')],
  "/search": [page("Search", '<h1>1 found</h1><a id="found" href="/product/arc">Arc floor lamp</a>')],
  "/product/arc": [
    page(
      "Arc floor lamp",
      `<div id="note"></div>
       <div id="product" style="height: 400px; background: #ddd"><h1>Arc floor lamp</h1>
         <form method="post" action="/cart" onsubmit="tell('add_to_cart')"><button id="add">Add to cart</button></form>
         <a id="price-list" href="/files/price-list.pdf?from=product">Price list</a>
         <a id="lumens" href="http://${ELSEWHERE}/lumens?from=shop" target="_blank" rel="noopener">What lumens are</a></div>
       <script>
         tell("view_item");
         new PerformanceObserver(() => setTimeout(() => (document.getElementById("note").style.height = "200px"), 500))
           .observe({ type: "paint", buffered: true });
       </script>`,
    ),
  ],
  "/cart": [
    page(
      "Cart",
      `<h1>Cart</h1><button id="voucher">Check voucher</button><button id="chat">Chat</button>
       <a id="checkout" href="/checkout">Checkout</a>
       <script>
         document.getElementById("voucher").onclick = function checkVoucher() {
           for (const end = performance.now() + 300; performance.now() < end; );
         };
         document.getElementById("chat").onclick = function openChat() {
           throw new TypeError("The chat is not connected");
         };
       </script>`,
    ),
  ],
  "/checkout": [
    page(
      "Checkout",
      `<h1>Checkout</h1><form method="post" action="/orders"><button id="buy">Buy</button></form>
       <script>tell("begin_checkout");</script>`,
    ),
  ],
  "/thank-you": [page("Thank you", '<h1>Thank you</h1><script>tell("purchase", { transaction_id: "D-1000" });</script>')],
  "/orders": ["/thank-you", 303],
  "/files/price-list.pdf": ["%PDF-1.4", "application/pdf"],
  "/lumens": ["<!doctype html><title>Lumens</title>"],
  "/left": ["<!doctype html><title>Not measured</title>"],
  "/hero.png": [picture(600, 400), "image/png", 400],
  "/web-vitals.js": [await readFile(LIBRARY), "text/javascript"],
};

const shop = await listen(async (request, response) => {
  const { pathname } = new URL(request.url, "http://shop");
  const text = await read(request);
  if (pathname === "/own") {
    const view = JSON.parse(text);
    const device = request.headers["user-agent"] === PHONE ? "mobile" : "desktop";
    own.set(`${device} ${view.start}`, { ...view, device });
    words += 1;
    response.writeHead(204).end();
    return;
  }
  // A click that fills the cart leads to the cart.
  const [what, kind = "text/html", wait = 0] =
    request.method === "POST" && pathname === "/cart" ? ["/cart", 303] : (ANSWERS[pathname] ?? []);
  await pause(wait);
  if (what === undefined) response.writeHead(404).end();
  else if (kind === 303) response.writeHead(303, { location: what }).end();
  else {
    const headers = { "content-type": kind, ...(kind.endsWith("pdf") ? { "content-disposition": "attachment" } : {}) };
    response.writeHead(200, headers).end(what);
  }
});

const rules = [HOST, ELSEWHERE].map((host) => `MAP ${host} 127.0.0.1:${shop.port}`).join(", ");
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", `--host-resolver-rules=${rules}`] });
/** Waits until a page is there, and has told what it does as it loads. */
const there = async (tab, path) => {
  await tab.waitForURL(`http://${HOST}${path}`);
  await tab.waitForFunction("own.fcp !== undefined && own.ttfb !== undefined");
};
const click = (tab, element, path) => Promise.all([there(tab, path), tab.click(element)]);
const hero = (tab) => told(tab, "largest-contentful-paint", "entry.id === 'hero'");
const leave = (tab) => tab.goto(`http://${HOST}/left`);

/** From a letter to a sale, whose last page is loaded again. */
async function buy() {
  const context = await browser.newContext({ userAgent: AGENT, viewport: { width: 1280, height: 720 } });
  const tab = await context.newPage();
  const letter = "/?utm_source=letter&utm_medium=email&utm_campaign=spring";
  await Promise.all([there(tab, letter), tab.goto(`http://${HOST}${letter}`)]);
  await hero(tab);
  await tab.fill("[name=q]", "lamp");
  await click(tab, "#find", "/search?q=lamp");
  await click(tab, "#found", "/product/arc");
  await told(tab, "layout-shift", "entry.value > 0.05");
  const [file] = await Promise.all([tab.waitForEvent("download"), tab.click("#price-list")]);
  await file.path();
  const [other] = await Promise.all([context.waitForEvent("page"), tab.click("#lumens")]);
  await other.waitForURL(`http://${ELSEWHERE}/lumens?from=shop`);
  await other.close();
  await click(tab, "#add", "/cart");
  await tab.click("#voucher");
  await told(tab, "event", "entry.name === 'click' && entry.duration >= 300");
  await tab.click("#chat");
  await click(tab, "#checkout", "/checkout");
  await click(tab, "#buy", "/thank-you");
  await tab.reload();
  await there(tab, "/thank-you");
  await leave(tab);
  return context;
}

/** A look at the first page by phone. */
async function bounce() {
  const context = await browser.newContext({
    userAgent: PHONE,
    viewport: { width: 412, height: 800 },
    isMobile: true,
    hasTouch: true,
  });
  const tab = await context.newPage();
  await Promise.all([there(tab, "/"), tab.goto(`http://${HOST}/`)]);
  await hero(tab);
  await leave(tab);
  return context;
}

const contexts = [await buy(), await bounce()];
const events = () => [...taken["/collect/events"].values()].flatMap((body) => body.events);
const stored = () => events().filter(({ type }) => type !== "engagement").length;
// 8 views, 5 events, a file and a link. Each word of a page comes with one of the tracker, which may say more later.
const counts = () => [stored(), own.size, taken["/collect/vitals"].size];
const isDone = ([events, views, vitals]) => events === VIEWS + 7 && views === VIEWS && vitals >= words;
await until("all that was done", () => isDone(counts())).catch((fault) => {
  throw new Error(`${fault.message}: ${counts()}, not ${[VIEWS + 7, VIEWS, words]}`);
});
for (const context of contexts) await context.close();
await browser.close();
for (const { stop } of [shop, pharos]) stop();
console.log(JSON.stringify([...own.values()]));
