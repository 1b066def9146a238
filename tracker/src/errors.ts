// Errors of scripts.
import { watchRequests } from "./resources";
import { bare, on, safe } from "./safe";
import type { ScriptError } from "./view";

/** How many characters of a message and of a stack are sent, and how many causes. */
const MESSAGE = 500;
const STACK = 4000;
const CAUSES = 5;

type Where = Pick<ScriptError, "filename" | "line" | "column">;

function described(thrown: unknown, fallback: string, source: ScriptError["source"], where: Where = {}): ScriptError {
  const error = thrown instanceof Error ? thrown : undefined;
  const causes: string[] = [];
  // The bound also ends a chain that leads back to its beginning.
  for (let cause = error?.cause; cause != null && causes.length < CAUSES; cause = (cause as Error).cause) {
    causes.push(String((cause as Error).message ?? cause).slice(0, MESSAGE));
  }
  return {
    message: String(error?.message ?? fallback).slice(0, MESSAGE),
    // A page may set it to anything, such as a status.
    type: error && String(error.name),
    source,
    handling: source === "source" || source === "report" ? "unhandled" : "handled",
    causes,
    // Addresses without their queries, line and column kept.
    stack: error?.stack?.slice(0, STACK).replace(/[?#][^\s)]*?(?=(:\d+)*\)?$)/gm, ""),
    ...where,
  };
}

/** Tells of each error that the page does not tell of itself. `origin` is our own, whose answers are no matter of the page. */
export function watchErrors(origin: string, tell: (error: ScriptError) => void): void {
  on(window, "error", (event) => {
    const { error, message, filename, lineno, colno } = event as ErrorEvent;
    // An image that did not load is no error of a script, and has no message.
    if (message) tell(described(error, message, "source", { filename: bare(filename), line: lineno, column: colno }));
  });
  on(window, "unhandledrejection", (event) => {
    const { reason } = event as PromiseRejectionEvent;
    tell(described(reason, String(reason), "source"));
  });
  on(document, "securitypolicyviolation", (event) => {
    const { blockedURI, disposition, effectiveDirective, sourceFile, lineNumber, columnNumber } = event as SecurityPolicyViolationEvent;
    // A policy that only reports forbids nothing.
    if (disposition === "report") return;
    const message = `${effectiveDirective} forbids ${bare(blockedURI)}`;
    const where = { filename: bare(sourceFile), line: lineNumber, column: columnNumber };
    tell({ ...described(undefined, message, "report", where), type: "SecurityPolicyViolation" });
  });
  // Without standing between the page and `fetch`, whose errors would then be ours.
  watchRequests(origin, ({ name, responseStatus }) => {
    if (responseStatus >= 500) tell(described(undefined, `The server answered ${responseStatus}`, "network", { filename: bare(name) }));
  });
  safe(watchConsole)(tell);
}

/** Tells of what the page writes by `console.error`, which writes it as before. */
function watchConsole(tell: (error: ScriptError) => void): void {
  const { error } = console;
  let telling = false;
  const told = safe((said: unknown[]) => {
    const thrown = said.find((one) => one instanceof Error);
    // Anything but texts and errors may hold whatever the page holds.
    const words = said.map((one) => (one instanceof Error ? one.message : /object|function/.test(typeof one) ? "…" : String(one)));
    tell({ ...described(thrown, "", "console"), message: words.join(" ").slice(0, MESSAGE) });
  });
  console.error = function (...said: unknown[]) {
    error.apply(this, said);
    // An error may write to the console itself as its message or cause is read. Without end, if that were told, too.
    if (telling) return;
    telling = true;
    told(said);
    telling = false;
  };
}

/** An error that the page handled itself. */
export const handled = (error: unknown): ScriptError => described(error, String(error), "custom");
