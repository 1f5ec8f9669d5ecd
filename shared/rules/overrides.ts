/** A value that stands in place of the one at `entry`: names with dots between them, such as `hero.lead`. */
export type Override = { entry: string; value: unknown }

type Entries = Record<string, unknown>

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The content with what was written in place of some of its entries. A list is one entry, whole. */
export const applyOverrides = (content: unknown, overrides: readonly Override[]): unknown =>
  // The outer ones first: one that lies within another goes on top of it.
  [...overrides]
    .sort((one, other) => one.entry.length - other.entry.length)
    .reduce((merged, { entry, value }) => replaceAt(merged, entry.split('.'), value), content)

function replaceAt(content: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined || name === '') return value
  const entries = isEntries(content) ? content : {}
  return { ...entries, [name]: replaceAt(entryOf(entries, name), rest, value) }
}

/** The entry of that name and nothing that every object has, such as `constructor`. */
const entryOf = (content: unknown, name: string): unknown =>
  isEntries(content) ? new Map(Object.entries(content)).get(name) : undefined

/** What stands at an entry; undefined where there is none. The empty entry is everything. */
export const entryAt = (content: unknown, entry: string): unknown =>
  entry === '' ? content : entry.split('.').reduce(entryOf, content)

/**
 * The fewest overrides that make `wanted` of `content`. An object of which entries have gone is one override: what is missing
 * could not be said otherwise.
 */
export function overridesBetween(content: unknown, wanted: unknown, entry = ''): Override[] {
  if (isSame(content, wanted)) return []
  if (!isEntries(content) || !isEntries(wanted) || !hasAllNames(wanted, content)) return [{ entry, value: wanted }]
  return Object.keys(wanted).flatMap((name) =>
    overridesBetween(entryOf(content, name), wanted[name], entry === '' ? name : `${entry}.${name}`),
  )
}

/** Whether two values are the same; the order of an object's entries is of no matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (!isEntries(one) || !isEntries(other)) return one === other
  return hasSameNames(one, other) && Object.keys(one).every((name) => isSame(one[name], other[name]))
}

const hasSameNames = (one: Entries, other: Entries) => hasAllNames(one, other) && hasAllNames(other, one)

/** Whether the first has every name of the second. */
const hasAllNames = (one: Entries, other: Entries): boolean =>
  Object.keys(other).every((name) => Object.hasOwn(one, name))

/** Whether one entry lies within the other, or they are the same. */
export const isWithin = (entry: string, other: string): boolean =>
  entry === other || other === '' || entry.startsWith(`${other}.`)
