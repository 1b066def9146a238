// The settings that the server puts before the script: `var pharosSite={…};`.

/** The settings of a site. A part that is null is not switched on. */
export interface Settings {
  /** The site's public key. */
  site: string;
  /** The version of the server that sent the script. */
  version: string;
  /** Web analytics. */
  events: EventSettings | null;
  /** Real-user monitoring; the server then sends the full build. */
  vitals: VitalsSettings | null;
}

/** How events are collected. */
export interface EventSettings {
  /** Extensions of files whose links count as downloads, in lower case. */
  download_extensions: string[];
  /** Whether titles of pages are sent. */
  page_titles: boolean;
  /** Whether browsers that ask not to be tracked are left alone. */
  respect_dnt: boolean;
}

/** How vitals are collected. */
export interface VitalsSettings {
  /** Which share of page loads is measured, from 0 to 1. */
  sample_rate: number;
  /** Whether causes are sent beside values. */
  attribution: boolean;
  /** Whether resources are sent. */
  resources: boolean;
  /** Whether errors of scripts are sent. */
  errors: boolean;
  /** Whether route changes within a page are measured as loads of their own. */
  soft_navigations: boolean;
  /** Names of the query whose change makes no route of its own. */
  ignored_query_params: string[];
  /** Whether browsers that ask not to be tracked are left alone. */
  respect_dnt: boolean;
}

/** The state that all parts of the script share on one page. */
export interface Page {
  /** The settings of the site. */
  settings: Settings;
  /** Where beacons go: the origin that the script came from. */
  origin: string;
  /** Whether the part behind `#` is a page's address. */
  hash: boolean;
  /** The page load: 64 random bits, hexadecimal. Another one after a return from the back/forward cache. */
  load: string;
}
