import { PharosError } from "./errors.js";
import { Groups } from "./generated/operations.js";
import type { Run } from "./generated/schemas.js";
import { type AnswerFacts, Http } from "./http.js";
import { type WaitOptions, hasStatus, isFinal, poll } from "./runs.js";

export interface PharosOptions {
  /** Where Pharos is, such as `https://pharos.example`. Left out: the variable PHAROS_URL. */
  baseUrl?: string | undefined;
  /** An API key. Left out, and without `accessToken`: the variable PHAROS_API_KEY. */
  apiKey?: string | undefined;
  /** An access token of OAuth, or what gives one: it is called before each attempt, so that it may refresh the token. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds that one attempt may take: 60,000 where left out. */
  timeout?: number | undefined;
  /** How often a call is tried again at most: 2 where left out. */
  maxRetries?: number | undefined;
  /** A `fetch` of your own, for instance one with a proxy. */
  fetch?: typeof fetch | undefined;
  /** Is told of each answer, refusals and retries included. */
  onAnswer?: ((facts: AnswerFacts) => void) | undefined;
}

/** A client of one Pharos. It keeps nothing between calls: one is enough for a process. */
export class Pharos extends Groups {
  readonly #http: Http;

  constructor(options: PharosOptions = {}) {
    const { apiKey, accessToken } = options;
    if (apiKey !== undefined && accessToken !== undefined) throw new PharosError("Give apiKey or accessToken, not both.");
    const given = apiKey ?? accessToken ?? variable("PHAROS_API_KEY");
    if (given === undefined) throw new PharosError("Give apiKey or accessToken, or set PHAROS_API_KEY.");
    const http = new Http({
      baseUrl: origin(options.baseUrl ?? variable("PHAROS_URL")),
      credential: typeof given === "function" ? given : () => given,
      timeout: options.timeout ?? 60_000,
      maxRetries: options.maxRetries ?? 2,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      onAnswer: options.onAnswer,
    });
    super(http);
    this.#http = http;
  }

  /**
   * Waits until a run has ended, and gives how it did: look at its `status`, since a run may fail. For runs of reports, of the
   * inspector and of lab tests. Other runs have no status that can be read; `poll` waits for what they find.
   */
  async waitForRun<R extends Run>(run: R, options: WaitOptions = {}): Promise<R> {
    if (isFinal(run)) return run;
    if (!hasStatus(run)) throw new PharosError(`A run of ${run.kind} has no status to read: poll what it finds.`);
    const { signal } = options;
    return poll(() => this.#http.read<R>(run.poll_path, { signal }), isFinal, options);
  }
}

/** A variable of the environment, where there is one. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** The address of a Pharos, which has no path. */
function origin(text: string | undefined): URL {
  if (text === undefined) throw new PharosError("Give baseUrl, or set PHAROS_URL.");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFit = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (!isFit) throw new PharosError("baseUrl must be an http or https address without a path, such as https://pharos.example.");
  return url;
}
