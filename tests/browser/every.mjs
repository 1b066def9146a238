// Walks pages of the table of all pages (tests/api/console/sweep/pages.rs). Told by a variable besides those of `walk.mjs`:
//   PAGES     the pages as JSON: the path of each, the name of its screenshots, and whether everybody may read it
import assert from "node:assert/strict";
import { walk } from "./walk.mjs";

await walk("every page", async ({ page, visitor, see }) => {
  const faults = [];
  for (const { path, name, is_open } of JSON.parse(process.env.PAGES)) {
    // A page that fails hides no other.
    try {
      await see(is_open ? visitor : page, path, `page-${name}`);
    } catch (fault) {
      faults.push(`${path}: ${fault.message}`);
    }
  }
  assert.deepEqual(faults, []);
});
