/** The most a public page may cost a visitor, and the admin an owner, in compressed bytes: some 5 % more than today's. */
export const budgets = {
  /** All scripts of a page with headers, as Lighthouse counts them. react-dom alone is 58.3 kB. */
  scripts: 120_000,
  styles: 14_000,
  font: 82_000,
  /** All requests of a first visit to the home page, without what the service worker caches for later. */
  firstVisit: 260_000,
  /** Of the device’s own store too, which lets go of everything when its page is left. */
  adminScripts: 191_000,
  /** What public and members' pages carry just for owners. */
  ownerShare: 300,
}

/** A page's scripts compared with react-dom alone. */
export const mostTimesReactDom = 1.9

export const headerBytes = 750
