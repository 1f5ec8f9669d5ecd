/** `62%`, or nothing if there’s nothing to compare. */
export const percentOf = (part: number, whole: number | undefined): string =>
  whole === undefined || whole === 0 ? '' : `${Math.round((100 * part) / whole)}%`
