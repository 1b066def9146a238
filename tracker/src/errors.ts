// Errors of scripts.
import { bare, on } from "./safe";
import type { ScriptError } from "./view";

/** How many characters of a message and of a stack are sent. */
const MESSAGE = 500;
const STACK = 4000;

type Where = Pick<ScriptError, "filename" | "line" | "column">;

function described(thrown: unknown, fallback: string, handling: ScriptError["handling"], where: Where): ScriptError {
  const error = thrown instanceof Error ? thrown : undefined;
  return {
    message: String(error?.message ?? fallback).slice(0, MESSAGE),
    type: error?.name,
    source: handling === "handled" ? "custom" : "source",
    handling,
    // Addresses without their queries, line and column kept.
    stack: error?.stack?.slice(0, STACK).replace(/[?#][^\s)]*?(?=(:\d+)*\)?$)/gm, ""),
    ...where,
  };
}

/** Tells of each error that nobody handles. */
export function watchErrors(tell: (error: ScriptError) => void): void {
  on(window, "error", (event) => {
    const { error, message, filename, lineno, colno } = event as ErrorEvent;
    // An image that did not load is no error of a script, and has no message.
    if (message) tell(described(error, message, "unhandled", { filename: bare(filename), line: lineno, column: colno }));
  });
  on(window, "unhandledrejection", (event) => {
    const { reason } = event as PromiseRejectionEvent;
    tell(described(reason, String(reason), "unhandled", {}));
  });
}

/** An error that the page handled itself. */
export const handled = (error: unknown): ScriptError => described(error, String(error), "handled", {});
