/** The most that a public page may cost a visitor, and the admin an owner, in bytes as they are sent (compressed). */
export const budgets = {
  /** All scripts of a page with their headers, as Lighthouse counts them; react-dom alone comes to 58.3 kB. */
  scripts: 113_700,
  /** The styles of a page, inline and in files. */
  styles: 14_000,
  font: 82_000,
  /** All requests of a first visit to the front page, without what the service worker caches for later. */
  firstVisit: 260_000,
  /** All scripts of the owners' first screen. */
  adminScripts: 180_000,
  /** What public and members' pages carry for the owners' sake. */
  ownerShare: 300,
}

/** The most scripts that the members' list may need besides those of every page: without signal each costs a slow phone about 8 ms. */
export const mostMemberScripts = 8

/** The highest ratio of a page's scripts to react-dom alone. */
export const mostTimesReactDom = 1.9

/** The headers of a script's response, in bytes. */
export const headerBytes = 750
