import type { Pages } from "./pages.js";

/** How one call differs from what its client does else. */
export interface CallOptions {
  /** Ends the call: it is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take. */
  timeout?: number | undefined;
  /** How often the call is tried again at most. */
  maxRetries?: number | undefined;
}

export interface RunOptions extends CallOptions {
  /**
   * The key by which this request is known, should it come again. Left out: a new one for each call, kept over its retries. Give
   * one of your own where the process may end between two attempts.
   */
  idempotencyKey?: string | undefined;
}

/** An operation of the API. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Whether it does no harm to send it again when nobody knows what became of it. */
  readonly isRepeatable: boolean;
  /** Whether it takes an Idempotency-Key. */
  readonly isKeyed?: boolean;
  readonly paging?: "single" | "cursor" | "offset";
  /** The member of a page that says how many items there are in all. */
  readonly total?: string;
}

/** The parameters of a call beside its ids. */
export interface Sent {
  query?: object;
  body?: object;
}

/** The caller behind the groups of operations. */
export interface Caller {
  call<T>(operation: Operation, ids: readonly string[], sent: Sent, options: RunOptions): Promise<T>;
  list<P extends { items: I[] }, I>(
    operation: Operation,
    ids: readonly string[],
    sent: Sent,
    options: CallOptions,
  ): Pages<P, I>;
}
