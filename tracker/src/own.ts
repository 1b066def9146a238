// This script, as the page loaded it.

const script = document.currentScript as HTMLScriptElement | null;
const src = script?.src ?? "";

/** Its address without a query. */
export const OWN = src.replace(/[?#].*/s, "");

/**
 * Whether browsers tell the page of errors that pass through this script. They hide those of scripts of another origin, unless
 * the page loads them by CORS.
 */
export const TELLING = src !== "" && (script!.crossOrigin !== null || src.startsWith(`${location.origin}/`));

/** A stack without the frames of this script. */
export const others = (stack: string): string =>
  stack
    .split("\n")
    .filter((frame) => !OWN || !frame.includes(OWN))
    .join("\n");
