/** A path of the site, or an address that is whole already, as other sites need it; of what is neither, the site's own. */
export const absoluteUrl = (address: string, siteUrl: string): string =>
  URL.canParse(address, siteUrl) ? new URL(address, siteUrl).href : siteUrl
