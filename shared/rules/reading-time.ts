const wordsPerMinute = 220

/** How long a post takes to read: whole minutes, at least one. `html` is clean, so a tag holds no angle bracket of its own. */
export function readingMinutes(html: string): number {
  const words = html.replace(/<[^<>]*>/g, ' ').match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0
  return Math.max(1, Math.round(words / wordsPerMinute))
}
