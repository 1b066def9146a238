// Reads the browser's record of how a page was loaded.

interface Navigation extends PerformanceNavigationTiming {
  activationStart?: number;
  deliveryType?: string;
  notRestoredReasons?: Reasons | null;
}

interface Reasons {
  reasons: { reason: string }[] | null;
  children: Reasons[] | null;
}

const record = (): Navigation | undefined => performance.getEntriesByType("navigation")[0] as Navigation | undefined;

/** When a prerendered page was activated, in milliseconds since the page's start; 0 for others. */
export const activation = (): number => record()?.activationStart ?? 0;

/**
 * What the record says of the load: when the document was parsed, when all of it was loaded, why it was not restored from the
 * back/forward cache, and whether a `navigation` led to the HTTP cache, which web-vitals does not tell apart.
 */
export function loaded(navigation: string): object {
  const entry = record();
  if (!entry) return {};
  // What a service worker answers has no size either.
  const unsent = !entry.transferSize && entry.encodedBodySize > 0 && !entry.workerStart;
  const since = (at: number): number | undefined => (at ? Math.max(0, at - activation()) : undefined);
  const why = entry.notRestoredReasons;
  return {
    navigation: navigation === "navigate" && (entry.deliveryType === "cache" || unsent) ? "navigate-cache" : navigation,
    dom_content_loaded_ms: since(entry.domContentLoadedEventEnd),
    load_ms: since(entry.loadEventEnd),
    not_restored_reasons: why ? told(why, "page").slice(0, 20) : undefined,
  };
}

function told({ reasons, children }: Reasons, type: string): object[] {
  // Browsers mask the reasons of frames of another origin, which have none of their own then, and some that are theirs.
  const masked = children?.some((child) => !child.reasons) ? "cross-origin" : "unknown";
  return [
    ...(reasons ?? []).map(({ reason }) => ({ reason, type: reason === "masked" ? masked : type })),
    ...(children ?? []).flatMap((child) => told(child, type)),
  ];
}
