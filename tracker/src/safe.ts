// The page goes on whatever happens here.

/** The same function, except that it never throws. */
export function safe<A extends unknown[]>(work: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      work(...args);
    } catch {
      // A measurement that fails is left out: it must never break the page.
    }
  };
}

/** Listens, in the order of calls, after all that listens in the capturing phase. */
export function on(target: EventTarget, type: string, work: (event: Event) => void): void {
  target.addEventListener(type, safe(work), { passive: true });
}

/** Whether the page is out of sight. */
export const hidden = (): boolean => document.visibilityState === "hidden";

/** So many random bytes, hexadecimal. */
export function random(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => (byte + 256).toString(16).slice(1)).join("");
}

/** The beginning of a name, since the server looks at no more. */
export const short = (name: string): string => name.slice(0, 200);

/** An address without query and fragment. */
export const bare = (url: string): string => url.replace(/[?#].*/s, "").slice(0, 1000);
