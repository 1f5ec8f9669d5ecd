/** A navigation may lead nowhere: to a download, to a site that doesn't answer, or straight back here. */
export const longestDepartureMs = 10_000

/** An iPhone tells nothing until the next page comes, so a press on a link that the browser follows counts. */
export const isDeparture = ({ target, defaultPrevented }: Event): boolean =>
  !defaultPrevented && target instanceof Element && target.closest('a[href]:not([target], [download])') !== null
