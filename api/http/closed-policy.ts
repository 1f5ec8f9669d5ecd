/**
 * The content policy of data, and of files that pages load: wherever a browser opens one by itself, nothing is loaded and
 * nothing runs. The pages' own is half a kilobyte and more, by what the owners have set.
 */
export const closedPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
