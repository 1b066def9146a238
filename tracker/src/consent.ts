// Who is not measured.

const FLAG = "pharos-ignore";

/**
 * Whether this browser's own visits are left out. Its user decides by opening any page of the site with `#pharos-ignore`
 * behind its address, and takes that back with `#pharos-count`. The flag is all that is ever written, and only on that request.
 */
export function optedOut(): boolean {
  try {
    if (location.hash === "#pharos-ignore") {
      localStorage.setItem(FLAG, "1");
      console.info("Pharos: visits of this browser are not counted. Open #pharos-count to count them again.");
    } else if (location.hash === "#pharos-count") {
      localStorage.removeItem(FLAG);
      console.info("Pharos: visits of this browser are counted.");
    }
    return localStorage.getItem(FLAG) !== null;
  } catch {
    // A browser without storage can't have been told.
    return location.hash === "#pharos-ignore";
  }
}

/** Whether the browser asks not to be tracked: Do Not Track, or Global Privacy Control. */
export function asksNotToBeTracked(): boolean {
  return navigator.doNotTrack === "1" || (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
}
