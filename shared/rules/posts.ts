/**
 * The address of a post or a video from its title: in lower case, letters, digits and hyphens alone, single hyphens for spaces. An
 * accented letter goes whole, however the title was typed.
 */
export const slugOf = (title: string): string =>
  title
    .normalize('NFC')
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

/** Whether a post shows anything: an editor that holds nothing still writes an empty paragraph. */
export const hasContent = (html: string): boolean =>
  /<img\s/i.test(html) || /[^\s\p{Default_Ignorable_Code_Point}]/u.test(html.replace(/<[^<>]*>|&nbsp;/g, ''))
