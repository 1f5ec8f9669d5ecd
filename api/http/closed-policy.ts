/**
 * The CSP for data and for files that pages load: opened on their own, they load and run nothing. The pages' own policy is half a
 * kilobyte or more, depending on the owners' settings.
 */
export const closedPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
