// Clicks of the impatient.
import { safe } from "./safe";

/** Reports three clicks on one element within a second; the next three count anew. */
export function watchRage(tell: () => void): void {
  let target: EventTarget | undefined;
  let clicks: number[] = [];
  const click = (event: Event): void => {
    const on = event.composedPath()[0];
    clicks = on === target ? clicks.filter((at) => event.timeStamp - at < 1000) : [];
    target = on;
    clicks.push(event.timeStamp);
    if (clicks.length < 3) return;
    clicks = [];
    tell();
  };
  document.addEventListener("click", safe(click), true);
}
