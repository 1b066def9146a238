// Connects a domain to Search Console in a real Chromium: from the console to the page on which Google asks for consent, which is
// played, and back. Told by variables:
//   ORIGIN    where Pharos is
//   GOOGLE    where Google is played
//   DOMAIN    the id of the domain
//   LINK      a link by which a user sets a password
//   CHROMIUM  the browser's program
//   SHOTS     the folder of the screenshots
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look as lookInto } from "./look.mjs";

const { ORIGIN, GOOGLE, DOMAIN, LINK, CHROMIUM, SHOTS } = process.env;
const PASSWORD = "correct horse battery staple";
const SEARCH = `${ORIGIN}/console/domains/${DOMAIN}/gsc`;
const look = (page, name) => lookInto(page, name, SHOTS);

const asked = [];
const complaints = [];

/** From the page of the connection to Google. */
async function leave(page) {
  await page.getByRole("button", { name: "Connect with Google" }).click();
  await page.getByRole("heading", { name: "Go on at Google" }).waitFor();
}

await mkdir(SHOTS, { recursive: true });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const context = await browser.newContext();
  context.on("request", (request) => asked.push(request.url()));
  context.on("console", (message) => complaints.push(message.text()));
  const page = await context.newPage();

  await page.goto(LINK);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

  await page.goto(SEARCH);
  await page.getByText("No property of Search Console is linked").waitFor();
  await look(page, "search-console-none");
  await page.getByRole("link", { name: "Connect Search Console" }).click();
  await look(page, "search-console-connect");

  // Whoever cancels at Google is told what to do, and begins again.
  await leave(page);
  await look(page, "search-console-leave");
  await page.getByRole("link", { name: "Go on to Google" }).click();
  await page.waitForURL(`${GOOGLE}/**`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Google was told no" }).waitFor();
  await look(page, "search-console-denied");
  await page.getByRole("link", { name: "Connect again" }).click();

  // Whoever consents chooses a property.
  await leave(page);
  await page.getByRole("link", { name: "Go on to Google" }).click();
  await page.waitForURL(`${GOOGLE}/**`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("status").getByText("Google lets Pharos read.").waitFor();
  await look(page, "search-console-properties");
  await page.getByRole("button", { name: "Link sc-domain:shop.example" }).click();
  await page.getByRole("status").getByText("The property is linked.").waitFor();
  await look(page, "search-console-linked");
  await page.goto(SEARCH);
  await page.getByRole("heading", { name: "Connection to Search Console" }).waitFor();
  await look(page, "search-console-card");

  // And takes both away.
  await page.getByRole("link", { name: "Change the connection" }).click();
  await page.getByText("Unlink the property").click();
  await page.getByRole("button", { name: "Unlink", exact: true }).click();
  await page.getByRole("status").getByText("no longer linked").waitFor();
  await page.getByRole("button", { name: "Forget ada@shop.example" }).click();
  await page.getByRole("status").getByText("The account was forgotten.").waitFor();

  const known = [ORIGIN, GOOGLE];
  assert.deepEqual(asked.filter((url) => !known.includes(new URL(url).origin)), []);
  assert.deepEqual(complaints.filter((text) => text.includes("Content Security Policy")), []);
} catch (fault) {
  console.error(complaints.join("\n"));
  throw fault;
} finally {
  await browser.close();
}
console.log(`Search Console was connected in Chromium: ${asked.length} requests`);
