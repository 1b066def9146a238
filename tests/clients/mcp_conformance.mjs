// The conformance suite of the Model Context Protocol's own project, unmodified, against an MCP server that wants a credential. The
// suite can send none, so a proxy at a port of this machine adds that of the variable CREDENTIAL, and hands on all else as it comes.
//
// Takes the server's origin and the proxy's port. Prints a JSON object: the names of all scenarios for servers, and by name the
// checks of each.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [server, port] = [new URL(process.argv[2]), Number(process.argv[3])];
const { CREDENTIAL } = process.env;
const SUITE = join(import.meta.dirname, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const proxy = createServer((request, response) => {
  const headers = { authorization: `Bearer ${CREDENTIAL}`, ...request.headers };
  const { method, url: path } = request;
  const onwards = ask({ hostname: server.hostname, port: server.port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onwards.on("error", () => response.destroy());
  request.pipe(onwards);
});
await new Promise((listening) => proxy.listen(port, "127.0.0.1", listening));

/** Runs the suite, and returns what it prints. Its status does not matter: whoever runs this judges the checks. */
const run = (...told) =>
  new Promise((ended, failed) => {
    const child = spawn(process.execPath, [SUITE, ...told], { stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    child.stdout.on("data", (piece) => (printed += piece));
    child.on("error", failed);
    child.on("close", () => ended(printed));
  });

const listed = await run("list", "--server");
const scenarios = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
const folder = await mkdtemp(join(tmpdir(), "conformance-"));
await run("server", "--url", `http://127.0.0.1:${port}/mcp`, "--suite", "all", "--output-dir", folder);
const checks = {};
for (const result of await readdir(folder)) {
  const [, name] = result.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/);
  const told = JSON.parse(await readFile(join(folder, result, "checks.json"), "utf8"));
  checks[name] = told.map(({ id, status, errorMessage }) => ({ id, status, errorMessage }));
}
await rm(folder, { recursive: true });
console.log(JSON.stringify({ scenarios, checks }));
process.exit(0);
