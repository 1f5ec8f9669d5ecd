import { diffArrays } from 'diff'

export function linesOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => `• ${linesOf(item).replaceAll('\n', '; ')}`).join('\n')
  if (typeof value !== 'object') return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
  return Object.entries(value)
    .filter(([name]) => name !== 'id')
    .map(([, part]) => linesOf(part))
    .filter((line) => line !== '')
    .join('\n')
}

export type Piece = { kind: 'same' | 'gone' | 'new'; text: string }

/** Texts that differ by more words have little in common. */
const mostChanged = 500

/** After the space behind a word. A line’s end stays apart: a word that changes before it doesn’t break the line twice. */
const wordEnd = /(?<=[^\S\n])|(?=\n)|(?<=\n)/

const wordsOf = (text: string) => (text === '' ? [] : text.split(wordEnd))

/** What was removed and added between two texts, word by word. Two with little in common are compared whole. */
export function differenceOf(before: string, after: string): Piece[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: mostChanged })
  if (changes === undefined)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'new' : removed ? 'gone' : 'same',
    text: value.join(''),
  }))
}
