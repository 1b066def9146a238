import { WaitTimeoutError } from "./errors.js";
import type { Run } from "./generated/schemas.js";
import { sleep } from "./retries.js";

export interface WaitOptions {
  /** Milliseconds after which waiting ends with a {@link WaitTimeoutError}: 10 minutes where left out. */
  timeout?: number | undefined;
  /** Milliseconds before the second look; the pauses grow to ten seconds. 1 second where left out. */
  interval?: number | undefined;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

const LONGEST_INTERVAL = 10_000;
const FINAL: readonly Run["status"][] = ["succeeded", "partial", "failed", "canceled", "expired"];

/** Whether a run has ended. */
export function isFinal(run: Run): boolean {
  return FINAL.includes(run.status);
}

/** Whether `poll_path` tells of the run itself, not of what it finds. */
export function hasStatus(run: Run): boolean {
  return run.poll_path.endsWith(`/runs/${run.run_id}`);
}

/** Reads again and again until `isDone` says so, and gives the last answer. */
export async function poll<T>(
  read: () => PromiseLike<T>,
  isDone: (answer: T) => boolean,
  { timeout = 600_000, interval = 1_000, signal }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeout;
  for (let wait = interval; ; wait = Math.min(wait * 1.5, Math.max(interval, LONGEST_INTERVAL))) {
    signal?.throwIfAborted();
    const answer = await read();
    if (isDone(answer)) return answer;
    const left = deadline - Date.now();
    if (left <= 0) throw new WaitTimeoutError(`Not done within ${timeout / 1000} s.`);
    await sleep(Math.min(wait, left), signal);
  }
}
