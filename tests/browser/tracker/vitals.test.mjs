// Tests the beacons of vitals against the log of the page's own copy of web-vitals. Variables:
//   CHROMIUM  the browser's program
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { chromium } from "playwright-core";
import { picture } from "./picture.mjs";
import { raw } from "./raw.mjs";
import { EVENTS, VERSION, VITALS, start, until } from "./receiver.mjs";

const LIBRARY = new URL("../../../tracker/node_modules/web-vitals/dist/web-vitals.attribution.iife.js", import.meta.url);

/** The page's own callbacks: what they were told last, beside the selectors of what caused it. */
const OWN = `<script src="/web-vitals.js"></script><script>
  window.own = {};
  const plain = ([, value]) => typeof value === "number" || typeof value === "string";
  for (const name of ["LCP", "CLS", "INP", "FCP", "TTFB"])
    webVitals["on" + name](({ value, attribution, navigationType }) => {
      const { target, largestShiftTarget, interactionTarget } = attribution;
      own[name.toLowerCase()] = { value, navigationType, target: target ?? largestShiftTarget ?? interactionTarget,
        attribution: Object.fromEntries(Object.entries(attribution).filter(plain)) };
      document.title = JSON.stringify(own);
    }, { reportSoftNavs: SOFT, reportAllChanges: name === "INP" });
  window.clicks = 0;
  new PerformanceObserver((list) => (clicks += list.getEntriesByName("click").length))
    .observe({ type: "event", durationThreshold: 16 });
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sent(), false);
  function sent() { navigator.sendBeacon("/own", JSON.stringify(own)); }
</script>`;
const page = (body, soft = false) =>
  `<!doctype html><html lang="en"><head><title>A page</title>${OWN.replace("SOFT", soft)}<tracker></head><body>${body}</body></html>`;

/** A page with a button that leads to a route within it. */
const soft = (route) =>
  page(
    `<main id="main"><button id="go">Go</button></main>
     <script>document.getElementById("go").onclick = () => {
       history.pushState({}, "", "${route}");
       document.getElementById("main").innerHTML = "<h1>" + "Another route ".repeat(20) + "</h1>";
     };</script>`,
    true,
  );

