// Walks the console of a running Pharos in Chromium. Told by variables:
//   ORIGIN    where it is
//   LINK      a link by which a user sets a password
//   CHROMIUM  the browser's program
//   SHOTS     the folder of the screenshots
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look as lookInto } from "./look.mjs";

const { ORIGIN, LINK, CHROMIUM, SHOTS } = process.env;
const API = `${ORIGIN}/api/public/v1`;
const PASSWORD = "correct horse battery staple";
const look = (page, name) => lookInto(page, name, SHOTS);

const asked = [];
const complaints = [];

/** Serves on a free port, and says which. */
async function serve(host, answer) {
  const server = createServer(answer);
  await new Promise((listening) => server.listen(0, host, listening));
  return { server, origin: `http://${host}:${server.address().port}` };
}

/** An app that waits for its users at one origin, and sends them on to another. */
async function startApp() {
  const arrived = [];
  const home = await serve("localhost", (_, response) => {
    response.setHeader("content-type", "text/plain").end("Back in the app.");
  });
  const callback = await serve("127.0.0.1", (request, response) => {
    arrived.push(new URL(request.url, "http://app").searchParams);
    response.writeHead(302, { location: `${home.origin}/home` }).end();
  });
  const servers = [home.server, callback.server];
  return { arrived, servers, redirect_uri: `${callback.origin}/callback`, home: `${home.origin}/home` };
}

/** The elements that have the focus, one for each press of Tab from the top; each focus has to be visible. */
async function tabbed(page, presses) {
  const seen = [];
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press("Tab");
    seen.push(
      await page.evaluate(() => {
        const element = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const shown = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
        return `${element.name || element.textContent.trim()}${shown ? "" : " (without a visible focus)"}`;
      }),
    );
  }
  return seen;
}

/** The text that the page's status announces to assistive technology. */
async function heard(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const known = new Map(nodes.map((node) => [node.nodeId, node]));
  const told = ({ role, name, childIds = [] }) =>
    role?.value === "StaticText" ? name.value : childIds.map((id) => told(known.get(id))).join("");
  return told(nodes.find(({ role }) => role?.value === "status"));
}

async function json(path, options) {
  const answer = await fetch(`${API}${path}`, options);
  return [answer.status, await answer.json()];
}

const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields) });

