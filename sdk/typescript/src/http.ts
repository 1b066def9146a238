import type { CallOptions, Caller, Operation, RunOptions, Sent } from "./caller.js";
import { APIConnectionError, APITimeoutError, PharosError, refusal } from "./errors.js";
import { type Position, Pages, nextOf } from "./pages.js";
import { pause, sleep } from "./retries.js";

/** The facts about an answer, for logs and figures of your own. */
export interface AnswerFacts {
  operationId: string;
  status: number;
  /** Counted from 1. */
  attempt: number;
  milliseconds: number;
  requestId: string | undefined;
  /** The credits that this answer cost, and what is left of them. */
  creditsCost: number | undefined;
  creditsRemaining: number | undefined;
  /** How many requests the limit that is nearest lets through. */
  rateLimitRemaining: number | undefined;
  /** Whether the answer was given before, to the same Idempotency-Key. */
  isReplay: boolean;
}

export interface HttpOptions {
  baseUrl: URL;
  credential: () => string | Promise<string>;
  timeout: number;
  maxRetries: number;
  fetch: typeof fetch;
  onAnswer: ((facts: AnswerFacts) => void) | undefined;
}

interface Request {
  operation: Operation;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Sends requests, and sends them again where that is right. */
export class Http implements Caller {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  async call<T>(operation: Operation, ids: readonly string[], sent: Sent, options: RunOptions): Promise<T> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (sent.body) headers["content-type"] = "application/json";
    // Once for the call: each retry is known as the same request.
    if (operation.isKeyed) headers["idempotency-key"] = options.idempotencyKey ?? crypto.randomUUID();
    const url = new URL(filled(operation.path, ids), this.#options.baseUrl);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
      }
    }
    const body = sent.body && JSON.stringify(sent.body);
    return this.#withRetries<T>({ operation, url, headers, body }, options);
  }

  list<P extends { items: I[] }, I>(
    operation: Operation,
    ids: readonly string[],
    sent: Sent,
    options: CallOptions,
  ): Pages<P, I> {
    const read = (position: Position) =>
      this.call<P>(operation, ids, { ...sent, query: { ...sent.query, ...position } }, options);
    return new Pages<P, I>(read, nextOf(operation.paging, operation.total));
  }

  /** Reads a path that the API gave, which must lie on its host. */
  async read<T>(path: string, options: CallOptions): Promise<T> {
    const url = new URL(path, this.#options.baseUrl);
    if (url.origin !== this.#options.baseUrl.origin) throw new PharosError(`${url.origin} is not the host of the API.`);
    const operation = { id: "poll", method: "GET", path, isRepeatable: true };
    return this.#withRetries<T>({ operation, url, headers: { accept: "application/json" }, body: undefined }, options);
  }

  async #withRetries<T>(request: Request, options: CallOptions): Promise<T> {
    const { maxRetries = this.#options.maxRetries, signal } = options;
    for (let retry = 0; ; retry++) {
      try {
        return await this.#attempt<T>(request, retry + 1, options);
      } catch (error) {
        const wait = retry < maxRetries ? pause(request.operation, error, retry) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, signal);
      }
    }
  }

  async #attempt<T>({ operation, url, headers, body }: Request, attempt: number, options: CallOptions): Promise<T> {
    const { timeout = this.#options.timeout, signal } = options;
    // Asked for anew each time: a token may have been refreshed meanwhile.
    const credential = checked(await this.#options.credential());
    const late = AbortSignal.timeout(timeout);
    const began = performance.now();
    let response: Response;
    let text: string;
    try {
      response = await this.#options.fetch(url, {
        method: operation.method,
        headers: { ...headers, authorization: `Bearer ${credential}` },
        ...(body !== undefined && { body }),
        // The API never redirects; a credential goes nowhere else.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted) throw new APITimeoutError(`${operation.id}: no answer within ${timeout / 1000} s`, { cause: error });
      throw new APIConnectionError(`${operation.id}: no answer from ${url.origin}`, { cause: error });
    }
    this.#tell(operation, response, attempt, performance.now() - began);
    if (!response.ok) throw refusal(response.status, response.headers, text);
    try {
      return JSON.parse(text) as T;
    } catch (error) {
      throw new PharosError(`${url.origin} did not answer in JSON: is the base URL right?`, { cause: error });
    }
  }

  #tell({ id }: Operation, { status, headers }: Response, attempt: number, milliseconds: number): void {
    const figure = (name: string) => {
      const text = headers.get(name);
      return text === null ? undefined : Number(text);
    };
    this.#options.onAnswer?.({
      operationId: id,
      status,
      attempt,
      milliseconds,
      requestId: headers.get("x-request-id") ?? undefined,
      creditsCost: figure("x-credits-cost"),
      creditsRemaining: figure("x-credits-remaining"),
      rateLimitRemaining: figure("x-ratelimit-remaining"),
      isReplay: headers.get("idempotent-replayed") === "true",
    });
  }
}

/** A path with its ids. */
function filled(path: string, ids: readonly string[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[index++];
    // A path would lead elsewhere with dots, and with nothing.
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new PharosError(`${name} must be an id, not ${JSON.stringify(id)}.`);
    return encodeURIComponent(id);
  });
}

/** A credential that a header takes. An error of `fetch` would show it. */
function checked(credential: string): string {
  const trimmed = credential.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new PharosError("The credential is empty, or has characters that no key and no token has.");
  return trimmed;
}
