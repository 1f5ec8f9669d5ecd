/** A value that replaces the one at `entry`: names joined with dots, such as `hero.lead`. */
export type Override = { entry: string; value: unknown }

type Entries = Record<string, unknown>

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const applyOverrides = (content: unknown, overrides: readonly Override[]): unknown =>
  // Outer ones first, so that one inside another goes on top of it.
  [...overrides]
    .sort((one, other) => one.entry.length - other.entry.length)
    .reduce((merged, { entry, value }) => replaceAt(merged, entry.split('.'), value), content)

function replaceAt(content: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || name === '') return value
  const entries = isEntries(content) ? content : {}
  return { ...entries, [name]: replaceAt(entryOf(entries, name), rest, value) }
}

/** The content's own entry of that name, not something every object inherits, such as `constructor`. */
const entryOf = (content: unknown, name: string): unknown =>
  isEntries(content) ? new Map(Object.entries(content)).get(name) : undefined

/** The value at an entry; undefined if there isn't one. The empty entry is the whole content. */
export const entryAt = (content: unknown, entry: string): unknown =>
  entry === '' ? content : entry.split('.').reduce(entryOf, content)

/**
 * The fewest overrides that turn `content` into `wanted`. If an object lost entries it's one override, since an override can't say
 * that something is gone.
 */
export function overridesBetween(content: unknown, wanted: unknown, entry = ''): Override[] {
  if (isSame(content, wanted)) return []
  if (!isEntries(content) || !isEntries(wanted) || !hasAllNames(wanted, content)) return [{ entry, value: wanted }]
  return Object.keys(wanted).flatMap((name) =>
    overridesBetween(entryOf(content, name), wanted[name], entry === '' ? name : `${entry}.${name}`),
  )
}

/** Deep equality; the order of an object's entries doesn't matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (!isEntries(one) || !isEntries(other)) return one === other
  return hasSameNames(one, other) && Object.keys(one).every((name) => isSame(one[name], other[name]))
}

const hasSameNames = (one: Entries, other: Entries) => hasAllNames(one, other) && hasAllNames(other, one)

const hasAllNames = (one: Entries, other: Entries): boolean =>
  Object.keys(other).every((name) => Object.hasOwn(one, name))

export const isWithin = (entry: string, other: string): boolean =>
  entry === other || other === '' || entry.startsWith(`${other}.`)

/** Sets the value at a path of names and list positions; `undefined` removes the name. */
export const withValueAt = (content: unknown, path: string, value: unknown): unknown =>
  path === '' ? value : replaceWithin(content, path.split('.'), value)

function replaceWithin(content: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(content)) {
    return content.map((item, at) => (at === Number(name) ? replaceWithin(item, rest, value) : item))
  }
  const parts = isEntries(content) ? content : {}
  const { [name]: before, ...others } = parts
  const after = replaceWithin(before, rest, value)
  if (after === undefined) return others
  // Keeps the entry's position, so that nothing moves on the screen.
  return Object.hasOwn(parts, name) ? { ...parts, [name]: after } : { ...others, [name]: after }
}

export const toEntries = (overrides: readonly Override[]): Record<string, unknown> =>
  Object.fromEntries(overrides.map(({ entry, value }) => [entry, value]))

export const toOverrides = (entries: Record<string, unknown>): Override[] =>
  Object.entries(entries).map(([entry, value]) => ({ entry, value }))

/** An entry this owner and another both changed since, to different values. */
export type Clash = { entry: string; mine: unknown; theirs: unknown }

/** The entries of `mine` that were published with another value since. */
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
