import data, { type Identifier, type SupportStatement } from '@mdn/browser-compat-data'
import { parseAst } from 'vite'
import { promisedBrowsers } from './browsers.ts'

type Node = { type: string; [key: string]: unknown }

const versionOf = (text: string) => {
  const [major = 0, minor = 0] = text.replace('≤', '').split('.').map(Number)
  return major * 1000 + minor
}

const isIn = (version: string) => (statement: SupportStatement) =>
  [statement].flat().some(({ version_added: from, version_removed: until, prefix, alternative_name, flags }) => {
    if (typeof from !== 'string' || from === 'preview' || prefix || alternative_name || flags) return false
    return versionOf(from) <= versionOf(version) && (typeof until !== 'string' || versionOf(until) > versionOf(version))
  })

const nameInData = (name: string) => (name === 'ios' ? 'safari_ios' : name)

/** Whether one of the promised browsers lacks it. */
export function isNewer({ __compat: compat }: Identifier): boolean {
  const support = new Map(Object.entries(compat?.support ?? {}))
  return Object.entries(promisedBrowsers).some(([name, version]) => {
    const statement = support.get(nameInData(name))
    return statement === undefined || !isIn(version)(statement)
  })
}

/** What isn't in every engine yet, a script has to look for anyway, and its names are often those of other things. */
const isSettled = ({ __compat: compat }: Identifier) => !compat?.status?.experimental && !compat?.status?.deprecated

const scopes = new Set(['Window', 'WorkerGlobalScope', 'ServiceWorkerGlobalScope', 'DedicatedWorkerGlobalScope'])

const partsOf = (identifier: Identifier | undefined, before = ''): [string, Identifier][] =>
  Object.keys(identifier ?? {}).flatMap((key) => {
    const part = identifier?.[key]
    return key === '__compat' || !part ? [] : [[before + key, part]]
  })

/** By name: `Promise.any`, `structuredClone` and, for methods of whatever object, `.toSorted`. True if it's newer everywhere. */
function readNames(): Map<string, boolean> {
  const names = new Map<string, boolean>()
  const add = (name: string, feature: Identifier) =>
    names.set(name, (names.get(name) ?? true) && isSettled(feature) && isNewer(feature))
  const { api, javascript } = data
  const builtins = partsOf(javascript.builtins)
  for (const [owner, members] of [...partsOf(api), ...builtins, ...partsOf(javascript.builtins?.Intl, 'Intl.')]) {
    add(owner, members)
    for (const [key, feature] of partsOf(members)) {
      const name = key.replace(/_static$/, '')
      if (key.endsWith('_event')) continue
      if (scopes.has(owner)) add(name, feature)
      add(`${owner}.${name}`, feature)
      add(`.${name}`, feature)
    }
  }
  return names
}

const names = readNames()

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

const textOf = (value: unknown) => (isNode(value) && typeof value.name === 'string' ? value.name : undefined)

/** A helper of an iterator, as in `map.values().map(…)`: their names are those of an array's methods. */
const iteratorHelpers = /^(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)$/

function isFromIterator(object: unknown): boolean {
  const callee = isNode(object) && object.type === 'CallExpression' ? object.callee : null
  if (!isNode(callee) || callee.type !== 'MemberExpression' || textOf(callee.object) === 'Object') return false
  return /^(values|keys|entries|matchAll)$/.test(textOf(callee.property) ?? '')
}

/** The names that a call or a `new` uses. A call by `?.(` looks whether it's there. */
function namesOf({ type, callee, optional }: Node): string[] {
  if ((type !== 'CallExpression' && type !== 'NewExpression') || optional || !isNode(callee)) return []
  if (callee.type !== 'MemberExpression') return [textOf(callee) ?? '']
  const [owner, name] = [textOf(callee.object), textOf(callee.property)]
  if (callee.computed || name === undefined) return []
  if (iteratorHelpers.test(name) && isFromIterator(callee.object)) return [`Iterator.${name}`]
  if (owner && /^(globalThis|window|self)$/.test(owner)) return [name]
  return owner && names.has(`${owner}.${name}`) ? [`${owner}.${name}`] : [`.${name}`]
}

/** What this script calls and some promised browser lacks. */
export function newerNames(code: string): string[] {
  const found = new Set<string>()
  const waiting: Node[] = children({ type: 'file', program: parseAst(code) })
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const name of namesOf(node)) if (names.get(name)) found.add(name)
    waiting.push(...children(node))
  }
  return [...found].sort()
}
