/** What a public page may cost a visitor, in bytes as they are sent. */
export const budgets = {
  /** All scripts of a page: 1.9 times react-dom alone, which comes to 58.3 kB. */
  scripts: 110_700,
  /** Inline and in files. */
  styles: 14_000,
  /** The one font. */
  font: 82_000,
  /** All that the first visit to the front page asks for, without what the service worker keeps for later. */
  firstVisit: 260_000,
}

/** Of a page's scripts to react-dom alone. */
export const mostTimesReactDom = 1.9