const PAGES = {
  "/": page(`<h1>Home</h1><a id="next" href="/next">Next</a>`),
  "/next": page("<h1>Next</h1>"),
  "/wide": page(`<h1 class="${"wide ".repeat(20_000)}">Wide</h1>`),
  // Without a screen, Chromium may hold a frame back until the next one, and tells of no click before its frame: frames never end.
  "/slow": [
    "text/html; charset=utf-8",
    page(`
    <style>@keyframes beat { to { color: navy; } } p { animation: beat 1s infinite; }</style>
    <h1>Slow</h1><div id="late"></div>
    <p>Pushed down</p>
    <img id="hero" class="hero wide" src="/hero.png?secret=1" width="600" height="400" alt="" fetchpriority="high" loading="eager">
    <button id="buy">Buy <b class="now">now</b></button>
    <button id="fail">Fail</button>
    <button id="calm">Nothing</button>
    <script>
      document.getElementById("buy").onclick = function slowClick() {
        for (const end = performance.now() + 250; performance.now() < end; );
      };
      document.getElementById("fail").onclick = () => {
        Promise.reject(new TypeError("Rejected"));
        throw new RangeError("Thrown");
      };
      setTimeout(() => (document.getElementById("late").style.height = "200px"), 800);
    </script>`),
    0,
    { "server-timing": "db;dur=12.5" },
  ],
  "/prerender": page(`<h1>Ahead</h1>
    <script type="speculationrules">{"prerender": [{"urls": ["/next"], "eagerness": "immediate"}]}</script>
    <script>
      const poll = setInterval(async () => {
        if (!(await fetch("/permit")).ok) return;
        clearInterval(poll);
        location.href = "/next";
      }, 200);
    </script>`),
  "/errors": [
    "text/html",
    page(`<h1>Errors</h1>
      <script>
        function fail() {
          const cause = new Error("no shelf", { cause: "no wood" });
          console.error("No stock of", 7, { name: "Ada" }, () => "Ada", new TypeError("no box", { cause }));
          const round = new Error("round");
          round.cause = round;
          setTimeout(() => { throw round; });
          for (const path of ["/broken?secret=1", "/nowhere"]) fetch(path);
          new Image().src = "/hero.png?secret=1";
        }
      </script>`),
    0,
    { "content-security-policy": "img-src 'none'", "content-security-policy-report-only": "connect-src 'none'" },
  ],
  "/broken": ["text/plain", "Broken", 0, {}, 503],
  "/kept": ["text/html", page("<h1>Kept</h1>"), 0, { "cache-control": "max-age=3600" }],
  // Without the page's own callbacks, which write into it.
  "/clicks": `<!doctype html><html lang="en"><head><title>Clicks</title><tracker></head><body>
    <button id="calm">Nothing</button> <input id="field"> <a id="part" href="#there">There</a> <button id="asks">Ask</button>
    <button id="writes">Write</button><p id="text">Text</p>
    <script>
      document.getElementById("writes").onclick = () => (document.getElementById("text").textContent = "Written");
      document.getElementById("asks").onclick = () => fetch("/slowly");
    </script></body></html>`,
  "/slowly": ["text/plain", "", 3500],
  "/leads": `<!doctype html><html lang="en"><head><title>Ways</title><tracker></head><body>
    <a id="link" href="/slowly">A link</a> <button id="script" onclick="location.href = '/slowly'">A script</button>
    <form action="/slowly"><button id="form">A form</button></form></body></html>`,
  "/blocked": [
    "text/html",
    page(`<h1>Blocked</h1>`).replace("<title>", `<link rel="stylesheet" href="/style.css"><script async src="/async.js"></script><title>`),
  ],
  "/style.css": ["text/css", "h1 { color: navy; }", 0],
  "/async.js": ["text/javascript", "", 0],
  "/held": ["text/html", page(`<h1>Held</h1><script>document.cookie = "cart=1";</script>`), 0, { "cache-control": "no-store" }],
  "/frozen": `<!doctype html><html lang="en"><head><title>Frozen</title><script>Object.freeze(console);</script><tracker></head>
    <body></body></html>`,
  // Fields stand in the place of the members of their form.
  "/form": page(`<div id="late"></div>
    <form id="ask" class="wide" style="font-size: 60px">The largest text of the page<input type="hidden" name="id"></form>
    <script>
      window.thrown = [];
      addEventListener("error", ({ message }) => thrown.push(message));
      setTimeout(() => (document.getElementById("late").style.height = "200px"), 800);
    </script>`),
  "/odd": page(`<h1>Odd</h1><script>const screen = document.querySelector("h1");</script>`),
  "/permit": ["text/plain", "", 0],
  "/soft": soft("/soft/route"),
  "/filtered": soft("/filtered?modal=1"),
  "/sorted": soft("/sorted?by=price"),
};

let pharos, browser;

