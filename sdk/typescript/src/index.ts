export type { CallOptions, RunOptions } from "./caller.js";
export { Pharos, type PharosOptions } from "./client.js";
export * from "./errors.js";
export type * from "./generated/operations.js";
export type * from "./generated/schemas.js";
export type { AnswerFacts } from "./http.js";
export type { Pages } from "./pages.js";
export { poll, type WaitOptions } from "./runs.js";
