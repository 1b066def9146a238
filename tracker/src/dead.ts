// Clicks after which nothing happens.
import { watchRequests } from "./resources";
import { hidden, on, safe } from "./safe";

/** How long a page has to answer a click, in milliseconds. */
const PATIENCE = 3000;
/** Elements that answer a click without a change that a script could see. */
const ANSWERS =
  "input,textarea,select,label,video,audio,canvas,iframe,[contenteditable],[popovertarget],[download],[href^='mailto:'],[href^='tel:']";

/** Counts the clicks after which the page, its DOM and its requests stay as they were. */
export interface DeadClicks {
  /** How many there were so far. */
  count(): number;
  /** Another page begins. */
  restart(): void;
}

export function watchDead(origin: string): DeadClicks {
  let clicks: number[] = [];
  /** A click is answered by what begins within the time that it waits for that. */
  const answered = (at: number): void => {
    clicks = clicks.filter((click) => click > at || at - click > PATIENCE);
  };
  const change = (): void => {
    // A page that nobody clicks on pays nothing: changes are watched from a click to the first of them.
    changes.disconnect();
    answered(performance.now());
  };
  const changes = new MutationObserver(safe(change));
  const click = (event: Event): void => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || target.closest(ANSWERS)) return;
    clicks.push(event.timeStamp);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    for (const root of [document, target.getRootNode()]) changes.observe(root, all);
  };
  document.addEventListener("click", safe(click), true);
  on(window, "hashchange", change);
  document.addEventListener("scroll", safe(change), { capture: true, passive: true });
  // Whoever leaves so soon has been led elsewhere, or does not wait for an answer.
  on(document, "visibilitychange", () => hidden() && change());
  // One that takes longer is told of when it ends, and takes the click back.
  watchRequests(origin, ({ startTime }) => answered(startTime));
  return {
    count() {
      const now = performance.now();
      return clicks.filter((click) => now - click > PATIENCE).length;
    },
    restart() {
      clicks = [];
    },
  };
}
