// Chromium by its raw protocol: Playwright switches the back/forward cache off.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts a browser with one tab at an address. Chromium loads no page ahead in a tab that somebody is attached to. */
export async function raw(program, url = "about:blank") {
  const profile = await mkdtemp(join(tmpdir(), "pharos-chromium-"));
  const flags = ["--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage"];
  const child = spawn(program, [...flags, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const [input, output] = [child.stdio[3], child.stdio[4]];
  const waiting = new Map();
  let last = 0;
  let pending = "";
  output.setEncoding("utf8").on("data", (text) => {
    const messages = (pending + text).split("\0");
    pending = messages.pop();
    for (const message of messages.map((message) => JSON.parse(message))) {
      const { done, failed } = waiting.get(message.id) ?? {};
      waiting.delete(message.id);
      if (message.error) failed?.(new Error(message.error.message));
      else done?.(message.result);
    }
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((done, failed) => {
      last += 1;
      waiting.set(last, { done, failed });
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  const { targetId } = await send("Target.createTarget", { url });
  let sessionId;
  return {
    attach: async () => ({ sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })),
    go: (url) => send("Page.navigate", { url }, sessionId),
    back: async () => {
      const { currentIndex, entries } = await send("Page.getNavigationHistory", {}, sessionId);
      await send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1].id }, sessionId);
    },
    evaluate: async (expression) => {
      const { result } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId);
      return result.value;
    },
    close: async () => {
      const ended = new Promise((over) => child.on("exit", over));
      child.kill("SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
