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

const mostWords = 800

/** After the space behind a word. A line’s end stays apart: a word that changes before it doesn’t break the line twice. */
const wordEnd = /(?<=[^\S\n])|(?=\n)|(?<=\n)/

/** What was removed and added between two texts, word by word. Long ones are compared whole. */
export function differenceOf(before: string, after: string): Piece[] {
  const [one, other] = [before, after].map((text) => text.split(wordEnd).filter((word) => word !== ''))
  if (one === undefined || other === undefined) return []
  if (one.length > mostWords || other.length > mostWords) return whole(before, after)
  return joined(walk(one, other, commonLengths(one, other)))
}

const whole = (before: string, after: string): Piece[] => [
  ...(before === '' ? [] : [{ kind: 'gone', text: before } as const]),
  ...(after === '' ? [] : [{ kind: 'new', text: after } as const]),
]

function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0))
  for (let at = one.length - 1; at >= 0; at -= 1) {
    for (let to = other.length - 1; to >= 0; to -= 1) {
      const row = lengths[at]
      const [right = 0, below = 0, across = 0] = [row?.[to + 1], lengths[at + 1]?.[to], lengths[at + 1]?.[to + 1]]
      if (row) row[to] = one[at] === other[to] ? across + 1 : Math.max(right, below)
    }
  }
  return lengths
}

function walk(one: readonly string[], other: readonly string[], lengths: readonly number[][]): Piece[] {
  const pieces: Piece[] = []
  let [at, to] = [0, 0]
  while (at < one.length || to < other.length) {
    const [gone, come] = [one[at], other[to]]
    if (gone !== undefined && gone === come) {
      pieces.push({ kind: 'same', text: gone })
      at += 1
      to += 1
    } else if (gone !== undefined && (come === undefined || below(lengths, at + 1, to) >= below(lengths, at, to + 1))) {
      pieces.push({ kind: 'gone', text: gone })
      at += 1
    } else {
      pieces.push({ kind: 'new', text: come ?? '' })
      to += 1
    }
  }
  return pieces
}

const below = (lengths: readonly number[][], at: number, to: number) => lengths[at]?.[to] ?? 0

function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const { kind, text } of pieces) {
    const last = all.at(-1)
    if (last?.kind === kind) last.text += text
    else all.push({ kind, text })
  }
  return all
}
