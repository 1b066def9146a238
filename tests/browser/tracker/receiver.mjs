// A server of two origins: a Pharos that notes what it is sent, and a site that is measured by it.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";

export const KEY = "pst_0123456789abcdefghijkl";
export const VERSION = "1.2.3";
const DIST = new URL("../../../tracker/dist/", import.meta.url);

/** The settings unless a test gives others. */
export const EVENTS = { download_extensions: ["pdf", "zip"], page_titles: true, respect_dnt: false };
export const VITALS = {
  sample_rate: 1,
  attribution: true,
  resources: true,
  errors: true,
  soft_navigations: false,
  ignored_query_params: [],
  respect_dnt: false,
};

async function read(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

async function listen(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, port: server.address().port };
}

/** Starts both. `pages` answers the site's paths with HTML, or with `[type, body, milliseconds, headers, status]`. */
export async function start(pages) {
  const state = { settings: { events: EVENTS, vitals: null }, refusals: [], got: [], own: [], asked: [], scripts: 0, permits: new Set(), scriptAttributes: "" };
  const pharos = await listen(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "GET") {
      state.scripts += 1;
      const build = await readFile(new URL(state.settings.vitals ? "full.js" : "analytics.js", DIST), "utf8");
      // A cookie of the server's own origin, which no beacon may carry.
      response.setHeader("set-cookie", "session=secret; SameSite=Lax");
      response.setHeader("content-type", "text/javascript");
      response.end(`var pharosSite=${JSON.stringify({ site: KEY, version: VERSION, ...state.settings })};\n${build}`);
      return;
    }
    const text = await read(request);
    const status = state.refusals.shift() ?? 202;
    const { cookie, "content-type": type } = request.headers;
    state.got.push({ path: request.url, status, cookie, type, size: Buffer.byteLength(text), at: Date.now(), body: JSON.parse(text) });
    if (status === "cut") request.socket.destroy();
    else response.writeHead(status).end();
  });
  const site = await listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    state.asked.push(pathname);
    // A page posts its own measurements.
    if (request.method === "POST") state.own.push(JSON.parse(await read(request)));
    const page = pages[pathname];
    const barred = pathname === "/permit" && !state.permits.has(pathname);
    if (page === undefined || barred) return void response.writeHead(404).end();
    const [type, body, pause, headers, status = 200] = Array.isArray(page) ? page : ["text/html; charset=utf-8", page, 0];
    await new Promise((over) => setTimeout(over, pause));
    const script = `<script defer src="${state.origin}/js/${KEY}.js" ${state.scriptAttributes}></script>`;
    response.writeHead(status, { ...headers, "content-type": type });
    response.end(typeof body === "string" ? body.replace("<tracker>", script) : body);
  });
  state.origin = `http://localhost:${pharos.port}`;
  state.site = `http://127.0.0.1:${site.port}`;
  state.stop = () => [pharos, site].forEach(({ server }) => server.close(() => {}) && server.closeAllConnections());
  /** The events of all beacons that were accepted, each with its beacon's load. */
  state.events = () =>
    state.got
      .filter(({ path, status }) => path === "/collect/events" && status === 202)
      .flatMap(({ body }) => body.events.map((event) => ({ load: body.load, ...event })));
  /** The views that were told, the last word of each. */
  state.views = () => [
    ...new Map(
      state.got
        .filter(({ path, status }) => path === "/collect/vitals" && status === 202)
        .map(({ body }) => [body.load, { load: body.load, ...body.view, envelope: body }]),
    ).values(),
  ];
  return state;
}

/** Waits until a condition gives something, and returns that. */
export async function until(what, condition, limit = 30_000) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`still not: ${what}`);
    await new Promise((over) => setTimeout(over, 50));
  }
}