before(async () => {
  PAGES["/web-vitals.js"] = ["text/javascript", await readFile(LIBRARY, "utf8"), 0];
  PAGES["/hero.png"] = ["image/png", picture(600, 400), 400];
  PAGES["/own"] = ["text/plain", "", 0];
  PAGES["/soft/route"] = PAGES["/soft"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser.close());
beforeEach(async () => {
  pharos = await start(PAGES);
  pharos.settings = { events: EVENTS, vitals: VITALS };
});
afterEach(() => pharos.stop());

/** The parts that a metric consists of. */
const PARTS = {
  lcp: ["timeToFirstByte", "resourceLoadDelay", "resourceLoadDuration", "elementRenderDelay"],
  inp: ["inputDelay", "processingDuration", "presentationDelay"],
  ttfb: ["waitingDuration", "cacheDuration", "dnsDuration", "connectionDuration", "requestDuration"],
};
/** Nothing moves away from under a click any more. */
const shifted = (tab) =>
  until("the shift", () => tab.evaluate(() => performance.now() > 1500 && document.getElementById("late").style.height));
const view = (what, wanted) => until(what, () => pharos.views().find(wanted));

test("values and elements are those that the page's own callbacks log", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/slow?secret=1`);
  await shifted(tab);
  // Its left edge, where no element within it is.
  await tab.click("#buy", { position: { x: 3, y: 8 } });
  await until("the browser's word of the slow click", () => tab.evaluate(() => clicks));
  await tab.click("#fail");
  for (let click = 0; click < 3; click += 1) await tab.click("#calm");
  await tab.goto(`${pharos.site}/`);
  const own = await until("the page's own word", () => pharos.own.at(-1));
  const told = await view("the view", ({ url }) => url === `${pharos.site}/slow`);
  for (const name of ["lcp", "cls", "inp", "fcp", "ttfb"]) assert.equal(told[name].value, own[name].value, name);
  for (const [name, parts] of Object.entries(PARTS)) {
    for (const part of parts) assert.equal(told[name].attribution[part], own[name].attribution[part], `${name}.${part}`);
    const sum = parts.reduce((sum, part) => sum + told[name].attribution[part], 0);
    assert.ok(Math.abs(sum - told[name].value) < 1, `${name} is ${told[name].value}, and its parts ${sum}`);
  }
  assert.equal(told.envelope.version, VERSION);
  assert.ok(told.lcp.value >= 400 && told.cls.value > 0 && told.inp.value >= 250);
  assert.equal(told.lcp.attribution.target, own.lcp.target);
  assert.equal(told.lcp.attribution.target, "#hero");
  assert.equal(told.lcp.attribution.url, `${pharos.site}/hero.png`);
  assert.ok(told.lcp.attribution.resourceLoadDuration >= 395);
  assert.equal(told.cls.attribution.largestShiftTarget, own.cls.target);
  assert.equal(told.cls.attribution.largestShiftTarget, "#hero");
  assert.equal(told.cls.attribution.elementClass, "hero wide");
  // The library leaves the target out where Chromium told none of the pointer's own event.
  assert.ok([told.inp.attribution.interactionTarget, undefined].includes(own.inp.target), own.inp.target);
  assert.equal(told.inp.attribution.interactionTarget, "#buy");
  assert.equal(told.inp.attribution.elementId, "buy");
  assert.equal(told.inp.attribution.longestScript.subpart, "processing-duration");
  const { fetchPriority, loading, initiatorType } = told.lcp.attribution;
  assert.deepEqual([fetchPriority, loading, initiatorType], ["high", "eager", "img"]);
  const { serverTiming, nextHopProtocol, redirectCount } = told.ttfb.attribution;
  assert.deepEqual([serverTiming, nextHopProtocol, redirectCount], [[{ name: "db", duration: 12.5 }], "http/1.1", 0]);
  const { viewport, connection, device_memory } = told.envelope;
  assert.deepEqual(viewport, [1280, 720]);
  assert.match(connection.effectiveType, /^(slow-2g|[234]g)$/);
  assert.ok(connection.rtt >= 0 && device_memory > 0, JSON.stringify(told.envelope));
  assert.equal(told.navigation, "navigate");
  assert.deepEqual([told.interactions, told.rage_clicks], [5, 1]);
  assert.ok(told.scroll_pct >= 90, `${told.scroll_pct} %`);
  // The slow click was within.
  assert.ok(told.visible_ms >= told.inp.value && told.load_ms >= 400 && told.dom_content_loaded_ms > 0, JSON.stringify(told));
  const errors = told.errors.map(({ type, message, source, handling }) => [type, message, source, handling]);
  assert.deepEqual(errors.sort(), [
    ["RangeError", "Thrown", "source", "unhandled"],
    ["TypeError", "Rejected", "source", "unhandled"],
  ]);
  assert.match(told.errors[0].stack, /\/slow:\d+:\d+/);
  const hero = told.resources.find(({ name }) => name === `${pharos.site}/hero.png`);
  assert.ok(hero.request >= 395 && hero.decodedBodySize > 100_000, JSON.stringify(hero));
  assert.ok(told.long_frames.some(({ duration }) => duration >= 250), JSON.stringify(told.long_frames));
  assert.ok(!JSON.stringify(told).includes("secret"));
  assert.equal(pharos.events()[0].load, told.load);
  await context.close();
});

test("what is told as a page goes fits into what the browser keeps alive, and no error is left out", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/wide`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate(() => {
    for (let at = 0; at < 10; at += 1) {
      const error = new Error(`${at} ${"€".repeat(600)}`);
      error.stack = `Error: €\n    at ${"€".repeat(3_000)} (/script.js:1:${at})`;
      pharos("error", error);
    }
    for (let at = 0; at < 10; at += 1) pharos("event", `wide ${at}`, { text: "€".repeat(600) });
  });
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/wide"));
  assert.deepEqual(told.errors.map(({ message }) => Number(message.split(" ")[0])), [...Array(10).keys()]);
  const stacks = told.errors.filter(({ stack }) => stack);
  assert.ok(stacks.length > 0 && stacks.length < 10, `${stacks.length} stacks`);
  assert.ok(!told.lcp || told.lcp.attribution.elementClass.length <= 200);
  await until("the events", () => pharos.events().filter(({ name }) => name?.startsWith("wide ")).length === 10);
  const [last] = pharos.got.filter(({ path }) => path === "/collect/vitals");
  assert.ok(last.size <= 41_000, `${last.size} bytes`);
  await context.close();
});

test("errors are told with their causes and with what told of them", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/errors`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate("fail()");
  const answers = `["/broken?secret=1", "/nowhere"].every((path) => performance.getEntriesByName(location.origin + path).length)`;
  await until("the answers", () => tab.evaluate(answers));
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/errors"));
  const by = (wanted) => told.errors.filter(({ source }) => source === wanted);
  const [logged] = by("console");
  assert.deepEqual([logged.message, logged.type, logged.handling], ["No stock of 7 … … no box", "TypeError", "handled"]);
  assert.deepEqual(logged.causes, ["no shelf", "no wood"]);
  assert.match(logged.stack, /\/errors:\d+:\d+/);
  const [thrown] = by("source");
  assert.deepEqual([thrown.message, thrown.causes], ["round", Array(5).fill("round")]);
  const network = by("network").map(({ message, filename, handling }) => [message, filename, handling]);
  assert.deepEqual(network, [["The server answered 503", `${pharos.site}/broken`, "handled"]]);
  const forbidden = by("report").map(({ message, type, handling }) => [message, type, handling]);
  assert.deepEqual(
    forbidden,
    [[`img-src forbids ${pharos.site}/hero.png`, "SecurityPolicyViolation", "unhandled"]],
    "a policy that only reports forbids nothing",
  );
  assert.ok(!/secret|Ada/.test(JSON.stringify(told)));
  await context.close();
});

test("a form whose field is called id has its name, and fails nothing", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/form`);
  await shifted(tab);
  assert.deepEqual(await tab.evaluate("thrown"), []);
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/form"));
  for (const { value, attribution } of [told.lcp, told.cls]) {
    assert.ok(value > 0);
    assert.deepEqual([attribution.tagName, attribution.elementId, attribution.elementClass], ["form", "ask", "wide"]);
  }
  assert.deepEqual(told.errors, []);
  await context.close();
});

