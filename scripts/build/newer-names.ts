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

const { ios: safari_ios, ...others } = promisedBrowsers

/** Whether one of the promised browsers lacks it. */
export function isNewer({ __compat: compat }: Identifier): boolean {
  const promised: Record<string, string> = { ...others, safari_ios }
  for (const [name, statement] of Object.entries(compat?.support ?? {})) {
    const version = promised[name]
    if (version === undefined) continue
    delete promised[name]
    if (!isIn(version)(statement)) return true
  }
  return Object.keys(promised).length > 0
}

/** What isn't in every engine yet, a script has to look for anyway, and its names are often those of other things. */
const isSettled = ({ __compat: compat }: Identifier) => !compat?.status?.experimental && !compat?.status?.deprecated

const scopes = new Set(['Window', 'WorkerGlobalScope', 'ServiceWorkerGlobalScope', 'DedicatedWorkerGlobalScope'])

const partsOf = (identifier: Identifier | undefined, before = ''): [string, Identifier][] =>
  Object.keys(identifier ?? {}).flatMap((key) => {
    const part = identifier?.[key]
    return key === '__compat' || !part ? [] : [[before + key, part]]
  })

const { api, javascript } = data
const owners = [...partsOf(api), ...partsOf(javascript.builtins), ...partsOf(javascript.builtins?.Intl, 'Intl.')]

/** By name: `Promise.any`, `structuredClone` and, for methods of whatever object, `.toSorted`. True if it's newer everywhere. */
function readNames(): Map<string, boolean> {
  const names = new Map<string, boolean>()
  const add = (name: string, feature: Identifier) =>
    names.set(name, (names.get(name) ?? true) && isSettled(feature) && isNewer(feature))
  for (const [owner, members] of owners) {
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

function addChildren(node: Node, to: Node[]): void {
  for (const key in node) {
    const value = node[key]
    if (Array.isArray(value)) to.push(...value.filter(isNode))
    else if (isNode(value)) to.push(value)
  }
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
  const waiting: Node[] = [{ type: 'file', program: parseAst(code) }]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const name of namesOf(node)) if (names.get(name)) found.add(name)
    addChildren(node, waiting)
  }
  return [...found].sort()
}

/**
 * What some promised browser lacks of all that these words may name, members before their owner: `URL.canParse`,
 * `Element.prototype.checkVisibility`, `Iterator`, and `event:scrollend` for an event that comes nowhere.
 */
export function lackedOf(words: ReadonlySet<string>): string[] {
  const [parts, whole] = [new Set<string>(), new Set<string>()]
  const events = new Map<string, boolean>()
  for (const [owner, members] of owners) {
    if (words.has(owner.replace('Intl.', '')) && isNewer(members)) whole.add(owner)
    for (const [key, feature] of partsOf(members)) {
      const [, name = '', kind] = /^(.+?)(_static|_event)?$/.exec(key) ?? []
      if (kind === '_event') events.set(name, (events.get(name) ?? true) && isNewer(feature))
      if (kind === '_event' || !words.has(name) || !isNewer(feature)) continue
      // The data tells static methods from others only where they aren't the language's own.
      if (kind === '_static' || !(owner in api)) parts.add(`${owner}.${name}`)
      if (kind !== '_static') parts.add(`${owner}.prototype.${name}`)
    }
  }
  const never = [...events].flatMap(([name, isNever]) => (isNever && words.has(name) ? [`event:${name}`] : []))
  return [...[...parts].sort(), ...[...whole].sort(), ...never.sort()]
}
