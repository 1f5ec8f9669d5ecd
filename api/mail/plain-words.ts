/** A server's words, fit for a terminal: one line without control characters. */
export function plainWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
