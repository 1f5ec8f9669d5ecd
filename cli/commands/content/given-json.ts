import { usageError } from '#cli/exit-codes.ts'

/** As deep as the server reads. Formatting anything deeper could use up the stack. */
const mostLevels = 16

/** What every object inherits. A schema leaves an entry of such a name out without a word. */
const inherited = new Set(['__proto__', 'constructor', 'prototype'])

/** JSON that someone else may have made; `file` is what they call it. Throws a usage error that names the place. */
export function parseGivenJson(text: string, file: string): unknown {
  const value = parseOrRefuse(text, file)
  for (const [path, problem] of problemsIn(value, [])) throw usageError(`${file}: ${path.join('.')} ${problem}`)
  return value
}

/** Refuses a list where `read`, which a schema made of `given`, has an object: the schema takes a list's positions for names. */
export function refuseLists(given: unknown, read: unknown, file: string, path: string[] = []): void {
  if (!isNested(given) || !isNested(read)) return
  if (Array.isArray(given) && !Array.isArray(read))
    throw usageError(`${file}: ${path.join('.')} is a list. Give it names.`)
  const parts = new Map(Object.entries(given))
  for (const [name, part] of Object.entries(read)) refuseLists(parts.get(name), part, file, [...path, name])
}

function parseOrRefuse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${file} isn’t valid JSON.`)
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

function* problemsIn(value: unknown, path: string[]): Generator<[path: string[], problem: string]> {
  if (!isNested(value)) return
  if (path.length > mostLevels) yield [path.slice(0, 4), 'is nested too deeply.']
  for (const [name, part] of Object.entries(value)) {
    if (inherited.has(name)) yield [[...path, name], 'isn’t a name we can use. Take it out.']
    yield* problemsIn(part, [...path, name])
  }
}
