/** A placeholder such as {brand.founded}: a text uses it for a value that's written once, in `site.json`. */
const placeholder = /\{([\w.]+)\}/g

export function fillPlaceholders(content: unknown, values: unknown): unknown {
  if (typeof content === 'string') return content.replace(placeholder, (whole, name) => valueAt(values, name) ?? whole)
  if (Array.isArray(content)) return content.map((part) => fillPlaceholders(part, values))
  if (typeof content !== 'object' || content === null) return content
  return Object.fromEntries(Object.entries(content).map(([name, part]) => [name, fillPlaceholders(part, values)]))
}

/** The placeholders of a text that have a value, each once: `brand.name` and what it reads as. */
export function placeholdersIn(text: string, values: unknown): { name: string; value: string }[] {
  const names = new Set([...text.matchAll(placeholder)].flatMap(([, name]) => name ?? []))
  return [...names].flatMap((name) => {
    const value = valueAt(values, name)
    return value === undefined ? [] : [{ name, value }]
  })
}

function valueAt(values: unknown, name: string): string | undefined {
  const value = name.split('.').reduce(entryOf, values)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function entryOf(values: unknown, name: string): unknown {
  if (typeof values !== 'object' || values === null) return undefined
  return Object.getOwnPropertyDescriptor(values, name)?.value
}
