// Tests the beacons of visits in a real Chromium, against a server that notes them. Variables:
//   CHROMIUM  the browser's program
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { chromium } from "playwright-core";
import { EVENTS, KEY, start, until } from "./receiver.mjs";

const page = (body, head = "") =>
  `<!doctype html><html lang="en"><head><title>A page</title>${head}<tracker></head><body>${body}</body></html>`;
const LONG = `<div style="height: 5000px">Long</div>`;
const PAGES = {
  "/": page("Short"),
  "/long": page(LONG),
  "/leave": "<!doctype html><title>Not measured</title>",
  "/links": page(`
    <a id="out" href="https://other.example/x?secret=1#y" onclick="event.preventDefault(); event.stopPropagation()"><b>Out</b></a>
    <a id="file" href="/a/price%20list.PDF?v=2" onclick="event.preventDefault()">File</a>
    <a id="far" href="https://files.example/b.zip" onclick="event.preventDefault()">File elsewhere</a>
    <a id="in" href="/long" onclick="event.preventDefault()">In</a>
    <a id="mail" href="mailto:a@example.org" onclick="event.preventDefault()">Mail</a>`),
  "/early": page("", `<script>
    window.pharos = window.pharos || function () { (pharos.q = pharos.q || []).push(arguments) };
    pharos("event", "early", { step: 1 });
  </script>`),
};

let browser, context, tab, pharos, faults;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser.close());
beforeEach(async () => {
  pharos = await start(PAGES);
  faults = [];
  context = await browser.newContext();
  tab = await context.newPage();
  tab.on("pageerror", (error) => faults.push(error.message));
});
afterEach(async () => {
  await context.close();
  pharos.stop();
  assert.deepEqual(faults, []);
});

const events = (count) => until(`${count} events`, () => pharos.events().length >= count && pharos.events());
/** The events without what a test can't foresee, which it has looked at. */
const plain = (told) =>
  told.map(({ load, age_ms, visible_ms, url, ...event }) => {
    assert.match(load, /^[0-9a-f]{16}$/);
    assert.ok(Number.isInteger(age_ms) && age_ms >= 0 && age_ms < 60_000, `${age_ms} ms`);
    return { ...event, path: url.replace(pharos.site, "") };
  });
/** What was told beside views. A beacon may overtake the one before it, so that the view need not come first. */
const beside = (told) => told.filter(({ type }) => type !== "pageview");
const leave = () => tab.goto(`${pharos.site}/leave`);

