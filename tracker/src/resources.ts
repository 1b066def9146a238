// Lists the resources that a page loaded, from the browser's own records.
import type { MethodOf } from "./methods";
import { bare, safe } from "./safe";

/** Whether a script made it. */
const isRequest = ({ initiatorType }: PerformanceResourceTiming): boolean => /^(fetch|xml)/.test(initiatorType);

/** Tells of each request of a script as it ends, but for those to `origin`, our own. */
export function watchRequests(origin: string, tell: (entry: PerformanceResourceTiming) => void): void {
  const look = (list: PerformanceObserverEntryList): void => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      if (isRequest(entry) && !entry.name.startsWith(`${origin}/`)) tell(entry);
    }
  };
  // A browser that can't do this measures all else.
  safe(() => new PerformanceObserver(safe(look)).observe({ type: "resource", buffered: true }))();
}

/** How many are sent of a view: those that took longest. */
const MOST = 40;

/** The resources whose loading began at `from` or later, in milliseconds since the page's start; those of `origin`, our own, left out. */
export function resources(from: number, origin: string, methodOf: MethodOf): object[] {
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
      method: isRequest(entry) ? methodOf(entry) : undefined,
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
