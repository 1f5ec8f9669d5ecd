/** Who wrote a post that names no one. */
export const siteCoach = 'The coaches'

/**
 * The slug of a post or video, from its title: lower-case letters, digits and hyphens, with a single hyphen for spaces. Drops
 * an accented letter altogether, composed or not.
 */
export const slugOf = (title: string): string =>
  title
    // As many marks on a letter as Unicode lets a stream have. Putting more in order takes minutes.
    .replace(/(\p{M}{30})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')

const wordsPerMinute = 220

/** How long a post takes to read, in whole minutes, at least one. `html` is sanitised, so a tag has no angle bracket inside. */
export function readingMinutes(html: string): number {
  const words = html.replace(/<[^<>]*>/g, ' ').match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
  return Math.max(1, Math.round(words / wordsPerMinute))
}

/** Whether a post has content: an empty editor still writes an empty paragraph. */
export const hasContent = (html: string): boolean =>
  /<img\s/i.test(html) || /[^\s\p{Default_Ignorable_Code_Point}]/u.test(html.replace(/<[^<>]*>|&nbsp;/g, ''))