await mkdir(SHOTS, { recursive: true });
const app = await startApp();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const context = await browser.newContext();
  context.on("request", (request) => asked.push(request.url()));
  context.on("console", (message) => complaints.push(message.text()));
  const page = await context.newPage();

  // A password, by the link.
  await page.goto(LINK);
  await look(page, "welcome");
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same again").fill("something else entirely");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("alert").getByText("The two passwords differ.").waitFor();
  await look(page, "welcome-fault");
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByRole("link", { name: "Connected apps" }).click();
  await page.getByText("No app is connected.").waitFor();
  await look(page, "apps-empty");
  const email = await page.locator(".who").textContent();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();

  // An app registers, and sends its user's browser.
  const { redirect_uri } = app;
  const [registered, client] = await json("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Ada\u202e's <b>dashboards</b>", redirect_uris: [redirect_uri] }),
  });
  assert.equal(registered, 201);
  const verifier = randomBytes(32).toString("base64url");
  const request = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri,
    scope: "read:domains read:overview read:uptime write:uptime run:uptime",
    state: "the state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: ORIGIN,
  });
  await page.goto(`${API}/oauth/authorize?${request}`);

  // Sign-in first: wrong, then right, by keyboard alone.
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  await page.getByText("asks to use Pharos as you").waitFor();
  await look(page, "sign-in");
  await page.reload();
  assert.deepEqual(await tabbed(page, 2), ["Skip to the content", "email"]);
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("E-mail address or password are wrong.").waitFor();
  await look(page, "sign-in-fault");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");

  // Consent: what reads is ticked, in the oldest workspace, and a sentence follows the ticks.
  await page.getByRole("heading", { name: "Give an app access?" }).waitFor();
  await look(page, "consent");
  await page.setViewportSize({ width: 1280, height: 800 });
  const name = "Ada⟦U+202E⟧'s <b>dashboards</b>";
  const [example, second] = await page.locator("input[name=workspace]").all();
  const isDefault = () => page.locator(".default").evaluateAll((marks) => marks.map((mark) => mark.checkVisibility()));
  const reads = `${name} will be able to read data in 1 of your 2 workspaces, as ticked above; it will not be able to change or start anything.`;
  assert.equal(await heard(page), reads);
  assert.deepEqual(await isDefault(), [true, false]);
  await second.check();
  assert.match(await heard(page), / in 2 of your 2 workspaces,/);
  assert.deepEqual(await isDefault(), [true, false]);
  await example.uncheck();
  assert.deepEqual(await isDefault(), [false, true]);
  await page.getByLabel("Check sites now.").check();
  assert.match(await heard(page), / read data and start work in 1 .* will not be able to change anything\.$/);

  // Enter in a box decides nothing, and neither do the buttons of a tier, each of which is there when it has work.
  await page.getByLabel("Check sites now.").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${ORIGIN}/console/consent`);
  assert.equal(await page.getByLabel("Check sites now.").isChecked(), true);
  const tick = page.getByRole("button", { name: "Tick all under Read", exact: true });
  const untick = page.getByRole("button", { name: "Untick all under Read" });
  assert.deepEqual([await tick.isVisible(), await untick.isVisible()], [false, true]);
  await untick.click();
  await tick.waitFor();
  assert.deepEqual([await tick.isVisible(), await untick.isVisible()], [true, false]);
  assert.match(await tick.evaluate(() => document.activeElement.textContent), /^Tick all/);
  assert.match(await heard(page), / start work in 1 .* will not be able to read or change anything\.$/);

  // Nothing ticked, then less than was asked for.
  const boxes = page.getByRole("checkbox");
  assert.equal(await boxes.count(), 7);
  for (const box of await boxes.all()) await box.uncheck();
  assert.match(await heard(page), /^It will not be able to do anything: tick/);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("alert").getByText("Nothing was allowed yet.").waitFor();
  await look(page, "consent-fault");
  await page.getByLabel("Read workspaces and their domains.").check();
  await example.check();
  await page.getByRole("button", { name: "Approve" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(app.home);
  const [arrived] = app.arrived;
  assert.equal(arrived.get("state"), "the state");
  assert.equal(arrived.get("iss"), ORIGIN);

  // The app has what was ticked, and no more.
  const proof = { redirect_uri, client_id: client.client_id, code_verifier: verifier, resource: ORIGIN };
  const exchange = async (code) => {
    const [status, tokens] = await json("/oauth/token", form({ grant_type: "authorization_code", code, ...proof }));
    assert.equal(status, 200, JSON.stringify(tokens));
    return tokens;
  };
  const tokens = await exchange(arrived.get("code"));
  assert.equal(tokens.scope, "read:domains");
  const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } };
  assert.equal((await json("/domains", bearer))[0], 200);

  // The next time the user denies.
  await page.goto(`${API}/oauth/authorize?${request}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(app.home);
  assert.equal(app.arrived[1].get("error"), "access_denied");

  // Then they agree to what is ticked as it comes.
  await page.goto(`${API}/oauth/authorize?${request}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL(app.home);
  const { scope } = await exchange(app.arrived[2].get("code"));
  assert.equal(scope, "read:domains read:overview read:uptime");

  // The user takes one back, and then all.
  await page.goto(`${ORIGIN}/console/apps`);
  await page.getByRole("heading", { name: "Connected apps" }).waitFor();
  await look(page, "apps");
  await page.getByRole("link", { name: `Revoke this one of ${name}` }).first().click();
  await page.getByRole("button", { name: "Revoke access" }).click();
  await page.getByRole("status").getByText("Access was revoked.").waitFor();
  assert.equal((await json("/domains", bearer))[0], 200);
  await page.getByRole("link", { name: `Revoke access of ${name}` }).click();
  await page.getByRole("heading", { name: "Take access back?" }).waitFor();
  await look(page, "apps-revoke");
  await page.getByRole("button", { name: "Revoke access" }).click();
  await page.getByRole("status").getByText("Access was revoked.").waitFor();
  await look(page, "apps-revoked");
  const [status, problem] = await json("/domains", bearer);
  assert.equal(status, 401);
  assert.match(problem.type, /\/grant-revoked$/);

  // Somebody adds a channel, and sends a test.
  await page.getByRole("link", { name: "Alert channels" }).click();
  await page.getByRole("heading", { name: "Alert channels" }).waitFor();
  await look(page, "channels");
  await page.getByRole("link", { name: "Add a channel" }).first().click();
  await page.getByRole("heading", { name: "Add a channel" }).waitFor();
  await look(page, "channel-kinds");
  await page.getByRole("link", { name: "ntfy" }).click();
  await page.getByLabel("Name").fill("On call");
  await page.getByLabel("URL of the topic").fill("http://127.0.0.1:9/alerts");
  await page.getByLabel("Quiet hours").fill("night");
  await page.getByRole("button", { name: "Add the channel" }).click();
  await page.getByRole("alert").getByText("Quiet hours are two times and a time zone").waitFor();
  await look(page, "channel-new");
  await page.getByLabel("Quiet hours").fill("22:00-07:00 Europe/Berlin");
  await page.getByRole("button", { name: "Add the channel" }).click();
  await page.getByRole("heading", { name: "On call" }).waitFor();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByRole("status").getByText("A test is on its way.").waitFor();
  await look(page, "channel");

  // Pages that say what went wrong.
  await page.goto(`${ORIGIN}/console/consent?request=altered`);
  await page.getByRole("heading", { name: "This request has lapsed" }).waitFor();
  await look(page, "lapsed");
  await page.goto(LINK);
  await page.getByRole("heading", { name: "This link can’t be used" }).waitFor();
  await look(page, "used-link");

  const elsewhere = asked.filter((url) => new URL(url).origin !== ORIGIN);
  const ofApp = [`${redirect_uri}?`, app.home, new URL("/favicon.ico", app.home).href];
  assert.deepEqual(elsewhere.filter((url) => !ofApp.some((start) => url.startsWith(start))), []);
  assert.equal(app.arrived.length, 3, "two approvals and a denial");
  assert.deepEqual(complaints.filter((text) => text.includes("Content Security Policy")), []);
} catch (fault) {
  console.error(complaints.join("\n"));
  throw fault;
} finally {
  await browser.close();
  for (const server of app.servers) server.close();
}
console.log(`the console held in Chromium: ${asked.length} requests`);
