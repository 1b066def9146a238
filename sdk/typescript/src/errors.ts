import type { Problem, ProblemSuffix } from "./generated/schemas.js";

/** Everything that this library throws by itself. */
export class PharosError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There was no answer: no connection, or one that broke. */
export class APIConnectionError extends PharosError {}

/** There was no answer in time. */
export class APITimeoutError extends APIConnectionError {}

/** The result that was waited for did not come in time. */
export class WaitTimeoutError extends PharosError {}

/** A code of a problem; newer servers have more. */
export type ProblemCode = ProblemSuffix | (string & {});

/** A refusal. Branch on `status` and `code`, never on `message`. */
export class APIError extends PharosError {
  readonly status: number;
  /** Which problem it is, such as `domain-not-found`; undefined where something before Pharos answered. */
  readonly code: ProblemCode | undefined;
  /** Why this request was refused, in words. */
  readonly detail: string | undefined;
  /** The page that explains the problem, and what to do about it. */
  readonly help: string | undefined;
  /** Name it when you ask the operator. */
  readonly requestId: string | undefined;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined;
  /** The whole problem, with the members that some add: `errors`, `required_scope`, `resets_on` and others. */
  readonly problem: Problem | undefined;

  constructor(answer: Refusal) {
    const { status, headers, problem } = answer;
    const code = problem && codeOf(problem.type);
    const requestId = headers.get("x-request-id") ?? undefined;
    super(
      problem
        ? `${status} ${code}: ${problem.detail} What to do: ${problem.type} (request ${requestId ?? "without an id"})`
        : `${status}, and not by Pharos: is the base URL right, and what lies before Pharos well?`,
    );
    this.status = status;
    this.code = code;
    this.detail = problem?.detail;
    this.help = problem?.type;
    this.requestId = requestId;
    this.retryAfter = retryAfterOf(headers);
    this.problem = problem;
  }
}

/** 400, 413 and 415: the request is at fault; `problem.errors` names each fault. */
export class InvalidRequestError extends APIError {}
/** 401: no credential, or none that is valid. */
export class AuthenticationError extends APIError {}
/** 402: credits or a quota are spent, or the subscription does not allow changes. */
export class PaymentRequiredError extends APIError {}
/** 403: the scope, the role or the plan does not allow it. */
export class PermissionDeniedError extends APIError {}
/** 404: no such thing, or not visible to the credential. */
export class NotFoundError extends APIError {}
/** 409: the request contradicts what is there. */
export class ConflictError extends APIError {}
/** 429: a limit is reached; `problem.bucket` names it. */
export class RateLimitError extends APIError {}
/** 5xx: Pharos, or what lies before it, failed or is away. */
export class ServerError extends APIError {}

const BY_STATUS: Record<number, typeof APIError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: RateLimitError,
};

interface Refusal {
  status: number;
  headers: Headers;
  problem: Problem | undefined;
}

/** The error of an answer that is no success. */
export function refusal(status: number, headers: Headers, text: string): APIError {
  const made = BY_STATUS[status] ?? (status >= 500 ? ServerError : APIError);
  return new made({ status, headers, problem: problemOf(text) });
}

/** A body as a problem, where it is one. */
function problemOf(text: string): Problem | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isProblem = typeof body === "object" && body !== null && "type" in body && "detail" in body;
    return isProblem && typeof body.type === "string" && typeof body.detail === "string" ? (body as Problem) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(type: string): string {
  return type.split("/").at(-1) ?? type;
}

/** Seconds of a Retry-After, which may be a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
