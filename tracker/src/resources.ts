// Lists the resources that a page loaded, from the browser's own records.
import { bare, safe } from "./safe";

/** Tells of each request of a script as it ends, but for those to `origin`, our own. */
export function watchRequests(origin: string, tell: (entry: PerformanceResourceTiming) => void): void {
  const look = (list: PerformanceObserverEntryList): void => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      if (/^(fetch|xml)/.test(entry.initiatorType) && !entry.name.startsWith(`${origin}/`)) tell(entry);
    }
  };
  // A browser that can't do this measures all else.
  safe(() => new PerformanceObserver(safe(look)).observe({ type: "resource", buffered: true }))();
}

/** How many are sent of a view: those that took longest. */
const MOST = 40;

/** The resources whose loading began at `from` or later, in milliseconds since the page's start; those of `origin`, our own, left out. */
export function resources(from: number, origin: string): object[] {
  const entries = performance.getEntriesByType("resource") as (PerformanceResourceTiming & {
    renderBlockingStatus?: string;
    deliveryType?: string;
  })[];
  return entries
    .filter(({ name, startTime }) => startTime >= from && !name.startsWith(`${origin}/`))
    .sort((one, other) => other.duration - one.duration)
    .slice(0, MOST)
    .map((entry) => ({
      name: bare(entry.name),
      initiatorType: entry.initiatorType,
      startTime: entry.startTime - from,
      duration: entry.duration,
      // Without Timing-Allow-Origin the browser gives 0 for all of these.
      ...(entry.requestStart
        ? {
            dns: entry.domainLookupEnd - entry.domainLookupStart,
            connect: entry.connectEnd - entry.connectStart,
            tls: entry.secureConnectionStart ? entry.connectEnd - entry.secureConnectionStart : 0,
            request: entry.responseStart - entry.requestStart,
            response: entry.responseEnd - entry.responseStart,
            transferSize: entry.transferSize,
            decodedBodySize: entry.decodedBodySize,
          }
        : {}),
      nextHopProtocol: entry.nextHopProtocol || undefined,
      renderBlockingStatus: entry.renderBlockingStatus,
      deliveryType: entry.deliveryType,
      // 0 means no answer, or one whose status we may not see. We may always see those of our own site.
      responseStatus: entry.responseStatus || (entry.name.startsWith(`${location.origin}/`) ? entry.responseStatus : undefined),
    }));
}
