// Real-user monitoring: what visitors feel, a view at a time.
import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricWithAttribution } from "web-vitals/attribution";
import { cause } from "./cause";
import { watchDead } from "./dead";
import { engagement } from "./engagement";
import { handled, watchErrors } from "./errors";
import { knowsFrames, watchFrames } from "./frames";
import { activation, loaded } from "./navigation";
import { watchRage } from "./rage";
import { resources } from "./resources";
import { bare, hidden, on, random, safe } from "./safe";
import type { Send } from "./send";
import type { Page, VitalsSettings } from "./settings";
import { bytes, fitting } from "./size";
import type { VitalsCalls } from "./start";
import type { Measured, ScriptError, View } from "./view";

/** How many errors that were thrown, how many others, and how many long frames are sent of a view. */
const ERRORS = 10;
const FRAMES = 20;
/** The most bytes of views that are sent at once: beside the events of their page they fit into what `send` keeps alive. */
const BYTES = 40000;

interface Browser {
  connection?: { effectiveType?: string; rtt?: number };
  deviceMemory?: number;
}

/** How often people have interacted with the page, where the browser counts that. */
const interactions = (): number | undefined => (performance as { interactionCount?: number }).interactionCount;

/** Whether an error was neither thrown nor handed to us by the page. */
const isBeside = ({ source }: ScriptError): boolean => source !== "source" && source !== "custom";

/** Measures from now on. */
export function measureVitals(page: Page, settings: VitalsSettings, send: Send): VitalsCalls {
  // By the time at which they began, in milliseconds since the page's start, as web-vitals tells views apart.
  const views = new Map<number, View>();
  let current = 0;
  let address = "";
  let interacted = 0;
  const stay = engagement();
  const dead = watchDead(page.origin);
  const frames = settings.attribution && knowsFrames();
  let changed = new Set<number>();

  /** An address without what the site ignores of its query. */
  const counted = (address: string): string => {
    const url = new URL(address);
    for (const name of settings.ignored_query_params) url.searchParams.delete(name);
    return url.href;
  };

  const begin = (start: number, load: string, navigation: string, url: string): View => {
    const view: View = {
      load,
      at: performance.timeOrigin + (start || activation()),
      url: bare(url),
      referrer: bare(document.referrer),
      revision: 0,
      navigation,
      hidden: hidden(),
      metrics: {},
      errors: [],
      ...(frames ? { long_frames: [] } : {}),
      rage_clicks: 0,
      dead_clicks: 0,
      visible_ms: 0,
      scroll_pct: 0,
    };
    views.set(start, view);
    address = counted(url);
    changed.add(start);
    current = start;
    interacted = interactions() ?? 0;
    stay.restart();
    dead.restart();
    return view;
  };

  /** Notes what people have done on the current view so far. */
  const settle = (): void => {
    const view = views.get(current);
    if (!view) return;
    const { visible_ms, scroll_pct } = stay.take();
    const happened = interactions();
    view.visible_ms += visible_ms;
    view.scroll_pct = scroll_pct;
    view.interactions = happened === undefined ? undefined : happened - interacted;
    view.dead_clicks = dead.count();
    changed.add(current);
  };

  const record = safe((metric: MetricWithAttribution): void => {
    let start = metric.navigationStartTime ?? 0;
    const name = metric.name.toLowerCase() as keyof View["metrics"];
    let view = views.get(start);
    if (!view) {
      // A metric that arrives after its view is over is dropped.
      if (start < current) return;
      const url = metric.navigationURL ?? location.href;
      const before = views.get(current);
      if (before && counted(url) === address) {
        // The same page for the site: it has painted already, and its worst shifts and interactions may still come.
        if (!/^(cls|inp)$/.test(name) || metric.value <= (before.metrics[name]?.value ?? -1)) return;
        start = current;
        view = before;
      } else {
        // A route change ends the view before it.
        settle();
        view = begin(start, random(8), metric.navigationType, url);
      }
    } else view.navigation = metric.navigationType;
    changed.add(start);
    const measured: Measured = (view.metrics[name] = { value: metric.value });
    if (settings.attribution) measured.attribution = cause(metric);
  });

  const tell = (start: number, most: number): void => {
    const view = views.get(start);
    if (!view) return;
    const { load, at, metrics, errors, long_frames, ...members } = view;
    const content = {
      ...members,
      ...metrics,
      // The record of the load belongs to the first view.
      ...(start ? {} : loaded(view.navigation)),
    };
    // The store replaces a view by its last beacon, so a view can't be sent in parts: what matters least is left out.
    const fits = fitting(most - bytes(JSON.stringify(content)));
    const lists = {
      errors: errors
        .filter(({ stack, causes, ...error }) => fits(error))
        .map((error) => (fits({ stack: error.stack, causes: error.causes }) ? error : { ...error, stack: undefined, causes: undefined })),
      long_frames: long_frames?.filter(fits),
      resources: settings.resources ? resources(start, page.origin).filter(fits) : [],
    };
    view.revision += 1;
    const { connection, deviceMemory } = navigator as Browser;
    const envelope = {
      version: page.settings.version,
      viewport: [innerWidth, innerHeight],
      connection: connection && { effectiveType: connection.effectiveType, rtt: connection.rtt },
      device_memory: deviceMemory,
    };
    send("vitals", (now) => ({ ...envelope, view: { ...content, ...lists, age_ms: Math.max(0, Math.round(now - at)) } }), load);
  };

  begin(0, page.load, "navigate", location.href);
  // Every change is recorded, since the library's last report comes too late for some visitors: with visibilitychange, which not
  // every browser fires when a page is left, and before interactions are read, which happens when the browser is idle.
  const options = { reportSoftNavs: settings.soft_navigations, reportAllChanges: true };
  onTTFB(record, options);
  onFCP(record, options);
  onLCP(record, options);
  onCLS(record, options);
  onINP(record, { ...options, includeProcessedEventEntries: true });

  const note = (work: (view: View) => void): void => {
    const view = views.get(current);
    if (!view) return;
    work(view);
    changed.add(current);
  };
  watchRage(() => note((view) => (view.rage_clicks += 1)));
  const error = (error: ScriptError): void =>
    // A page that writes to the console all the time loses none that was thrown.
    note(({ errors }) => errors.filter((other) => isBeside(other) === isBeside(error)).length < ERRORS && errors.push(error));
  if (settings.errors) watchErrors(page.origin, error);
  if (frames) {
    watchFrames((frame) => note(({ long_frames = [] }) => long_frames.length < FRAMES && long_frames.push(frame)));
  }

  let inSight = true;
  const leave = (): void => {
    if (inSight) settle();
    inSight = false;
    const told = changed;
    changed = new Set();
    told.forEach((start) => tell(start, BYTES / told.size));
    // A view that is over is not reported again.
    for (const start of views.keys()) if (start !== current) views.delete(start);
  };
  // web-vitals settles its values in the capturing phase, before this.
  on(document, "visibilitychange", () => (hidden() ? leave() : (inSight = true)));
  // Safari fires nothing else on some navigations. Where visibilitychange follows, that tells only what has changed in between.
  on(window, "pagehide", () => hidden() || leave());
  on(window, "pageshow", (event) => {
    if ((event as PageTransitionEvent).persisted) {
      begin(event.timeStamp, page.load, "back-forward-cache", location.href);
      // Where pagehide came alone, pageshow does too.
      inSight = true;
    }
  });

  return { error: (thrown) => settings.errors && error(handled(thrown)) };
}
