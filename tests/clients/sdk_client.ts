// The examples of docs/guides/sdks.md, against a real Pharos. Compiled at its strictest, and run; prints a JSON object a line.
import { APIError, AuthenticationError, Pharos, type UptimeConfig, poll } from "pharos-monitoring";

declare const process: { argv: string[] };

const [domainId = "", busy = "", cut = ""] = process.argv.slice(2);
const say = (step: Record<string, unknown>) => console.log(JSON.stringify(step));

const pharos = new Pharos();
for await (const { domain } of pharos.platform.listDomains()) {
  say({ domain });
}

const config: UptimeConfig = await pharos.uptime.updateConfig(domainId, { interval_seconds: 300 });
say({ interval: config.interval_seconds });

for (const threshold_value of [2, 3, 4]) {
  await pharos.alerts.createRule(domainId, {
    module: "uptime",
    metric: "consecutive_failures",
    operator: "gte",
    threshold_value,
  });
}
const rules = pharos.alerts.listRules({ module: "uptime", limit: 1 });
const newest = await rules;
const thresholds: (number | null)[] = [];
for await (const rule of rules) thresholds.push(rule.threshold_value);
let pages = 0;
for await (const page of rules.pages()) pages += page.items.length;
say({ has_more: newest.has_more, thresholds: thresholds.sort(), pages });

try {
  await pharos.uptime.getIncident(domainId, crypto.randomUUID());
} catch (error) {
  if (!(error instanceof APIError && error.code === "incident-not-found")) throw error;
  say({ missing: error.status, help: error.help?.split("/").at(-1), request: error.requestId !== undefined });
}

const stranger = new Pharos({ apiKey: "svc_dev_nobody" });
const refused = await stranger.platform.getMe().catch((error: unknown) => error);
say({ refused: refused instanceof AuthenticationError && refused.code });

const attempts: number[] = [];
const patient = new Pharos({ baseUrl: busy, onAnswer: ({ status }) => attempts.push(status) });
const began = Date.now();
await patient.platform.getMe();
say({ attempts, waited: Date.now() - began >= 1000 });

const replays: [number, boolean][] = [];
const unlucky = new Pharos({ baseUrl: cut, onAnswer: ({ attempt, isReplay }) => replays.push([attempt, isReplay]) });
const check = await unlucky.uptime.runCheck(domainId);
say({ check: check.status, replays });

const asked = await pharos.analytics.createReportRun(domainId, "pages_full", {
  start_date: "2026-03-30",
  end_date: "2026-04-03",
});
const run = await pharos.waitForRun(asked, { timeout: 120_000 });
if (run.status !== "succeeded") throw new Error(run.error_detail ?? run.status);
let rows = 0;
for await (const _ of pharos.analytics.listReportRows(domainId, run.run_id, { limit: 2 })) rows += 1;
say({ report: run.status, all: rows > 2 && rows === run.total_rows });

const runs = await poll(
  () => pharos.analytics.listReportRuns(domainId, { status: "succeeded" }),
  (page) => page.items.length > 0,
);
say({ runs: runs.items.length });

const me = await pharos.platform.getMe();
const names: string[] = [];
for (const { domain } of (await pharos.platform.listDomains()).items) names.push(domain);
say({ names, scopes: me.effective_scopes.length > 0 });
