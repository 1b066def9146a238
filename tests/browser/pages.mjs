// Walks the pages of a workspace with a past in a real Chromium: overview, a domain, its incidents, status pages, the
// second factor of its reader.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look as lookInto } from "./look.mjs";

const { ORIGIN, LINK, CHROMIUM, SHOTS } = process.env;
const PASSWORD = "correct horse battery staple";
const MOST_BYTES = 100 * 1024;
const look = (page, name) => lookInto(page, name, SHOTS);

const asked = [];
const complaints = [];

/** Goes to a page, and holds its size against the bound. */
async function go(page, path) {
  const answer = await page.goto(`${ORIGIN}${path}`);
  const { length } = await answer.body();
  assert.ok(length < MOST_BYTES, `${path} has ${length} bytes`);
  return answer;
}

/** The code of a secret as an app on a phone makes it (RFC 6238), so many steps of 30 seconds from now. */
function code(secret, steps) {
  const bits = [...secret.replaceAll(" ", "")].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"));
  const key = Buffer.from(bits.join("").match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

await mkdir(SHOTS, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  // Somebody who is not in UTC, so that times are told twice.
  const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
  context.on("request", (request) => asked.push(request.url()));
  context.on("console", (message) => complaints.push(message.text()));
  const page = await context.newPage();

  await page.goto(LINK);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();

  // Domains that need attention come first.
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const overview = new URL(page.url()).pathname;
  const first = page.locator("tbody tr").first();
  assert.match(await first.textContent(), /api\.example.*Down/s);
  assert.match(await page.locator("tbody tr").nth(1).textContent(), /Search.*Slow/s);
  await look(page, "overview");
  await page.getByRole("link", { name: "Domain", exact: true }).click();
  assert.match(await page.locator("tbody tr").first().textContent(), /Bold.*& "quoted"/s);
  await page.getByLabel("Find").fill("متجر");
  await page.getByRole("button", { name: "Find" }).click();
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.getByLabel("Find").fill("nothing like it");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByText("No domain matches").waitFor();
  await look(page, "overview-none");

  // A domain with a past.
  await go(page, overview);
  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  const shop = new URL(page.url()).pathname;
  assert.equal(await page.locator(".day").count(), 365);
  await page.getByRole("img", { name: /Availability of Shop by day/ }).waitFor();
  const local = await page.locator("time[data-moment]").first().evaluate((time) => time.previousElementSibling.textContent);
  assert.match(local, /\d{1,2} \w{3} \d{4}/);
  await look(page, "domain");
  await page.locator("#times-head + .picture-box rect.hit").nth(4).hover();
  await page.locator(".tip").getByText(/First byte/).waitFor();
  await page.mouse.move(0, 0);
  await page.getByText("As a table").first().click();
  await page.getByRole("rowheader").first().waitFor();
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path: `${SHOTS}/domain-print.png`, fullPage: true });
  await page.emulateMedia({ media: "screen" });

  // Days in the address, and compared.
  await go(page, `${shop}?period=last_7_days&compare_previous=true`);
  await page.getByText(/^before:/).first().waitFor();
  await go(page, `${shop}?start_date=1626-01-01`);
  await page.getByText("What is older is not kept").waitFor();
  await look(page, "domain-year");
  // The weeks of a year have no tooltips of their own: they are the rows of the table.
  await page.locator("#times-head + .picture-box rect.whole").hover();
  await page.locator(".tip").getByText(/^Week of .*\nLook-up: .*\nConnect: /).waitFor();
  await page.mouse.move(0, 0);
  assert.equal((await go(page, `${shop}?start_date=soon`)).status(), 400);
  await page.getByRole("alert").getByText(/^From: /).waitFor();
  await look(page, "domain-fault");

  // Incidents, and one with its course.
  await go(page, `${shop}?period=last_90_days`);
  await page.getByRole("link", { name: "Incidents", exact: true }).click();
  await page.getByRole("link", { name: "90 days" }).click();
  await look(page, "incidents");
  await page.locator("tbody th a").first().click();
  await page.getByRole("heading", { name: "Course" }).waitFor();
  await page.getByText("The site recovered").waitFor();
  await look(page, "incident");

  // The pages of modules, empty as they are; a tab leads to each.
  for (const tab of ["Visitors", "Vitals", "Lab", "Search", "robots.txt", "Sitemaps"]) {
    await go(page, shop);
    await page.getByRole("link", { name: tab, exact: true }).click();
    await page.locator('.tabs [aria-current="page"]', { hasText: tab }).waitFor();
    await look(page, `domain-${tab}`);
  }

  // A rule: made by the form of its metric, then edited.
  await go(page, `${shop}/alerts/new?module=uptime&metric=response_ms`);
  await page.locator("#name").fill("Slow");
  await page.getByRole("button", { name: "Make the rule" }).click();
  await page.getByRole("link", { name: "Edit: Slow" }).click();
  await page.locator("#threshold_value").fill("many");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("A number, such as").waitFor();
  await look(page, "rule-fault");
  await page.locator("#threshold_value").fill("1500");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("above 1,500 ms").waitFor();
  await look(page, "rules");

  // A page for the lab that is none of the site's, and a budget without a bound.
  await go(page, `${shop}/synthetic/settings`);
  await look(page, "lab-empty");
  await page.getByRole("link", { name: "Add a page" }).click();
  await page.locator("#url").fill("https://elsewhere.example/");
  await page.getByRole("button", { name: "Test this page" }).click();
  await page.getByRole("alert").getByText("or below it").waitFor();
  await look(page, "lab-page-fault");
  await go(page, `${shop}/synthetic/settings/pages/new`);
  await page.locator("#url").fill(`${await page.locator("#url").inputValue()}collections/shoes-for-all-of-the-family`);
  await page.getByRole("button", { name: "Test this page" }).click();
  await page.getByText("The page is tested from now on.").waitFor();
  await go(page, `${shop}/synthetic/settings/budgets/new`);
  await page.locator("#limit").fill("many");
  await page.getByRole("button", { name: "Set the budget" }).click();
  await page.getByRole("alert").getByText("a number of 0").waitFor();
  await look(page, "lab-budget-fault");
  await page.locator("#limit").fill("2500");
  await page.locator("#url_id").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Set the budget" }).click();
  await page.getByText("at most 2,500 ms").waitFor();
  await look(page, "lab-budgets");
  // A long address leaves room for all columns at a desk.
  const cut = (tables) => tables.filter((table) => table.scrollWidth > table.clientWidth).map(({ ariaLabel }) => ariaLabel);
  assert.deepEqual(await page.locator(".scroll").evaluateAll(cut), []);

  // A rule again, on a phone: the tab of the present page is in sight.
  await go(page, `${shop}/alerts`);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.reload();
  const end = await page.locator(".tabs [aria-current]").evaluate((tab) => tab.getBoundingClientRect().right);
  assert.ok(end <= 390, `the tab ends at ${end} px`);
  // On the narrowest screen a rule, how it stands and what can be done with it need no sideways scroll.
  await page.setViewportSize({ width: 320, height: 800 });
  const [content, shown] = await page
    .getByRole("region", { name: "Rules" })
    .evaluate((table) => [table.scrollWidth, table.clientWidth]);
  assert.ok(content <= shown, `the rules are ${content} px wide, with room for ${shown}`);
  await page.setViewportSize({ width: 1280, height: 800 });

  // One that is not monitored, one that is down.
  for (const name of ["fresh.example", "api.example"]) {
    await go(page, overview);
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await look(page, `domain-${name}`);
  }

  // A status page: faults first, then made, then seen by everybody.
  await page.getByRole("link", { name: "Status pages" }).click();
  await page.getByText("No status page yet").waitFor();
  await look(page, "status-pages-empty");
  await page.getByRole("link", { name: "Add a status page" }).click();
  await page.getByLabel("Title").fill("How we do");
  await page.getByLabel("Address").fill("-- not good");
  await page.getByRole("button", { name: "Add the status page" }).click();
  await page.getByRole("alert").getByText("Choose 1 to 100 sites").waitFor();
  await look(page, "status-page-fault");
  await page.getByLabel("Address").fill("how-we-do");
  for (const name of ["Shop", "api.example", "متجر الكتب", "fresh.example"]) await page.getByLabel(name, { exact: true }).check();
  await page.getByRole("button", { name: "Add the status page" }).click();
  await page.getByRole("status").getByText("The status page is there.").waitFor();
  await look(page, "status-pages");
  const visitor = await (await browser.newContext()).newPage();
  await go(visitor, "/status/how-we-do");
  await visitor.getByText("One site is down.").waitFor();
  await look(visitor, "status");
  const feed = await visitor.request.get(`${ORIGIN}/status/how-we-do/feed.xml`);
  assert.match(feed.headers()["content-type"], /application\/rss\+xml/);
  const items = await visitor.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "text/xml");
    return parsed.querySelector("parsererror") ? "malformed" : parsed.querySelectorAll("item > link").length;
  }, await feed.text());
  assert.ok(items >= 3, `${items} items`);

  // Changed, and deleted.
  await page.getByRole("link", { name: "How we do" }).click();
  await page.getByText("Delete this status page").click();
  await look(page, "status-page-change");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("status").getByText("The status page was deleted.").waitFor();

  // A domain: added, set up, deleted, restored.
  await go(page, overview);
  await page.getByRole("link", { name: "Add a domain" }).click();
  await page.getByLabel("Domain", { exact: true }).fill("co.uk");
  await page.getByRole("button", { name: "Add the domain" }).click();
  await page.getByRole("alert").getByText("is a public suffix").waitFor();
  await look(page, "domain-add-fault");
  await page.getByLabel("Domain", { exact: true }).fill("Bücher.example");
  await page.getByRole("button", { name: "Add the domain" }).click();
  await page.getByRole("heading", { name: "What to do next" }).waitFor();
  await look(page, "domain-first-steps");
  await page.getByRole("link", { name: "Set monitoring up" }).first().click();
  await page.getByRole("heading", { name: "Monitoring" }).waitFor();
  await page.getByText("Delete this domain").click();
  await look(page, "domain-settings");
  await page.getByLabel("Check this site").check();
  await page.getByLabel("Address", { exact: true }).fill("https://elsewhere.example/");
  await page.getByRole("button", { name: "Save monitoring" }).click();
  await page.getByRole("alert").waitFor();
  await look(page, "domain-settings-fault");
  await page.getByLabel("Address", { exact: true }).fill("https://xn--bcher-kva.example/");
  await page.getByRole("button", { name: "Save monitoring" }).click();
  await page.getByRole("status").getByText("The settings were saved.").waitFor();
  await page.getByText("Delete this domain").click();
  await page.getByLabel("to go on").fill("xn--bcher-kva.example");
  await page.getByRole("button", { name: "Delete the domain" }).click();
  await page.getByRole("status").getByText("The domain was deleted.").waitFor();
  await look(page, "domains-deleted");
  await page.getByRole("button", { name: "Restore xn--bcher-kva.example" }).click();
  await page.getByRole("status").getByText("The domain was restored").waitFor();

  // A report in the editor: its preview follows what is typed, and the page stays as it is.
  const previewed = () => page.waitForResponse((answer) => answer.url().endsWith("/reports/preview"));
  await go(page, `${shop}/reports`);
  const opened = previewed();
  await page.getByRole("link", { name: "Add a report" }).click();
  assert.equal((await opened).status(), 200);
  const changed = previewed();
  // The field keeps the focus: nothing but typing tells of it.
  await page.getByLabel("Name", { exact: true }).fill("Quarterly");
  assert.match(await (await changed).text(), /<h1>Quarterly<\/h1>/);
  await look(page, "report-editor");
  await page.getByRole("button", { name: "Move Uptime up" }).click();
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByRole("status").getByText("The report was saved.").waitFor();

  // The jobs of the workspace.
  await go(page, `${overview}/jobs`);
  await page.getByText("No job has failed").waitFor();
  await look(page, "jobs-empty");

  // Why calls were refused, what a cycle was used for, and the switches of the installation.
  await go(page, `${overview}/refusals`);
  await page.getByText("from an address outside its allowlist").first().waitFor();
  await look(page, "refusals");
  await go(page, `${overview}/credits`);
  await page.getByRole("img", { name: "Credits used by day" }).waitFor();
  await look(page, "credits");
  await page.getByLabel("Operation", { exact: true }).fill("listAlertRules");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: "Show all" }).waitFor();
  await look(page, "credits-search");
  await page.getByRole("link", { name: "Switches" }).click();
  await page.getByText("No switch was ever thrown").waitFor();
  await page.getByText("Turn writes and runs off").first().click();
  await page.getByLabel("Type read-only-mode to go on").fill("read-only");
  await page.getByRole("button", { name: "Throw the switch" }).click();
  await page.getByText("That is not the name of the switch.").waitFor();
  await look(page, "switches-fault");

  // A second factor: set up, asked for at sign-in.
  await page.getByRole("link", { name: "Account", exact: true }).click();
  const email = await page.locator(".who").textContent();
  await page.getByRole("link", { name: "Look after it" }).click();
  await look(page, "second-factor-off");
  await page.getByLabel("Present password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  await look(page, "second-factor-begun");
  // A form that is on its way is sent once; who stops it sends it again.
  const held = await page.evaluate(() => {
    const form = document.querySelector("form.card");
    const isHeld = () => !form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    const stop = () => dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    const all = [isHeld(), isHeld()];
    stop();
    all.push(isHeld());
    stop();
    return all;
  });
  assert.deepEqual(held, [false, true, false]);
  const secret = await page.locator("#secret").textContent();
  await page.getByLabel("Code", { exact: true }).fill(code(secret, 0));
  await page.getByRole("button", { name: "Switch it on" }).click();
  await page.getByText("They are not shown again.").waitFor();
  await look(page, "recovery-codes");
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByText("On since").waitFor();
  await look(page, "second-factor-on");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "One more step" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill("no code");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("no code that can be used now").waitFor();
  await look(page, "second-factor-asked");
  // The code of the next step: the one of this was taken.
  await page.getByLabel("Code", { exact: true }).fill(code(secret, 1));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

  // Pages that say what went wrong.
  assert.equal((await go(page, "/console/domains/019aa5f0-0000-7000-8000-000000000000")).status(), 404);
  await look(page, "no-page");

  assert.deepEqual(asked.filter((url) => new URL(url).origin !== ORIGIN), []);
  assert.deepEqual(complaints.filter((text) => text.includes("Content Security Policy")), []);
} catch (fault) {
  console.error(complaints.join("\n"));
  throw fault;
} finally {
  await browser.close();
}
console.log(`the pages held in Chromium: ${asked.length} requests`);
