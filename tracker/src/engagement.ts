// How long a page was visible, and how far down it was seen.
import { hidden, on } from "./safe";

/** Measures one page after another. */
export interface Engagement {
  /** The milliseconds in sight since the last call, and the deepest percentage of the height so far. */
  take(): { visible_ms: number; scroll_pct: number };
  /** Another page begins. */
  restart(): void;
}

export function engagement(): Engagement {
  let since: number | undefined;
  let gathered = 0;
  let deepest = 0;

  const look = (): void => {
    const { scrollHeight } = document.documentElement;
    deepest = Math.max(deepest, Math.min(100, Math.round(((scrollY + innerHeight) / scrollHeight) * 100) || 0));
  };
  const pause = (): void => {
    if (since !== undefined) gathered += performance.now() - since;
    since = undefined;
  };
  const go = (): void => {
    since ??= performance.now();
  };

  if (!hidden()) go();
  on(document, "visibilitychange", () => (hidden() ? pause() : go()));
  on(window, "pagehide", pause);
  on(window, "pageshow", () => hidden() || go());
  on(window, "scroll", look);

  return {
    take() {
      look();
      if (since !== undefined) {
        pause();
        go();
      }
      const visible_ms = Math.round(gathered);
      gathered = 0;
      return { visible_ms, scroll_pct: deepest };
    },
    restart() {
      gathered = deepest = 0;
    },
  };
}
