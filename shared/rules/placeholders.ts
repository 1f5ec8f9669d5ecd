/** A placeholder such as {brand.founded}: a text uses it for a value that's written once, in `site.json`. */
const placeholder = /\{([\w.]+)\}/g

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
  if (typeof values !== 'object' || values === null) return undefined
  return Object.getOwnPropertyDescriptor(values, name)?.value
}
