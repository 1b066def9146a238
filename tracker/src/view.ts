// One page view as the server receives it: a later beacon of a view holds all that an earlier one did.

/** A metric's value, and what caused it. */
export interface Measured {
  value: number;
  attribution?: object;
}

/** An error of a script. */
export interface ScriptError {
  message: string;
  type?: string | undefined;
  source: "source" | "network" | "console" | "report" | "custom";
  handling: "handled" | "unhandled";
  filename?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  stack?: string | undefined;
  /** The messages of the errors that caused it, the nearest first. */
  causes?: string[] | undefined;
}

/** A view under way. */
export interface View {
  load: string;
  /** When it began, in milliseconds since 1970. */
  at: number;
  url: string;
  referrer: string;
  /** How many beacons were sent of it. */
  revision: number;
  /** How the browser came to it, in the words of web-vitals. */
  navigation: string;
  /** Whether it was out of sight when it began. */
  hidden: boolean;
  metrics: Partial<Record<"lcp" | "inp" | "cls" | "fcp" | "ttfb", Measured>>;
  errors: ScriptError[];
  /** Absent where the browser tells of none. */
  long_frames?: object[];
  /** Three clicks on one element within a second. */
  rage_clicks: number;
  /** Clicks after which nothing happened. */
  dead_clicks: number;
  /** How long it was in sight so far, in milliseconds. */
  visible_ms: number;
  /** How far down it was seen, in percent of the page's height. */
  scroll_pct: number;
  /** How often people interacted with it; absent where the browser does not count that. */
  interactions?: number | undefined;
}
