/**
 * Stands in local storage while the server may not have heard of a logout, so that a page without an account's code knows
 * to load it: ms since 1970, when he left. What is really owed stands in the device's store.
 */
export const owedLogoutKey = 'logout-owed'
