// Long animation frames: what kept a page from answering.
import { bare, safe, short } from "./safe";

interface Script extends PerformanceEntry {
  invoker: string;
  invokerType: string;
  sourceURL: string;
  sourceFunctionName: string;
  forcedStyleAndLayoutDuration: number;
}

interface Frame extends PerformanceEntry {
  blockingDuration: number;
  styleAndLayoutStart: number;
  scripts: Script[];
}

/** Whether the browser tells of them. */
export const knowsFrames = (): boolean => PerformanceObserver.supportedEntryTypes.includes("long-animation-frame");

/** Tells of each. */
export function watchFrames(tell: (frame: object) => void): void {
  const observer = new PerformanceObserver(
    safe((list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries() as Frame[]) tell(told(entry));
    }),
  );
  observer.observe({ type: "long-animation-frame", buffered: true });
}

function told({ startTime, duration, blockingDuration, styleAndLayoutStart, scripts }: Frame): object {
  return {
    startTime,
    duration,
    blockingDuration,
    styleAndLayoutDuration: styleAndLayoutStart ? startTime + duration - styleAndLayoutStart : 0,
    scripts: [...scripts]
      .sort((one, other) => other.duration - one.duration)
      .slice(0, 3)
      .map(script),
  };
}

/** A script of a frame. */
export function script(entry: Script): object {
  return {
    sourceURL: bare(entry.sourceURL),
    sourceFunctionName: short(entry.sourceFunctionName),
    // The invoker of a script that loads is its address, which may be the page's own, with its query.
    invoker: short(entry.invokerType.endsWith("-script") ? bare(entry.invoker) : entry.invoker),
    invokerType: entry.invokerType,
    duration: entry.duration,
    forcedStyleAndLayoutDuration: entry.forcedStyleAndLayoutDuration,
  };
}
