// Agrees for users of apps in Chromium. Told by variables:
//   LINK      a link by which the user sets a password
//   CHROMIUM  the browser's program
//
// Prints a JSON object a line: first {"callback": URL}, where apps are to send their users back to. Then it reads the addresses at
// which apps ask for consent, a line each, gives what is ticked, and prints {"back": URL}.
import { createServer } from "node:http";
import { createInterface } from "node:readline/promises";
import { chromium } from "playwright-core";

const { LINK, CHROMIUM } = process.env;
const PASSWORD = "correct horse battery staple";
const say = (step) => console.log(JSON.stringify(step));

const app = createServer((_, response) => {
  response.setHeader("content-type", "text/plain").end("Back in the app.");
});
await new Promise((listening) => app.listen(0, "127.0.0.1", listening));
const callback = `http://127.0.0.1:${app.address().port}/callback`;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.goto(LINK);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByLabel("The same again").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  say({ callback });
  for await (const asked of createInterface({ input: process.stdin })) {
    await page.goto(asked);
    await page.getByRole("heading", { name: "Give an app access?" }).waitFor();
    await page.getByText("MCP SDK").first().waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.waitForURL((url) => url.href.startsWith(`${callback}?`));
    say({ back: page.url() });
  }
} finally {
  await browser.close();
  app.close();
}
