// Real-user monitoring: what visitors feel, a view at a time.
import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricWithAttribution } from "web-vitals/attribution";
import { cause } from "./cause";
import { engagement } from "./engagement";
import { handled, watchErrors } from "./errors";
import { knowsFrames, watchFrames } from "./frames";
import { activation, loaded } from "./navigation";
import { watchRage } from "./rage";
import { resources } from "./resources";
import { bare, hidden, on, random } from "./safe";
import type { Send } from "./send";
import type { Page, VitalsSettings } from "./settings";
import { bytes, fitting } from "./size";
import type { VitalsCalls } from "./start";
import type { View } from "./view";

/** How many errors, and how many long frames, are sent of a view. */
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

/** Measures from now on. */
export function measureVitals(page: Page, settings: VitalsSettings, send: Send): VitalsCalls {
  // By the time at which they began, in milliseconds since the page's start, as web-vitals tells views apart.
  const views = new Map<number, View>();
  let current = 0;
  let visible = 0;
  let interacted = 0;
  const stay = engagement();
  const frames = settings.attribution && knowsFrames();
  let changed = new Set<number>();

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
    };
    views.set(start, view);
    changed.add(start);
    current = start;
    visible = 0;
    interacted = interactions() ?? 0;
    stay.restart();
    return view;
  };

  const record = (metric: MetricWithAttribution): void => {
    const start = metric.navigationStartTime ?? 0;
    // A metric that arrives after its view is over is dropped.
    if (!views.has(start) && start < current) return;
    const view = views.get(start) ?? begin(start, random(8), metric.navigationType, metric.navigationURL ?? location.href);
    view.navigation = metric.navigationType;
    const name = metric.name.toLowerCase() as keyof View["metrics"];
    view.metrics[name] = {
      value: metric.value,
      ...(settings.attribution ? { attribution: cause(metric) } : {}),
    };
    changed.add(start);
  };

  const tell = (start: number, most: number): void => {
    const view = views.get(start);
    if (!view) return;
    const { load, at, metrics, errors, long_frames, ...members } = view;
    const { visible_ms, scroll_pct } = stay.take();
    visible += visible_ms;
    const happened = interactions();
    const content = {
      ...members,
      ...metrics,
      // The record of the load belongs to the first view, and engagement to the last.
      ...(start ? {} : loaded()),
      ...(start === current
        ? { visible_ms: visible, scroll_pct, interactions: happened === undefined ? undefined : happened - interacted }
        : {}),
    };
    // The store replaces a view by its last beacon, so a view can't be sent in parts: what matters least is left out.
    const fits = fitting(most - bytes(JSON.stringify(content)));
    const lists = {
      errors: errors
        .filter(({ stack, ...error }) => fits(error))
        .map((error) => (fits({ stack: error.stack }) ? error : { ...error, stack: undefined })),
      long_frames: long_frames?.filter(fits),
      resources: settings.resources ? resources(start, page.origin).filter(fits) : [],
    };
    view.revision += 1;
    const { connection, deviceMemory } = navigator as Browser;
    const envelope = {
      viewport: [innerWidth, innerHeight],
      connection: connection && { effectiveType: connection.effectiveType, rtt: connection.rtt },
      device_memory: deviceMemory,
    };
    send("vitals", (now) => ({ ...envelope, view: { ...content, ...lists, age_ms: Math.max(0, Math.round(now - at)) } }), load);
  };

  begin(0, page.load, "navigate", location.href);
  // Every change is recorded, since the library's last report comes too late for some visitors: with visibilitychange, which not every
  // browser fires when a page is left, and before interactions are read, which happens when the browser is idle.
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
  const error = (error: View["errors"][number]): void =>
    note(({ errors }) => errors.length < ERRORS && errors.push(error));
  if (settings.errors) watchErrors(error);
  if (frames) {
    watchFrames((frame) => note(({ long_frames = [] }) => long_frames.length < FRAMES && long_frames.push(frame)));
  }

  let inSight = true;
  const leave = (): void => {
    // The time in sight has grown.
    if (inSight) changed.add(current);
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
    }
  });

  return { error: (thrown) => settings.errors && error(handled(thrown)) };
}