test("whatever a page calls by a name of the browser's, beacons have what the server reads", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/odd`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate(() => {
    for (const name of [404, 10n]) pharos("error", Object.assign(new Error("Not found"), { name }));
  });
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/odd"));
  assert.deepEqual(told.errors.map(({ type }) => type).sort(), ["10", "404"]);
  assert.deepEqual(told.envelope.screen, [1280, 720]);
  await context.close();
});

test("what a page writes to the console takes the place of no error that was thrown", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/next`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate(() => {
    for (let at = 0; at < 1000; at += 1) console.error(`${at}`);
    for (let at = 0; at < 10; at += 1) pharos("error", new Error(`${at}`));
  });
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/next"));
  const messages = (wanted) => told.errors.filter(({ source }) => source === wanted).map(({ message }) => message);
  const ten = [..."0123456789"];
  assert.deepEqual([messages("console"), messages("custom")], [ten, ten]);
  await context.close();
});

test("an error that writes to the console as its cause is read is told alone", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/next`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate(() => {
    const cause = () => {
      console.error("It is read");
    };
    console.error(Object.defineProperty(new Error("loud"), "cause", { get: cause }));
  });
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/next"));
  assert.deepEqual(told.errors.map(({ source, message }) => [source, message]), [["console", "loud"]]);
  await context.close();
});

test("a page that lets nobody change its console is measured all the same", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/frozen`);
  await until("the first beacon", () => pharos.events().length);
  await tab.evaluate(() => pharos("error", new Error("no price")));
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/frozen"));
  assert.deepEqual(told.errors.map(({ message }) => message), ["no price"]);
  await context.close();
});

