// Web analytics: views of pages, what visitors do on them, and how long they stay.
import { engagement } from "./engagement";
import { watchLinks } from "./links";
import { bare, hidden, on, random, safe } from "./safe";
import type { Send } from "./send";
import type { EventSettings, Page } from "./settings";
import { fitting } from "./size";

/** How many events a beacon has at most, and how many bytes: beside the views of its page it fits into what `send` keeps alive. */
const EVENTS = 20;
const BYTES = 20000;
/** How long events wait for company, in milliseconds. */
const COMPANY = 500;

interface Event {
  type: string;
  at: number;
  url: string;
  [member: string]: unknown;
}

/** The functions that a page may call. */
export interface Calls {
  event(name: string, properties?: object): void;
  search(term: string, results?: number): void;
  pageview(): void;
}

/** Counts from now on. */
export function countEvents(page: Page, settings: EventSettings, send: Send): Calls {
  const stay = engagement();
  let queue: Event[] = [];
  let url = "";
  let load = page.load;
  let view: Event | undefined;
  let timer: number | undefined;

  const push = (type: string, members: object): Event => {
    const event = { type, at: Date.now(), url, ...members };
    queue.push(event);
    timer ??= setTimeout(flush, COMPANY);
    return event;
  };

  const tell = (batch: Event[], load: string): void => {
    const content = (now: number): object => ({
      events: batch.map(({ at, ...event }) => ({ ...event, age_ms: Math.max(0, now - at) })),
    });
    // The server stores nothing of a beacon with a fault, so the events are sent again one by one: a bad one loses no other.
    const apart = safe(() => batch.length > 1 && batch.forEach((event) => tell([event], load)));
    send("events", content, load, apart);
  };

  const flush = safe(() => {
    clearTimeout(timer);
    timer = undefined;
    // Routers set the title after the address.
    if (view && settings.page_titles) view.title = document.title;
    view = undefined;
    const batches: Event[][] = [[]];
    let fits = fitting(BYTES);
    for (const event of queue) {
      if (batches[0]!.length === EVENTS || !fits(event)) {
        batches.unshift([]);
        fits = fitting(BYTES);
        fits(event);
      }
      batches[0]!.push(event);
    }
    queue = [];
    for (const batch of batches.reverse()) if (batch.length) tell(batch, load);
  });

  const leave = (): void => {
    const stayed = stay.take();
    if (stayed.visible_ms) push("engagement", stayed);
    flush();
  };

  const arrive = (referrer: string): void => {
    url = address(page.hash);
    view = push("pageview", { referrer: bare(referrer) });
  };

  const route = (again?: unknown): void => {
    if (again !== true && address(page.hash) === url) return;
    leave();
    stay.restart();
    load = random(8);
    arrive(url);
  };

  on(document, "visibilitychange", () => hidden() && leave());
  on(window, "pagehide", leave);
  on(window, "pageshow", (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    stay.restart();
    load = page.load;
    arrive("");
  });
  on(window, "popstate", route);
  if (page.hash) on(window, "hashchange", route);
  const pushState = history.pushState;
  history.pushState = function (...args) {
    pushState.apply(this, args);
    safe(route)();
  };
  watchLinks(settings.download_extensions, (type, link) => push(type, { link }));
  arrive(document.referrer);

  return {
    event(name, properties) {
      // The server refuses what has no name. A copy: the page may change its own properties later.
      push("event", { name: String(name ?? ""), properties: JSON.parse(JSON.stringify(properties ?? {})) });
    },
    search(term, results) {
      push("search", { term: String(term ?? ""), results });
    },
    pageview() {
      route(true);
    },
  };
}

/**
 * The page's address. With `hash` what stands behind `#` is part of the path: `/app/#/cart` is `/app/cart`. The query before it
 * stays: tags of campaigns and click ids stand there.
 */
function address(hash: boolean): string {
  const { origin, pathname, search } = location;
  if (!hash || !location.hash) return origin + pathname + search;
  const route = location.hash.replace(/^#!?\/?/, "");
  return `${origin}${pathname.replace(/\/$/, "")}/${route}${route.includes("?") ? search.replace("?", "&") : search}`;
}
