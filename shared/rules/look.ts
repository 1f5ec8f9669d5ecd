/** The address of something that is made from the brand, so that no browser shows what it kept of another look. */
export const addressOfLook = (path: string, look: string): string =>
  look !== '' && /^\/(icons|pictures|social)\//.test(path) ? `${path}?look=${look}` : path
