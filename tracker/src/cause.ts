// What caused a metric's value: what web-vitals says, without the browser's own objects.
import type { MetricWithAttribution } from "web-vitals/attribution";
import { script } from "./frames";
import { bare } from "./safe";

/** The attribution of a metric as plain values, by the names of web-vitals. */
export function cause(metric: MetricWithAttribution): object {
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(metric.attribution)) {
    if (typeof value === "number" || typeof value === "string") told[name] = value;
  }
  if (metric.name === "LCP") {
    const { url, lcpEntry, lcpResourceEntry } = metric.attribution;
    const element = lcpEntry?.element;
    if (url) told["url"] = bare(url);
    Object.assign(told, names(element));
    if (element instanceof HTMLImageElement) {
      Object.assign(told, { fetchPriority: element.fetchPriority, loading: element.loading });
    }
    if (lcpResourceEntry) {
      told["initiatorType"] = lcpResourceEntry.initiatorType;
      told["transferSize"] = lcpResourceEntry.transferSize;
    }
  } else if (metric.name === "CLS") {
    Object.assign(told, names(metric.attribution.largestShiftSource?.node));
  } else if (metric.name === "INP") {
    const { longestScript, processedEventEntries } = metric.attribution;
    Object.assign(told, names(processedEventEntries.find(({ target }) => target)?.target));
    if (longestScript) {
      const { entry, subpart, intersectingDuration } = longestScript;
      told["longestScript"] = { ...script(entry), subpart, intersectingDuration };
    }
  } else if (metric.name === "TTFB") {
    const { navigationEntry } = metric.attribution;
    if (navigationEntry instanceof PerformanceNavigationTiming) {
      told["nextHopProtocol"] = navigationEntry.nextHopProtocol;
      told["redirectCount"] = navigationEntry.redirectCount;
      told["serverTiming"] = navigationEntry.serverTiming.slice(0, 10).map(({ name, duration }) => ({ name, duration }));
    }
  }
  return told;
}

/** How an element is named. */
function names(node: Node | null | undefined): object {
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element) return {};
  return {
    tagName: element.tagName.toLowerCase(),
    elementId: element.id || undefined,
    elementClass: element.getAttribute("class") || undefined,
  };
}