test("a click that leads to a page which is slow to come is not dead", async () => {
  for (const id of ["link", "script", "form"]) {
    const before = pharos.views().length;
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(`${pharos.site}/leads`);
    await tab.click(`#${id}`);
    await tab.waitForURL("**/slowly*");
    const told = await until("the view", () => pharos.views().slice(before).find(({ url }) => url.endsWith("/leads")));
    assert.equal(told.dead_clicks, 0, id);
    await context.close();
  }
});

test("a click is dead where neither page nor requests answer it", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/clicks`);
  await until("the first beacon", () => pharos.events().length);
  const waited = async () => {
    const from = await tab.evaluate(() => performance.now());
    await until("the end of its time", () => tab.evaluate((from) => performance.now() - from > 3200, from));
  };
  for (const id of ["writes", "field", "part"]) await tab.click(`#${id}`);
  await waited();
  await tab.click("#asks");
  await until("the answer", () => tab.evaluate(() => performance.getEntriesByName(`${location.origin}/slowly`).length));
  await tab.click("#calm");
  await waited();
  // The visitor does not wait for what this one does.
  await tab.click("#calm");
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/clicks"));
  assert.equal(told.dead_clicks, 1);
  await context.close();
});

test("a document out of the cache is a navigation of its own kind", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  for (const path of ["/kept", "/next", "/kept", "/own"]) {
    await tab.goto(pharos.site + path);
    if (path === "/kept") await until("its paint", () => tab.evaluate(() => globalThis.own?.fcp));
  }
  const kept = await until("both views", () => {
    const views = pharos.views().filter(({ url }) => url.endsWith("/kept"));
    return views.length === 2 && views;
  });
  assert.deepEqual(kept.map(({ navigation }) => navigation), ["navigate", "navigate-cache"]);
  assert.equal(pharos.asked.filter((path) => path === "/kept").length, 1);
  await context.close();
});

