/** A value that a text names, such as {brand.founded}: so that it is written down once. */
const placeholder = /\{([\w.]+)\}/g

/** Puts the named values into all texts, however deep. A placeholder without a value stays as it is. */
export function fillPlaceholders(content: unknown, values: unknown): unknown {
  if (typeof content === 'string') return content.replace(placeholder, (whole, name) => valueAt(values, name) ?? whole)
  if (Array.isArray(content)) return content.map((part) => fillPlaceholders(part, values))
  if (typeof content !== 'object' || content === null) return content
  return Object.fromEntries(Object.entries(content).map(([name, part]) => [name, fillPlaceholders(part, values)]))
}

function valueAt(values: unknown, name: string): string | undefined {
  const value = name.split('.').reduce(entryOf, values)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function entryOf(values: unknown, name: string): unknown {
  return typeof values === 'object' && values !== null ? new Map(Object.entries(values)).get(name) : undefined
}
