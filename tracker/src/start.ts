// From the loaded script to a measured page.
import { asksNotToBeTracked, optedOut } from "./consent";
import { countEvents, type Calls } from "./events";
import { hidden, on, random, safe } from "./safe";
import { sender, type Send } from "./send";
import type { Page, Settings, VitalsSettings } from "./settings";

/** Measures what visitors feel; the full build has it. */
export type Measure = (page: Page, settings: VitalsSettings, send: Send) => VitalsCalls;

/** The functions that a page may call where the full build measures it. */
export interface VitalsCalls {
  error(error: unknown): void;
}

type Command = [name: string, ...args: unknown[]];

declare global {
  interface Window {
    pharosSite?: Settings;
    pharos?: { (...command: Command): void; q?: ArrayLike<unknown>[]; on?: boolean };
  }
}

/** Starts once a page. */
export const start = safe((measure?: Measure) => {
  const settings = window.pharosSite;
  const queued = window.pharos;
  if (!settings || queued?.on) return;
  const script = (document.currentScript ??
    document.querySelector(`script[src*="${settings.site}"]`)) as HTMLScriptElement;
  const page: Page = {
    settings,
    origin: new URL(script.src).origin,
    hash: "hashRoutes" in script.dataset,
    load: random(8),
  };
  let calls: Partial<Calls & VitalsCalls> = {};
  let early: Command[] | undefined = Array.from(queued?.q ?? [], (command) => Array.from(command) as Command);
  const call = safe((...command: Command) => {
    const [name, ...args] = command;
    if (early) early.push(command);
    else (calls as Record<string, ((...args: unknown[]) => void) | undefined>)[name]?.(...args);
  });
  window.pharos = Object.assign(call, { on: true });

  const begun = (): void => {
    const commands = early ?? [];
    early = undefined;
    for (const command of commands) call(...command);
  };
  const begin = (): void => {
    if (optedOut()) {
      early = undefined;
      return;
    }
    // Before all that listens for it too.
    addEventListener("pageshow", (event) => event.persisted && (page.load = random(8)), true);
    const send = sender(page);
    const wanted = (part: { respect_dnt: boolean }): boolean => !(part.respect_dnt && asksNotToBeTracked());
    const { events, vitals } = settings;
    if (vitals && measure && wanted(vitals) && Math.random() < vitals.sample_rate) calls = measure(page, vitals, send);
    // A page that nobody has seen is not a view: it waits until it is shown.
    const count = safe(() => {
      if (events && wanted(events)) calls = { ...calls, ...countEvents(page, events, send) };
      begun();
    });
    if (hidden()) document.addEventListener("visibilitychange", count, { once: true });
    else count();
  };
  // The same for a prerendered page.
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener("prerenderingchange", safe(begin), { once: true });
  } else begin();
  on(window, "hashchange", () => void optedOut());
});
