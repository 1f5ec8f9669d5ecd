/**
 * Makes a path of the site absolute, as other sites need it. An absolute address stays as it is; anything else gives the site's
 * own.
 */
export const absoluteUrl = (address: string, siteUrl: string): string =>
  URL.canParse(address, siteUrl) ? new URL(address, siteUrl).href : siteUrl
