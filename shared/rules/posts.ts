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

const wordsPerMinute = 220

/** How long a post takes to read: whole minutes, at least one. `html` is clean, so a tag holds no angle bracket of its own. */
export function readingMinutes(html: string): number {
  const words = html.replace(/<[^<>]*>/g, ' ').match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
  return Math.max(1, Math.round(words / wordsPerMinute))
}