test("a slow click is told of a visitor who leaves before the browser is idle", async () => {
  const context = await browser.newContext();
  // A browser that is never idle.
  await context.addInitScript(() => (globalThis.requestIdleCallback = () => 0));
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/slow`);
  await shifted(tab);
  await tab.click("#buy b");
  await until("the browser's word of the click", () => tab.evaluate(() => clicks));
  await tab.goto(`${pharos.site}/next`);
  const { inp } = await view("the view", ({ url }) => url.endsWith("/slow"));
  assert.ok(inp.value >= 250, JSON.stringify(inp));
  assert.ok(inp.attribution.processingDuration >= 240, JSON.stringify(inp));
  assert.equal(inp.attribution.interactionTarget, "#buy>b.now");
  assert.equal(inp.attribution.elementClass, "now");
  await context.close();
});

test("a page whose browser fires nothing but pagehide is told of, once", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/next`);
  await until("the paint and the first byte", () => tab.evaluate(() => own.fcp && own.ttfb));
  const settled = () =>
    new Promise((told) => new PerformanceObserver(() => told()).observe({ type: "largest-contentful-paint", buffered: true }));
  await tab.evaluate(settled);
  await tab.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")) && document.visibilityState);
  const told = await view("the view", ({ url }) => url.endsWith("/next"));
  for (const name of ["lcp", "cls", "fcp", "ttfb"]) assert.ok(told[name].value >= 0, name);
  // Now the browser fires both.
  await tab.goto(`${pharos.site}/`);
  await until("the paint of the other page", () => tab.evaluate(() => own.fcp && own.ttfb));
  await tab.evaluate(settled);
  await tab.goto(`${pharos.site}/own`);
  await view("the view of the other page", ({ url }) => url === `${pharos.site}/`);
  await context.close();
  const paths = pharos.got.filter(({ path }) => path === "/collect/vitals").map(({ body }) => new URL(body.view.url).pathname);
  assert.deepEqual(paths, ["/next", "/"]);
});

test("one share of loads is measured, and causes only where the site wants them", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  pharos.settings.vitals = { ...VITALS, attribution: false, resources: false, errors: false };
  await tab.goto(`${pharos.site}/next`);
  await tab.evaluate(() => pharos("error", new Error("handled")));
  await tab.goto(`${pharos.site}/`);
  const told = await view("the view", ({ url }) => url.endsWith("/next"));
  assert.deepEqual(Object.keys(told.ttfb), ["value"]);
  assert.deepEqual([told.errors, told.resources, told.long_frames], [[], [], undefined]);
  pharos.settings.vitals = { ...VITALS, sample_rate: 0.5 };
  // The fixed halves of chance.
  for (const [path, drawn] of [["/slow", 0.5], ["/soft", 0.49]]) {
    const other = await context.newPage();
    await other.addInitScript(`Math.random = () => ${drawn}`);
    await other.goto(pharos.site + path);
    await other.goto(`${pharos.site}/own`);
  }
  await view("the measured half", ({ url }) => url.endsWith("/soft"));
  assert.ok(!pharos.views().some(({ url }) => url.endsWith("/slow")));
  await context.close();
});

test("browsers that ask not to be tracked are left alone where the site wants that", async () => {
  const asks = (by, value) => `Object.defineProperty(navigator, "${by}", { value: ${value} })`;
  pharos.settings.vitals = { ...VITALS, respect_dnt: true };
  for (const [path, script] of [
    ["/slow", asks("globalPrivacyControl", true)],
    ["/soft", asks("doNotTrack", '"1"')],
    ["/next", asks("doNotTrack", '"0"')],
  ]) {
    const context = await browser.newContext();
    await context.addInitScript(script);
    const tab = await context.newPage();
    await tab.goto(pharos.site + path);
    await tab.goto(`${pharos.site}/own`);
    await context.close();
  }
  await view("the view of one that does not ask", ({ url }) => url.endsWith("/next"));
  assert.ok(pharos.views().every(({ url }) => url.endsWith("/next")));
});

test("who opens #pharos-ignore is not measured until #pharos-count", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  for (const path of ["/slow#pharos-ignore", "/soft", "/next#pharos-count", "/own"]) await tab.goto(pharos.site + path);
  const counts = ({ url }) => new URL(url).pathname === "/next";
  await view("the view of one that counts", counts);
  assert.ok(pharos.views().every(counts));
  await context.close();
});

