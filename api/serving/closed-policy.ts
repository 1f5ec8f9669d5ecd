/**
 * The CSP for data and for files pages load: opened on their own, they load and run nothing. The pages' own CSP is much longer.
 */
export const closedPolicy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
