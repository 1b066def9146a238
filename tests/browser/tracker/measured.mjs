// Serves the pages of a site that a real Pharos measures. Variable:
//   SCRIPT  the address of the site's script
import { createServer, request as ask } from "node:http";

const { SCRIPT } = process.env;
/** As a person's: what says that it is headless is no visitor. */
export const AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** All of a request's body. */
export async function read(request) {
  let text = "";
  for await (const part of request) text += part;
  return text;
}

/** Starts a server. */
export async function listen(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: server.address().port, stop };
}

/** Stands before Pharos, and tells of each beacon that it took in: no browser says how one ended whose page is gone. */
export async function before(taken) {
  const { port, stop } = await listen(async (request, response) => {
    const text = await read(request);
    const { method, headers, url } = request;
    const answer = await new Promise((answered, failed) => {
      ask(new URL(url, SCRIPT), { method, headers }, answered).on("error", failed).end(text);
    });
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
    if (answer.statusCode === 202) taken(url, JSON.parse(text));
  });
  return { script: `http://127.0.0.1:${port}${new URL(SCRIPT).pathname}`, stop };
}

/** Waits until the browser has told a page of an entry of its timeline. */
export const told = (tab, type, wanted) =>
  tab.evaluate(`new Promise((done) => {
    const look = (list) => list.getEntries().some((entry) => ${wanted}) && done();
    new PerformanceObserver(look).observe({ type: "${type}", buffered: true });
  })`);
