// Sending: each beacon has one id, however often it is sent, so that it counts once.
import { hidden, on, random, safe } from "./safe";
import type { Page } from "./settings";
import { bytes } from "./size";

/** How often a beacon is sent before it is given up. */
const TRIES = 6;
/** How many bytes a browser sends at a time for pages that may be gone. It sends nothing beyond that. */
const KEPT_ALIVE = 64 * 1024;

interface Beacon {
  path: string;
  id: string;
  load: string;
  /** The content of the beacon at a moment: ages grow while it waits. */
  content: (now: number) => object;
  tries: number;
  refused: (() => void) | undefined;
}

/** A function that sends what it is given to a path of the page's server, and calls `refused` where that finds a fault in it. */
export type Send = (path: string, content: (now: number) => object, load: string, refused?: () => void) => void;

/** Makes the sender of a page. */
export function sender(page: Page): Send {
  const waiting = new Set<Beacon>();
  let keptAlive = 0;

  const attempt = safe((beacon: Beacon) => {
    waiting.delete(beacon);
    const url = `${page.origin}/collect/${beacon.path}`;
    // A script of the page may have a `screen` of its own.
    const { width, height } = window.screen;
    const body = JSON.stringify({
      site: page.settings.site,
      beacon: beacon.id,
      load: beacon.load,
      ...(width >= 0 && height >= 0 ? { screen: [width, height] } : {}),
      ...beacon.content(Date.now()),
    });
    const mayBeGone = hidden() || !beacon.tries;
    beacon.tries += 1;
    // A request of fetch tells how it ended, and sends no cookie. Browsers that can't keep it alive beyond the page have
    // sendBeacon for that.
    if (hidden() && !("keepalive" in Request.prototype)) {
      if (!navigator.sendBeacon(url, body)) later(beacon);
      return;
    }
    const size = bytes(body);
    const keepalive = mayBeGone && keptAlive + size <= KEPT_ALIVE;
    const held = keepalive ? size : 0;
    keptAlive += held;
    fetch(url, { method: "POST", body, keepalive, credentials: "omit" })
      .finally(() => (keptAlive -= held))
      .then(
        ({ status }) => {
          if (status === 429 || status >= 500) later(beacon);
          else if (status === 400) beacon.refused?.();
        },
        () => later(beacon),
      );
  });

  function later(beacon: Beacon): void {
    if (beacon.tries >= TRIES) return;
    waiting.add(beacon);
    setTimeout(() => waiting.has(beacon) && attempt(beacon), 1000 * 2 ** beacon.tries * (0.5 + Math.random()));
  }

  // The page may not come back.
  on(document, "visibilitychange", () => {
    // A copy of the list, since a beacon that does not fit into a full queue waits again.
    if (hidden()) [...waiting].forEach(attempt);
  });

  return (path, content, load, refused) => {
    const id = random(16).replace(/(.{8})(....).(...).(...)(.*)/, "$1-$2-4$3-8$4-$5");
    attempt({ path, id, load, content, tries: 0, refused });
  };
}
