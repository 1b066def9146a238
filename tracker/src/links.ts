// Links that lead away, and to files.
import { safe } from "./safe";

/** Reports each click on a link to another host, or to a file with one of the extensions: its kind, and its address without query and fragment. */
export function watchLinks(extensions: string[], tell: (type: "outbound" | "download", link: string) => void): void {
  const follow = (event: Event): void => {
    const { button } = event as MouseEvent;
    // The middle button opens another tab; the right one opens a menu.
    if (button > 1) return;
    const from = event.composedPath()[0];
    const link = from instanceof Node && (from instanceof Element ? from : from.parentElement)?.closest("a[href],area[href]");
    if (!link) return;
    const { protocol, origin, hostname, pathname } = new URL((link as HTMLAnchorElement).href, location.href);
    if (!/^https?:$/.test(protocol)) return;
    const file = /\.(\w+)$/.exec(pathname);
    if (file && extensions.includes(file[1]!.toLowerCase())) tell("download", origin + pathname);
    else if (hostname !== location.hostname) tell("outbound", origin + pathname);
  };
  // In the capturing phase: pages stop clicks on their way up.
  for (const type of ["click", "auxclick"]) document.addEventListener(type, safe(follow), true);
}