test("a route change counts as a load where the site wants that and the browser tells of it", async (context) => {
  const visitor = await browser.newContext();
  const tab = await visitor.newPage();
  pharos.settings.vitals = { ...VITALS, soft_navigations: true };
  await tab.goto(`${pharos.site}/soft`);
  await until("the first paint", () => tab.evaluate(() => own.fcp));
  await tab.click("#go");
  // The library tests for this before it reports soft navigations; older browsers lack it.
  const tells = await tab.evaluate(
    () => typeof globalThis.PerformanceSoftNavigation?.prototype.getLargestInteractionContentfulPaint === "function",
  );
  if (tells) {
    await until("the route's own paint", () => tab.evaluate(() => own.fcp.navigationType === "soft-navigation"));
  } else {
    context.diagnostic(`${browser.version()} tells nothing of soft navigations: a route change belongs to its page`);
    await tab.waitForSelector("h1");
  }
  await tab.goto(`${pharos.site}/own`);
  const hard = await view("the page", ({ navigation }) => navigation === "navigate");
  assert.equal(hard.url, `${pharos.site}/soft`);
  if (tells) {
    const told = await view("the route", ({ navigation }) => navigation === "soft-navigation");
    assert.equal(told.url, `${pharos.site}/soft/route`);
    assert.ok(told.lcp.value > 0);
    assert.notEqual(hard.load, told.load);
    // Neither view loses what people did on it.
    assert.ok(hard.visible_ms > 0 && hard.scroll_pct > 0, JSON.stringify(hard));
    assert.equal(hard.interactions + told.interactions, 1);
  } else {
    assert.equal(pharos.views().length, 1);
    assert.equal(hard.interactions, 1);
  }
  await visitor.close();
});

test("a route that differs by what the site ignores of the query is the page before it", async (context) => {
  const visitor = await browser.newContext();
  const tab = await visitor.newPage();
  pharos.settings.vitals = { ...VITALS, soft_navigations: true, ignored_query_params: ["modal"] };
  const routes = async (path) => {
    await tab.goto(pharos.site + path);
    await until("the first paint", () => tab.evaluate(() => own.fcp));
    await tab.click("#go");
    const tells = await tab.evaluate(
      () => typeof globalThis.PerformanceSoftNavigation?.prototype.getLargestInteractionContentfulPaint === "function",
    );
    if (tells) await until("the route's own paint", () => tab.evaluate(() => own.fcp.navigationType === "soft-navigation"));
    await tab.goto(`${pharos.site}/own`);
    await view("the page", ({ url }) => url === pharos.site + path);
    return [tells, pharos.views().filter(({ url }) => url === pharos.site + path)];
  };
  const [tells, sorted] = await routes("/sorted");
  if (!tells) return context.diagnostic(`${browser.version()} tells nothing of soft navigations`);
  assert.deepEqual(sorted.map(({ navigation }) => navigation).sort(), ["navigate", "soft-navigation"]);
  const [, filtered] = await routes("/filtered");
  assert.deepEqual(filtered.map(({ navigation }) => navigation), ["navigate"]);
  assert.equal(filtered[0].interactions, 1);
  await visitor.close();
});

