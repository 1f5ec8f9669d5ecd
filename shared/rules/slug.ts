/**
 * The address of a post from its title: in lower case, letters, digits and hyphens alone, single hyphens for spaces. An
 * accent is no letter: it goes, and the letter under it stays.
 */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
