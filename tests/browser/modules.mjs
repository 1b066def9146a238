// Walks the pages of a domain whose modules have data, in a real Chromium: a page for each module, errors of scripts, the lab, rules
// with their pictures, reports and the links in their mails.
import assert from "node:assert/strict";
import { at, walk } from "./walk.mjs";

/** The editor has a field for every choice of every part. */
const EDITOR_BYTES = 400 * 1024;

await walk("the pages of modules", async ({ page, visitor, go, see, look }) => {
  const site = `/console/domains/${at.domain_id}`;

  // Each module with its figures.
  await see(page, site, "data-monitoring");
  for (const module of ["analytics", "rum", "crux", "synthetic", "gsc", "indexing", "robots", "sitemap"]) {
    await go(page, `${site}/${module}`);
    assert.ok((await page.locator("section.widget").count()) > 0, `${module} shows no data`);
    await look(page, `data-${module}`);
  }
  for (const module of ["crux", "indexing", "sitemap"]) await see(page, `${site}/${module}/watched`, `watched-${module}`);
  await see(page, `${site}/robots/saved`, "robots-saved");
  await see(page, `${site}/robots/versions/${at.version_id}`, "robots-version");
  await see(page, `${site}/settings`, "data-settings");
  await see(page, `${site}/incidents/${at.incident_id}`, "data-incident");

  // The opportunities of search, by the way that its page shows.
  await go(page, `${site}/gsc`);
  await page.getByRole("link", { name: /^Opportunities/ }).click();
  await page.waitForURL("**/gsc/opportunities");
  assert.ok((await page.locator("#directories + p + .scroll tbody tr").count()) > 0, "no directory is shown");
  await look(page, "opportunities");

  // All queries and pages of search, one of each, and what inspections found.
  for (const [list, name] of [
    ["queries", "All queries"],
    ["pages", "All pages"],
  ]) {
    await go(page, `${site}/gsc`);
    await page.getByRole("link", { name }).click();
    await page.waitForURL(`**/gsc/${list}?*`);
    await look(page, `search-${list}`);
    await page.locator("tbody th a").first().click();
    await page.waitForURL(`**/gsc/${list}/detail?*`);
    await look(page, `search-${list}-detail`);
  }
  await see(page, `${site}/indexing/findings`, "index-findings");

  // Visits: narrowed by a click and back again, a funnel that is typed, journeys, who comes back, and who is there now.
  await go(page, `${site}/analytics`);
  await page.getByRole("navigation", { name: "Visits" }).getByRole("link", { name: "Explore" }).click();
  await page.waitForURL("**/analytics/explore?*");
  await page.locator("#top-country + .scroll tbody a").first().click();
  await page.waitForURL("**country=*");
  await see(page, `${site}/analytics/explore?compare_previous=true&device=desktop&country=DE`, "visits-explore");
  await page.getByRole("link", { name: "Show all visits" }).click();
  await page.locator(".chips").waitFor({ state: "detached" });
  await look(page, "visits-all");
  await go(page, `${site}/analytics/funnel`);
  await look(page, "visits-funnel-first");
  await page.getByLabel("Step 1").fill("page:/");
  await page.getByLabel("Step 2").fill("page:/a");
  await page.getByRole("button", { name: "Show the funnel" }).click();
  await page.locator("#funnel-title").waitFor({ state: "attached" });
  await look(page, "visits-funnel");
  await see(page, `${site}/analytics/journeys`, "visits-journeys");
  assert.ok((await page.locator("path.fill.wash").count()) > 0, "no band is drawn");
  await see(page, `${site}/analytics/retention?granularity=day`, "visits-retention");
  await see(page, `${site}/analytics/realtime`, "visits-now");
  await see(page, `${site}/analytics/experiments/${at.experiment_id}`, "experiment");

  // Errors of scripts, and one with its stack.
  await see(page, `${site}/rum/errors`, "errors");
  await page.locator("tbody a").first().click();
  await page.waitForURL(`**/rum/errors/*`);
  await look(page, "error");

  // The lab: a figure over time, a test, what is tested, its budgets.
  await see(page, `${site}/synthetic/figures/lcp_ms`, "lab-figures");
  await see(page, `${site}/synthetic/tests/${at.lab_run}`, "lab-test");
  await see(page, `${site}/synthetic/settings`, "lab-settings");
  await see(page, `${site}/synthetic/settings/pages/${at.url_id}`, "lab-page");
  await see(page, `${site}/synthetic/settings/budgets/${at.budget_id}`, "lab-budget");

  // From the picture of a metric to a rule on it, with its threshold drawn in before it is made.
  await see(page, `${site}/alerts`, "data-rules");
  await see(page, `${site}/alerts/new`, "rule-metrics");
  await go(page, `${site}/rum`);
  await page.getByText("Alert on this:").locator('a[href*="metric=lcp_ms"]').first().click();
  await page.getByRole("heading", { name: /^A rule on/ }).waitFor();
  await page.locator("line.threshold").waitFor({ state: "attached" });
  await look(page, "rule-picture");
  await page.locator("#threshold_value").fill("150");
  await page.getByRole("button", { name: "Draw this threshold" }).click();
  await page.waitForURL("**/alerts/new");
  assert.equal(await page.locator("#threshold_value").inputValue(), "150");
  assert.match(await page.locator("#course-head + .picture-box svg").first().textContent(), /fires above 150/);
  await look(page, "rule-drawn");
  await page.locator("#threshold_value").fill("many");
  await page.getByRole("button", { name: "Draw this threshold" }).click();
  await page.getByRole("alert").getByText("A number, such as").waitFor();
  await look(page, "rule-drawn-fault");
  await see(page, `${site}/alerts/${at.rule_id}/edit`, "rule-edit");

  // Reports: all of them, one with its recipients, its editor.
  await see(page, `${site}/reports`, "reports");
  await go(page, `${site}/reports/${at.template_id}`);
  await page.getByLabel("Add a mail address").fill("client@shop.example");
  await page.getByRole("button", { name: "Ask them" }).click();
  await page.getByRole("alert").first().waitFor();
  await look(page, "report");
  await go(page, `${site}/reports/${at.template_id}/edit`, EDITOR_BYTES);
  await look(page, "report-edit");

  // Readers of them have no account: one says yes, one has had enough.
  await see(visitor, at.confirm, "report-wanted");
  await visitor.getByRole("button", { name: "Yes, send me this report" }).click();
  await visitor.getByRole("heading", { name: "You get this report" }).waitFor();
  await look(visitor, "report-confirmed");
  assert.equal((await visitor.goto(new URL(at.confirm, page.url()).href)).status(), 410);
  await look(visitor, "report-link-used");
  await see(visitor, at.end_reports, "report-end");
  await visitor.getByRole("button", { name: "Send me no more" }).click();
  await visitor.getByRole("heading", { name: "You get no more of these mails" }).waitFor();
  await look(visitor, "report-ended");
});
