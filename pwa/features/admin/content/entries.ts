import type { Field } from '#shared/contract/text-fields.ts'
import { entryAt, isSame, isWithin, type Override } from '#shared/rules/overrides.ts'

type Parts = Record<string, unknown>

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content with another value at a path of names and places in lists; `undefined` takes a name out. */
export const withValueAt = (content: unknown, path: string, value: unknown): unknown =>
  path === '' ? value : replaceAt(content, path.split('.'), value)

function replaceAt(content: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(content)) {
    return content.map((item, at) => (at === Number(name) ? replaceAt(item, rest, value) : item))
  }
  const parts = isParts(content) ? content : {}
  const { [name]: before, ...others } = parts
  const after = replaceAt(before, rest, value)
  if (after === undefined) return others
  // Where it stood before, so that nothing moves on the screen.
  return Object.hasOwn(parts, name) ? { ...parts, [name]: after } : { ...others, [name]: after }
}

export const toEntries = (overrides: readonly Override[]): Record<string, unknown> =>
  Object.fromEntries(overrides.map(({ entry, value }) => [entry, value]))

export const toOverrides = (entries: Record<string, unknown>): Override[] =>
  Object.entries(entries).map(([entry, value]) => ({ entry, value }))

/** An entry that this owner has changed, and somebody else since, each to something else. */
export type Clash = { entry: string; mine: unknown; theirs: unknown }

/** What of `mine` was published otherwise meanwhile. */
export const clashesBetween = (
  mine: readonly Override[],
  published: unknown,
  changedSince: readonly string[],
): Clash[] =>
  mine.flatMap(({ entry, value }) => {
    const isTouched = changedSince.some((other) => isWithin(other, entry) || isWithin(entry, other))
    const theirs = entryAt(published, entry)
    return isTouched && !isSame(theirs, value) ? [{ entry, mine: value, theirs }] : []
  })

/** A value as lines that a person can read and compare. */
export function linesOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => `• ${linesOf(item).replaceAll('\n', '; ')}`).join('\n')
  if (!isParts(value)) return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
  return Object.entries(value)
    .filter(([name]) => name !== 'id')
    .map(([, part]) => linesOf(part))
    .filter((line) => line !== '')
    .join('\n')
}

export type Piece = { kind: 'same' | 'gone' | 'new'; text: string }

const mostWords = 800

/** What has gone and what has come between two texts, word by word; long ones are compared as a whole. */
export function differenceOf(before: string, after: string): Piece[] {
  const [one, other] = [before, after].map((text) => text.split(/(?<=\s)/).filter((word) => word !== ''))
  if (one === undefined || other === undefined) return []
  if (one.length > mostWords || other.length > mostWords) return whole(before, after)
  return joined(walk(one, other, commonLengths(one, other)))
}

const whole = (before: string, after: string): Piece[] => [
  ...(before === '' ? [] : [{ kind: 'gone', text: before } as const]),
  ...(after === '' ? [] : [{ kind: 'new', text: after } as const]),
]

/** For each pair of places, how many words the rests have in common. */
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

/** What all fields of a form share. */
export type Form = {
  /** Puts a value at a path; `undefined` takes it out. */
  change: (path: string, value: unknown) => void
  /** Why something cannot be published, by path. */
  problems: Record<string, string>
  /** A field was entered: the page shows where its words stand. */
  onEnter: (path: string) => void
}

export type FieldProps<Of extends Field = Field> = { field: Of; path: string; value: unknown; form: Form }

/** By which a field is found when its words are pressed on the page. */
export const idOf = (path: string) => `words-${path}`

export const nameIn = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/** Small letters, digits and hyphens, as ids of the content are. */
export const newId = () => `own-${crypto.randomUUID().slice(0, 8)}`
