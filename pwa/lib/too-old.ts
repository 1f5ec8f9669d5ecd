/**
 * Whether a browser is older than those we promise (scripts/build/browsers.ts). Those have both, and what lacks one hasn't got all
 * that the app calls: such a browser gets the pages as they'd be without scripts.
 */
export function isTooOld(): boolean {
  return !('toSorted' in Array.prototype && 'adoptedStyleSheets' in document)
}
