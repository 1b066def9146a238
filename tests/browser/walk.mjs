// A walk through the console of a stage: the browser, the way in, and what every walk holds pages against. Told by variables:
//   ORIGIN    where Pharos is
//   LINK      a link by which the owner of the workspace sets a password
//   STAGE     the ids and addresses of what there is, by their names, as JSON
//   CHROMIUM  the browser's program
//   SHOTS     the folder of the screenshots
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { chromium } from "playwright-core";
import { look } from "./look.mjs";

const { ORIGIN, LINK, CHROMIUM, SHOTS } = process.env;
const PASSWORD = "correct horse battery staple";
const MOST_BYTES = 100 * 1024;

/** The ids and addresses of the stage. */
export const at = JSON.parse(process.env.STAGE);

/** Signs the owner in, and has `steps` walk: they get what goes to pages and looks at them. */
export async function walk(title, steps) {
  const [asked, complaints] = [[], []];
  await mkdir(SHOTS, { recursive: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const open = async () => {
    const context = await browser.newContext();
    context.on("request", (request) => asked.push(request.url()));
    context.on("console", (message) => complaints.push(message.text()));
    return context.newPage();
  };
  /** Goes to a page that is in order, and holds its size against the bound. */
  const go = async (page, path) => {
    const answer = await page.goto(`${ORIGIN}${path}`);
    assert.equal(answer.status(), 200, path);
    const { length } = await answer.body();
    assert.ok(length < MOST_BYTES, `${path} has ${length} bytes`);
  };
  /** Goes to a page and looks at it. */
  const see = async (page, path, name) => {
    await go(page, path);
    await look(page, name, SHOTS);
  };
  try {
    const page = await open();
    await page.goto(LINK);
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByLabel("The same again").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password and sign in" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await steps({ page, visitor: await open(), go, see, look: (shown, name) => look(shown, name, SHOTS) });
    assert.deepEqual(asked.filter((url) => new URL(url).origin !== ORIGIN), []);
    assert.deepEqual(complaints.filter((text) => text.includes("Content Security Policy")), []);
  } catch (fault) {
    console.error(complaints.join("\n"));
    throw fault;
  } finally {
    await browser.close();
  }
  console.log(`${title} held in Chromium: ${asked.length} requests`);
}
