import { usageError } from './exit-codes.ts'

/** No others: Bun takes a word it doesn't know for GET. */
export const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

type Value = string | number | boolean | null
export type FieldTree = { [name: string]: Value | FieldTree | (Value | FieldTree)[] }

const isTree = (value: unknown): value is FieldTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `true`, `false`, `null` and whole numbers are what they look like; anything else is text. */
export function typedValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

/** The name and the text of `name=text`; a list's name may stand alone, for an empty one. */
export function splitField(field: string): { name: string; text: string | undefined } {
  const at = field.indexOf('=')
  const name = at === -1 ? field : field.slice(0, at)
  if (name === '' || (at === -1 && !name.endsWith('[]'))) throw usageError(`${field}: Write it as name=value.`)
  return { name, text: at === -1 ? undefined : field.slice(at + 1) }
}

/**
 * Puts a value where its name says: `a.b` and `a[b]` into an object, `a[]` at the end of a list, and `a[][b]` into a list's last
 * object, or a new one once that has it.
 */
export function putField(fields: FieldTree, name: string, value: Value | undefined): void {
  const steps = stepsOf(name)
  let tree = fields
  for (const [at, { key, isList }] of steps.entries()) {
    const next = steps[at + 1]
    if (next !== undefined) tree = isList ? lastOf(tree, name, { key, next: next.key }) : objectAt(tree, name, key)
    else if (isList) listAt(tree, name, key).push(...(value === undefined ? [] : [value]))
    else if (Object.hasOwn(tree, key)) throw usageError(`${name} is there twice. For a list: ${name}[]=…`)
    else tree[key] = value ?? null
  }
}

function stepsOf(name: string): { key: string; isList: boolean }[] {
  const isName = /^[^[\].]+(\[\]|\.[^[\].]+|\[[^[\]]+\])*$/.test(name) && !name.includes('[][]')
  if (!isName) throw usageError(`${name} isn’t a field’s name. Write it as name, name[part], name.part or name[].`)
  return [...name.matchAll(/\.?\[?([^[\].]+)\]?(\[\])?/g)].map(([, key = '', list]) => {
    if (key === '__proto__') throw usageError(`${name} isn’t a field’s name.`)
    return { key, isList: list !== undefined }
  })
}

function objectAt(tree: FieldTree, name: string, key: string): FieldTree {
  tree[key] ??= {}
  const there = tree[key]
  if (!isTree(there)) throw takenError(name, key)
  return there
}

function listAt(tree: FieldTree, name: string, key: string): (Value | FieldTree)[] {
  tree[key] ??= []
  const there = tree[key]
  if (!Array.isArray(there)) throw takenError(name, key)
  return there
}

const takenError = (name: string, key: string) => usageError(`${name}: There’s something else in ${key} already.`)

function lastOf(tree: FieldTree, name: string, { key, next }: { key: string; next: string }): FieldTree {
  const list = listAt(tree, name, key)
  const last = list.at(-1)
  if (isTree(last) && (!Object.hasOwn(last, next) || Array.isArray(last[next]))) return last
  const made: FieldTree = {}
  list.push(made)
  return made
}

/** The same in an address, where a list is its name again and again. */
export function addToQuery(query: URLSearchParams, fields: FieldTree): void {
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      if (isTree(one)) throw usageError(`${name}: An address takes no nested fields.`)
      query.append(name, String(one ?? ''))
    }
  }
}
