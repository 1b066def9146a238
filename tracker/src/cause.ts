// Reads from web-vitals what caused a metric's value, without the browser's own objects.
import type { MetricWithAttribution } from "web-vitals/attribution";
import { script } from "./frames";
import { bare, short } from "./safe";

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
    const { interactionTarget, interactionTime, longestScript, processedEventEntries } = metric.attribution;
    const id = metric.entries[0]?.interactionId;
    // Chromium gives no target for pointer events. The click of the same interaction has it, and the mouse event of the same
    // moment.
    const target = processedEventEntries.find(
      (entry) => entry.target && (entry.interactionId === id || entry.startTime === interactionTime),
    )?.target;
    if (target && !interactionTarget) told["interactionTarget"] = selector(target);
    Object.assign(told, names(target));
    if (longestScript) {
      const { entry, subpart, intersectingDuration } = longestScript;
      told["longestScript"] = { ...script(entry), subpart, intersectingDuration };
    }
  } else if (metric.name === "TTFB") {
    const { navigationEntry } = metric.attribution;
    if (navigationEntry instanceof PerformanceNavigationTiming) {
      told["nextHopProtocol"] = navigationEntry.nextHopProtocol;
      told["redirectCount"] = navigationEntry.redirectCount;
      // Safari has it since 16.4.
      told["serverTiming"] = navigationEntry.serverTiming?.slice(0, 10).map(({ name, duration }) => ({ name: short(name), duration }));
    }
  }
  return told;
}

/** How an element is named: by its attributes, since a field that is called `id` stands in the place of the `id` of its form. */
function names(node: Node | null | undefined): object {
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element) return {};
  const named = (name: string): string | undefined => short(element.getAttribute(name) ?? "") || undefined;
  return { tagName: element.tagName.toLowerCase(), elementId: named("id"), elementClass: named("class") };
}

/** A selector as web-vitals makes them: upwards to an element with an id, or as far as 100 characters go. */
function selector(node: Node): string {
  let path = "";
  for (let element = node instanceof Element ? node : node.parentElement; element; element = element.parentElement) {
    const { localName, classList } = element;
    const id = element.getAttribute("id");
    const part = id ? `#${id}` : [localName, ...[...classList].sort()].join(".");
    if (path.length + part.length > 99) return path || part;
    path = path ? `${part}>${path}` : part;
    if (id) break;
  }
  return path;
}
