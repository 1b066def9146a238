import createClient from "openapi-fetch";
import type { components, paths } from "./pharos.js";

declare const process: { argv: [string, string, string, string, string] };

type Schemas = components["schemas"];

const [, , baseUrl, key, domain_id] = process.argv;
const say = (step: Record<string, unknown>) => console.log(JSON.stringify(step));
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const path = { domain_id };

const granularity: Schemas["Granularity"] = "week";
const availability = await client.GET("/api/public/v1/domains/{domain_id}/uptime/availability", {
  params: { path, query: { granularity, period: "last_7_days" } },
});
const days: Schemas["UptimeAvailabilityItem"][] = availability.data?.items ?? [];
say({ pieces: days.length > 0 });

const outcome: Schemas["CheckOutcome"] = "down";
const checks = await client.GET("/api/public/v1/domains/{domain_id}/uptime/checks", {
  params: { path, query: { outcome } },
});
say({ checks: checks.data?.items.map((check) => check.outcome) });

const update: Schemas["UptimeConfigUpdate"] = { interval_seconds: 300 };
const config = await client.PUT("/api/public/v1/domains/{domain_id}/uptime/config", { params: { path }, body: update });
say({ interval: config.data?.interval_seconds });

const missing = await client.GET("/api/public/v1/domains/{domain_id}/uptime/incidents/{incident_id}", {
  params: { path: { domain_id, incident_id: "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11" } },
});
// Each refusal has a problem's type, but for the 422 that is never answered.
const problem = missing.error as Schemas["Problem"];
const suffix = problem.type.split("/").at(-1) as Schemas["ProblemSuffix"];
const expected: Schemas["ProblemSuffix"] = "incident-not-found";
say({ problem: suffix === expected });

const request: Schemas["OauthTokenRequest"] = {
  grant_type: "refresh_token",
  refresh_token: "prt_none",
  client_id: "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
  resource: baseUrl,
};
const tokens = await client.POST("/api/public/v1/oauth/token", {
  body: request,
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
const refusal: Schemas["OauthErrorCode"] | undefined = tokens.error?.error;
say({ refused: refusal });