test("a page that comes back from the back/forward cache is a view of its own", async () => {
  const tab = await raw(process.env.CHROMIUM);
  try {
    await tab.attach();
    await tab.go(`${pharos.site}/`);
    await until("the first view", () => pharos.events().length >= 1);
    // Each copy of the library reads the clock itself, two frames after the return: within one task it stands still.
    await tab.evaluate(`(() => {
      window.stayed = true;
      const now = performance.now.bind(performance);
      let read;
      addEventListener("pageshow", () => (read = undefined));
      performance.now = () => {
        if (read === undefined) {
          read = now();
          setTimeout(() => (read = undefined));
        }
        return read;
      };
    })()`);
    await tab.go(`${pharos.site}/next`);
    await until("the second view", () => pharos.events().some(({ url }) => url.endsWith("/next")));
    await tab.back();
    await until("the page as it was left", () => tab.evaluate("window.stayed === true"));
    await until("its paint", () => tab.evaluate("own.lcp.navigationType === 'back-forward-cache'"));
    await tab.go(`${pharos.site}/slow`);
    const told = await view("the restored view", ({ navigation }) => navigation === "back-forward-cache");
    // The page's own word may come after the script's.
    const restored = ({ lcp }) => lcp?.navigationType === "back-forward-cache";
    const own = await until("the page's own word", () => pharos.own.find(restored));
    assert.equal(told.url, `${pharos.site}/`);
    for (const name of ["ttfb", "cls", "lcp", "fcp"]) assert.equal(told[name].value, own[name].value, name);
    const views = pharos.events().filter(({ type }) => type === "pageview");
    const paths = views.map(({ url }) => url.replace(pharos.site, ""));
    assert.deepEqual(paths.slice(0, 3), ["/", "/next", "/"]);
    assert.equal(new Set(views.map(({ load }) => load)).size, views.length);
    assert.equal(views[2].load, told.load);
    const first = pharos.views().find(({ load }) => load === views[0].load);
    assert.equal(first.navigation, "navigate");
  } finally {
    await tab.close();
  }
});

test("why a page was not restored is told as the browser names it", async () => {
  const tab = await raw(process.env.CHROMIUM);
  try {
    await tab.attach();
    await tab.go(`${pharos.site}/held`);
    await until("its paint", () => tab.evaluate("own.fcp !== undefined"));
    await tab.evaluate("window.stayed = true");
    await tab.go(`${pharos.site}/next`);
    await until("the view between", () => pharos.events().some(({ url }) => url.endsWith("/next")));
    await tab.back();
    await until("its paint anew", () => tab.evaluate("location.pathname === '/held' && !window.stayed && own.fcp !== undefined"));
    await tab.go(`${pharos.site}/`);
    const told = await view("the view anew", ({ navigation }) => navigation === "back-forward");
    assert.equal(told.url, `${pharos.site}/held`);
    assert.deepEqual(told.not_restored_reasons, [{ reason: "response-cache-control-no-store", type: "page" }]);
    const [first] = pharos.views().filter(({ url }) => url.endsWith("/held"));
    assert.deepEqual([first.navigation, first.not_restored_reasons], ["navigate", undefined]);
  } finally {
    await tab.close();
  }
});

test("resources for which the page waits before it is shown are told apart", async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(`${pharos.site}/blocked`);
  await tab.goto(`${pharos.site}/own`);
  const told = await view("the view", ({ url }) => url.endsWith("/blocked"));
  const status = (path) => told.resources.find(({ name }) => name === pharos.site + path).renderBlockingStatus;
  assert.deepEqual(["/style.css", "/async.js", "/web-vitals.js"].map(status), ["blocking", "non-blocking", "blocking"]);
  await context.close();
});

test("a page that was loaded ahead counts when it is asked for, from then on", async () => {
  const tab = await raw(process.env.CHROMIUM, `${pharos.site}/prerender`);
  try {
    await until("the load ahead, with its script", () => pharos.asked.includes("/next") && pharos.scripts >= 2);
    // Long enough for a beacon, had it been sent.
    await new Promise((over) => setTimeout(over, 1500));
    assert.ok(!pharos.events().some(({ url }) => url.endsWith("/next")));
    pharos.permits.add("/permit");
    await until("the view", () => pharos.events().some(({ url }) => url.endsWith("/next")));
    await tab.attach();
    assert.equal(await tab.evaluate("performance.getEntriesByType('navigation')[0].activationStart > 0"), true);
    await tab.go(`${pharos.site}/own`);
    const told = await view("the view", ({ url }) => url.endsWith("/next"));
    assert.equal(told.navigation, "prerender");
    assert.equal(pharos.asked.filter((path) => path === "/next").length, 1);
    assert.equal(pharos.events().filter(({ type, url }) => type === "pageview" && url.endsWith("/next")).length, 1);
  } finally {
    await tab.close();
  }
});
