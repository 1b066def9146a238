// By which method scripts make requests: the browser's own records leave that out.
import { TELLING } from "./own";
import { safe } from "./safe";

/** How many requests are remembered. */
const MOST = 300;

/** Tells the method of a request from the browser's record of it; undefined where we did not see it begin. */
export type MethodOf = (record: PerformanceEntry) => string | undefined;

/** Stands before `fetch` and `XMLHttpRequest` where that hides no error from the page . */
export function watchMethods(): MethodOf {
  const begun: { url: string; method: string; at: number }[] = [];
  const note = (method: unknown, address: unknown): void => {
    const url = whole(new URL(String(address), document.baseURI).href);
    begun.push({ url, method: String(method).toUpperCase(), at: performance.now() });
    if (begun.length > MOST) begun.shift();
  };
  // The last that began before the record did: of two to one address each has its own record.
  const methodOf: MethodOf = ({ name, startTime }) =>
    begun.filter(({ url, at }) => at <= startTime && url === whole(name)).pop()?.method;
  if (!TELLING) return methodOf;
  const fetches = safe((what: Request | string | URL, how?: RequestInit) => {
    const request = what instanceof Request ? what : undefined;
    note(how?.method ?? request?.method ?? "GET", request?.url ?? what);
  });
  const opened = new WeakMap<XMLHttpRequest, unknown[]>();
  const opens = safe((request: XMLHttpRequest, call: unknown[]) => opened.set(request, call));
  const sends = safe((request: XMLHttpRequest) => note(...(opened.get(request) as [unknown, unknown])));
  // A page that lets nobody change these is measured all the same.
  safe(() => {
    const { fetch } = window;
    window.fetch = function (...args) {
      fetches(...args);
      return fetch.apply(this, args);
    };
  })();
  safe(() => {
    const { open, send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (...args: unknown[]) {
      opens(this, args);
      open.apply(this, args as Parameters<typeof open>);
    };
    XMLHttpRequest.prototype.send = function (...args) {
      sends(this);
      send.apply(this, args);
    };
  })();
  return methodOf;
}

/** An address without its fragment. */
const whole = (url: string): string => url.replace(/#.*/s, "");
