import { foldText } from './fold-text.ts'

/** A long text's part with the first of the wanted words, or else its beginning, cut between words. */
export function excerptOf(text: string, most: number, wanted: readonly string[] = []): string {
  if (text.length <= most) return text
  const folded = foldText(text)
  const positions = wanted.map((word) => folded.indexOf(foldText(word))).filter((position) => position >= 0)
  const first = Math.max(0, Math.min(...positions, text.length) - Math.floor(most / 3))
  const begins = positions.length === 0 || first === 0 ? 0 : text.indexOf(' ', first) + 1
  const part = text.slice(begins, begins + most)
  const ends = begins + most >= text.length ? part : part.replace(/\s+\S*$/, '')
  return `${begins > 0 ? '… ' : ''}${ends}${begins + most < text.length ? ' …' : ''}`
}
