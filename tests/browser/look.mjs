// Looks at pages: axe, sideways scrolling, broken figures, screenshots.
import assert from "node:assert/strict";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";

const SCHEMES = ["light", "dark"];
/** The narrowest that pages are made for, a phone, a desk. */
const WIDTHS = [320, 390, 1280];

/** The figures of the page that go on in another line: a number reads as another one, and a unit stands without its number. */
function broken() {
  const lines = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  };
  const isBroken = (figure) => {
    const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) if (lines(texts.currentNode) > 1) return true;
    return false;
  };
  const figures = [...document.querySelectorAll(".figure, .figures strong, .figures .value:not(.words), .change")];
  return figures.filter(isBroken).map((figure) => figure.textContent);
}

/** Looks at the page in both schemes and all widths: axe, sideways scrolling, broken figures, a screenshot. */
export async function look(page, name, shots) {
  for (const colorScheme of SCHEMES) {
    for (const width of WIDTHS) {
      // A colour that is on its way to another is neither.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      const where = `${name}, ${colorScheme}, ${width} px`;
      // The width of a phone lies between the two others, so it is not checked apart.
      if (width !== 390) {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
        const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        const told = grave.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
        assert.deepEqual(told, [], where);
      }
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= window, `${where}: ${content} px wide`);
      assert.deepEqual(await page.evaluate(broken), [], where);
      await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
