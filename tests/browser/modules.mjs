// Walks through a domain whose modules have data, in a real Chromium: from page to page by the ways that people go, from a picture to
// a rule, reports and the links in their mails. `every.mjs` looks at the pages as they come.
import assert from "node:assert/strict";
import { at, walk } from "./walk.mjs";

await walk("the pages of modules", async ({ page, visitor, go, see, look }) => {
  const site = `/console/domains/${at.domain_id}`;

  // Each module with its figures.
  for (const module of ["analytics", "rum", "crux", "synthetic", "gsc", "indexing", "robots", "sitemap"]) {
    await go(page, `${site}/${module}`);
    assert.ok((await page.locator("section.widget").count()) > 0, `${module} shows no data`);
  }

  // The opportunities of search, by the way that its page shows.
  await go(page, `${site}/gsc`);
  await page.getByRole("link", { name: /^Opportunities/ }).click();
  await page.waitForURL("**/gsc/opportunities");
  assert.ok((await page.locator("#directories + p + .scroll tbody tr").count()) > 0, "no directory is shown");

  // All queries and pages of search, and one of each.
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

  // Visits: narrowed by a click and back again, a funnel that is typed, journeys.
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
  await page.getByLabel("Step 1").fill("page:/");
  await page.getByLabel("Step 2").fill("page:/a");
  await page.getByRole("button", { name: "Show the funnel" }).click();
  await page.locator("#funnel-title").waitFor({ state: "attached" });
  await look(page, "visits-funnel");
  await go(page, `${site}/analytics/journeys`);
  assert.ok((await page.locator("path.fill.wash").count()) > 0, "no band is drawn");

  // From the errors of scripts to one with its stack.
  await go(page, `${site}/rum/errors`);
  await page.locator("tbody a").first().click();
  await page.waitForURL(`**/rum/errors/*`);
  await look(page, "error");

  // From the picture of a metric to a rule on it, with its threshold drawn in before it is made.
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

  // A report that somebody who is no mail address is to get.
  await go(page, `${site}/reports/${at.template_id}`);
  await page.getByLabel("Add a mail address").fill("client@shop.example");
  await page.getByRole("button", { name: "Ask them" }).click();
  await page.getByRole("alert").first().waitFor();
  await look(page, "report");

  // Readers of them have no account: one says yes, one has had enough.
  await go(visitor, at.confirm);
  await visitor.getByRole("button", { name: "Yes, send me this report" }).click();
  await visitor.getByRole("heading", { name: "You get this report" }).waitFor();
  await look(visitor, "report-confirmed");
  assert.equal((await visitor.goto(new URL(at.confirm, page.url()).href)).status(), 410);
  await look(visitor, "report-link-used");
  await go(visitor, at.end_reports);
  await visitor.getByRole("button", { name: "Send me no more" }).click();
  await visitor.getByRole("heading", { name: "You get no more of these mails" }).waitFor();
  await look(visitor, "report-ended");
});
