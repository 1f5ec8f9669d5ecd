/** A value of `site.json` that a text names, such as {brand.founded}: so it is written down once. */
const named = /\{([\w.]+)\}/g

/** Puts the named values into all texts, however deep. A name without a value stays, and `words` refuses it. */
export function fillIn(content: unknown, values: unknown): unknown {
  if (typeof content === 'string') return content.replace(named, (place, name) => valueAt(values, name) ?? place)
  if (Array.isArray(content)) return content.map((part) => fillIn(part, values))
  if (typeof content !== 'object' || content === null) return content
  return Object.fromEntries(Object.entries(content).map(([name, part]) => [name, fillIn(part, values)]))
}

function valueAt(values: unknown, name: string): string | undefined {
  const value = name.split('.').reduce(entryOf, values)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const entryOf = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null ? new Map(Object.entries(values)).get(name) : undefined
