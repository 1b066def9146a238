import type { Operation } from "./caller.js";
import { APIConnectionError, APIError } from "./errors.js";

/** The first pause, which doubles from retry to retry. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** Whoever is told to come back later than that is told so, instead of being made to wait. */
const LONGEST_RETRY_AFTER = 60;

const PASSING = [408, 429, 500, 502, 503, 504];

/** Whether trying once more may help, and does no harm. */
function isWorthwhile(operation: Operation, error: unknown): boolean {
  if (error instanceof APIConnectionError) return operation.isRepeatable;
  if (!(error instanceof APIError)) return false;
  // A limit refuses before anything is done.
  if (error.status === 429) return true;
  return operation.isRepeatable && (PASSING.includes(error.status) || error.code === "idempotency-in-progress");
}

/** Milliseconds to wait before retry `retry`, counted from 0; undefined where there should be none. */
export function pause(operation: Operation, error: unknown, retry: number): number | undefined {
  if (!isWorthwhile(operation, error)) return undefined;
  const after = error instanceof APIError ? error.retryAfter : undefined;
  // Spread, so that callers who were refused together do not come back together.
  const backoff = Math.min(FIRST_PAUSE * 2 ** retry, LONGEST_PAUSE) * (0.5 + Math.random() / 2);
  if (after === undefined) return backoff;
  return after <= LONGEST_RETRY_AFTER ? after * 1000 + backoff / 2 : undefined;
}

/** Waits, unless the signal ends it. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}