test("a view is told at once, and the stay when it ends", async () => {
  await tab.goto(`${pharos.site}/long?utm_source=letter#part`, { referer: "https://search.example/?q=x" });
  const [view] = await events(1);
  const { load, age_ms, ...rest } = view;
  assert.deepEqual(rest, {
    type: "pageview",
    url: `${pharos.site}/long?utm_source=letter`,
    referrer: "https://search.example/",
    title: "A page",
  });
  const opened = await tab.evaluate(() => performance.now());
  await tab.evaluate(() => scrollTo(0, 2000));
  await tab.waitForTimeout(700);
  const closed = await tab.evaluate(() => performance.now());
  await leave();
  const [, stay] = await events(2);
  assert.equal(stay.load, load);
  assert.ok(stay.visible_ms >= closed - opened, `${stay.visible_ms} of at least ${closed - opened}`);
  const [deep, height] = [2000 + tab.viewportSize().height, 5000];
  assert.ok(Math.abs(stay.scroll_pct - (100 * deep) / height) <= 1, `${stay.scroll_pct}`);
  const [beacon] = pharos.got;
  assert.deepEqual([beacon.body.site, beacon.body.screen], [KEY, [1280, 720]]);
  assert.match(beacon.body.beacon, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(beacon.type, /^text\/plain/);
});

test("links to other hosts and to files are told without query, whatever the page does with the click", async () => {
  await tab.goto(`${pharos.site}/links`);
  for (const link of ["#out b", "#file", "#far", "#in", "#mail"]) await tab.click(link);
  await tab.click("#out", { button: "right" });
  const told = await events(4);
  assert.deepEqual(plain(beside(told)), [
    { type: "outbound", link: "https://other.example/x", path: "/links" },
    { type: "download", link: `${pharos.site}/a/price%20list.PDF`, path: "/links" },
    { type: "download", link: "https://files.example/b.zip", path: "/links" },
  ]);
});

test("calls before and after the script is there are told with their properties as they were", async () => {
  await tab.goto(`${pharos.site}/early`);
  await tab.evaluate(() => {
    const sale = { transaction_id: "T1", value: 19.9, currency: "EUR", items: [{ item_id: "a", quantity: 2 }] };
    pharos("event", "purchase", sale);
    sale.value = 0;
    pharos("search", "shoes", 12);
    pharos("no such thing", {});
    pharos("event", "circle", Object.assign(sale, { sale }));
  });
  assert.deepEqual(plain(beside(await events(4))), [
    { type: "event", name: "early", properties: { step: 1 }, path: "/early" },
    {
      type: "event",
      name: "purchase",
      properties: { transaction_id: "T1", value: 19.9, currency: "EUR", items: [{ item_id: "a", quantity: 2 }] },
      path: "/early",
    },
    { type: "search", term: "shoes", results: 12, path: "/early" },
  ]);
});

test("many events and large ones travel in beacons that are taken", async () => {
  await tab.goto(`${pharos.site}/`);
  await tab.evaluate(() => {
    for (let at = 0; at < 45; at += 1) pharos("event", `small ${at}`);
    for (let at = 0; at < 5; at += 1) pharos("event", `large ${at}`, { text: "ü".repeat(15_000) });
  });
  const told = await events(51);
  const names = [...Array(45).keys()].map((at) => `small ${at}`).concat([...Array(5).keys()].map((at) => `large ${at}`));
  assert.deepEqual(beside(told).map(({ name }) => name).sort(), names.sort());
  for (const { body, size } of pharos.got) assert.ok(body.events.length <= 20 && size <= 64 * 1024, `${size} bytes`);
});

test("a flood travels at once, although browsers keep no more than 64 KiB alive", async () => {
  await tab.addInitScript(() => {
    const { fetch } = window;
    window.failed = 0;
    window.fetch = (...request) => {
      const answer = fetch(...request);
      answer.catch(() => (failed += 1));
      return answer;
    };
  });
  await tab.goto(`${pharos.site}/`);
  // Three bytes a character, 225,000 in all.
  await tab.evaluate(() => {
    for (let at = 0; at < 25; at += 1) pharos("event", `wide ${at}`, { text: "€".repeat(3_000) });
  });
  const told = await events(26);
  assert.deepEqual(beside(told).map(({ name }) => name).sort(), [...Array(25).keys()].map((at) => `wide ${at}`).sort());
  for (const { size } of pharos.got) assert.ok(size <= 20_500, `${size} bytes`);
  assert.equal(await tab.evaluate(() => failed), 0);
});

test("what a browser can't queue as the page goes out of sight is told later", async () => {
  await tab.addInitScript(() => {
    // As browsers do it that keep no request alive, and whose queue is full.
    delete Request.prototype.keepalive;
    const { fetch } = window;
    window.answered = window.unqueued = 0;
    window.fetch = (...request) => {
      const answer = fetch(...request);
      answer.then(() => (answered += 1));
      return answer;
    };
    navigator.sendBeacon = () => {
      unqueued += 1;
      return false;
    };
  });
  pharos.refusals.push(503);
  await tab.goto(`${pharos.site}/`);
  await until("an answer", () => tab.evaluate(() => answered));
  const turn = (state) =>
    tab.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await turn("hidden");
  // The view that waits, and the stay, each once.
  assert.equal(await tab.evaluate(() => unqueued), 2);
  await turn("visible");
  await until("the view", () => pharos.events().some(({ type }) => type === "pageview"));
});

test("a route of the history is a view of its own, a replaced address is not", async () => {
  await tab.goto(`${pharos.site}/`);
  await tab.evaluate(() => history.replaceState({}, "", "/?filter=1"));
  await tab.evaluate(() => (history.pushState({}, "", "/next#a"), (document.title = "Next")));
  await tab.evaluate(() => history.pushState({}, "", "/next#b"));
  await tab.goBack();
  await tab.goBack();
  const told = await until("three views", () => {
    const views = pharos.events().filter(({ type }) => type === "pageview");
    return views.length === 3 && views;
  });
  assert.deepEqual(
    told.map(({ url, referrer, title }) => [url, referrer, title].map((text) => text.replace(pharos.site, ""))),
    [
      ["/", "", "A page"],
      ["/next", "/", "Next"],
      ["/?filter=1", "/next", "Next"],
    ],
  );
  assert.equal(new Set(told.map(({ load }) => load)).size, 3);
  const stays = pharos.events().filter(({ type }) => type === "engagement");
  assert.deepEqual(stays.map(({ load }) => load), told.slice(0, 2).map(({ load }) => load));
});

test("routes behind # count where the page says so", async () => {
  pharos.scriptAttributes = "data-hash-routes";
  await tab.goto(`${pharos.site}/#/cart?step=1`);
  await events(1);
  await tab.evaluate(() => (location.hash = "#/paid"));
  const told = await until("a second view", () => pharos.events().filter(({ type }) => type === "pageview")[1] && pharos.events());
  const views = told.filter(({ type }) => type === "pageview");
  assert.deepEqual(views.map(({ url }) => url.replace(pharos.site, "")), ["/cart?step=1", "/paid"]);
});

test("the tags of an address stay where routes stand behind #", async () => {
  pharos.scriptAttributes = "data-hash-routes";
  await tab.goto(`${pharos.site}/?utm_source=letter&gclid=x#/cart?step=1`);
  await events(1);
  await tab.evaluate(() => (location.hash = "#/paid"));
  const told = await until("a second view", () => pharos.events().filter(({ type }) => type === "pageview")[1] && pharos.events());
  const views = told.filter(({ type }) => type === "pageview");
  assert.deepEqual(
    views.map(({ url }) => url.replace(pharos.site, "")),
    ["/cart?step=1&utm_source=letter&gclid=x", "/paid?utm_source=letter&gclid=x"],
  );
});

test("a beacon that was not taken is sent again under its id, and one that was refused is not", async () => {
  pharos.refusals = [503, "cut", 202, 400];
  await tab.goto(`${pharos.site}/`);
  await events(1);
  const sent = pharos.got.map(({ status, body }) => [status, body.beacon]);
  assert.deepEqual(sent.map(([status]) => status), [503, "cut", 202]);
  assert.equal(new Set(sent.map(([, id]) => id)).size, 1);
  const [first, , third] = pharos.got;
  const waited = third.at - first.at;
  const aged = third.body.events[0].age_ms - first.body.events[0].age_ms;
  assert.ok(Math.abs(waited - aged) < 1000, `the age grew by ${aged} ms in ${waited} ms`);
  await tab.evaluate(() => pharos("event", "refused"));
  await until("the refusal", () => pharos.got.length === 4);
  await tab.evaluate(() => pharos("event", "taken"));
  await events(2);
  assert.deepEqual(pharos.got.slice(3).map(({ status, body }) => [status, body.events[0].name]), [[400, "refused"], [202, "taken"]]);
});

test("an event that is refused takes no other with it", async () => {
  pharos.refusals = [400, 202, 400];
  await tab.goto(`${pharos.site}/early`);
  await tab.evaluate(() => pharos("event", "late"));
  await until("each by itself", () => pharos.got.length === 4);
  const told = pharos.got.map(({ status, body }) => [status, body.events.length]);
  assert.deepEqual(told, [[400, 3], [202, 1], [400, 1], [202, 1]]);
  assert.equal(new Set(pharos.got.map(({ body }) => body.beacon)).size, 4);
  assert.equal(new Set(pharos.got.map(({ body }) => body.load)).size, 1);
});

test("what has no name or term is told without one, so that the server refuses it", async () => {
  await tab.goto(`${pharos.site}/`);
  await tab.evaluate(() => {
    pharos("event");
    pharos("event", null, { plan: "team" });
    pharos("search", undefined, 3);
    pharos("event", 0);
  });
  const told = beside(await events(5)).map(({ name, term }) => name ?? term);
  assert.deepEqual(told, ["", "", "", "0"]);
});

test("a beacon that waits is sent once more when the page goes", async () => {
  pharos.refusals = [503];
  await tab.goto(`${pharos.site}/`);
  await until("a refusal", () => pharos.got.length === 1);
  await leave();
  const told = await events(2);
  assert.deepEqual(told.map(({ type }) => type).sort(), ["engagement", "pageview"]);
  assert.equal(pharos.got.filter(({ body }) => body.beacon === pharos.got[0].body.beacon).length, 2);
});

test("nothing is written, and no cookie is sent", async () => {
  await tab.goto(`${pharos.site}/`);
  await leave();
  await events(2);
  await tab.goto(`${pharos.site}/`);
  const written = await tab.evaluate(async () => [
    document.cookie,
    localStorage.length,
    sessionStorage.length,
    (await indexedDB.databases()).length,
    (await caches.keys().catch(() => [])).length,
  ]);
  assert.deepEqual(written, ["", 0, 0, 0, 0]);
  assert.deepEqual([...new Set(pharos.got.map(({ cookie }) => cookie))], [undefined]);
});

test("who opens #pharos-ignore is not counted until #pharos-count", async () => {
  await tab.goto(`${pharos.site}/long#pharos-ignore`);
  await tab.goto(`${pharos.site}/`);
  await tab.evaluate(() => pharos("event", "own"));
  await tab.goto(`${pharos.site}/long#pharos-count`);
  const told = await events(1);
  assert.deepEqual(told.map(({ url }) => url), [`${pharos.site}/long`]);
  assert.equal(await tab.evaluate(() => localStorage.length), 0);
});

test("a browser that asks not to be tracked is left alone where the site says so", async () => {
  const asks = "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })";
  await tab.addInitScript(asks);
  await tab.goto(`${pharos.site}/`);
  await events(1);
  pharos.settings = { events: { ...EVENTS, respect_dnt: true, page_titles: false }, vitals: null };
  await tab.goto(`${pharos.site}/long`);
  await leave();
  const other = await context.newPage();
  await other.addInitScript("Object.defineProperty(navigator, 'globalPrivacyControl', { value: false })");
  await other.goto(`${pharos.site}/links`);
  const told = await until("the other tab", () => pharos.events().find(({ url }) => url.endsWith("/links")) && pharos.events());
  assert.deepEqual(told.filter(({ url }) => url.endsWith("/long")), []);
  assert.equal(told.at(-1).title, undefined);
});

test("a page that was loaded out of sight counts when it is shown", async () => {
  await tab.addInitScript(() => {
    let state = "hidden";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    window.show = () => ((state = "visible"), document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  });
  await tab.goto(`${pharos.site}/`);
  await tab.waitForLoadState("networkidle");
  await tab.evaluate(() => pharos("event", "kept"));
  assert.deepEqual(pharos.got, []);
  await tab.evaluate(() => show());
  assert.deepEqual((await events(2)).map(({ type }) => type), ["pageview", "event"]);
});

test("a second script and a hostile page break nothing", async () => {
  await tab.addInitScript(() => {
    window.fetch = () => {
      throw new Error("no requests here");
    };
    Object.defineProperty(window, "localStorage", { get: () => { throw new Error("no storage here"); } });
  });
  await tab.goto(`${pharos.site}/`);
  await tab.evaluate(() => pharos("event"));
  await tab.addScriptTag({ url: `${pharos.origin}/js/${KEY}.js` });
  await tab.evaluate(() => history.pushState({}, "", "/next"));
  await leave();
  assert.deepEqual(pharos.got, []);
});
