// What may be changed in a source so that it's wrong, and the source with those changes built in, each behind a switch.
import { type ESTree, parseSync } from 'vite'

export type Fault = {
  start: number
  end: number
  line: number
  /** What stands there instead. Empty for a statement that's dropped. */
  replacement: string
  /** As a person reads it: `a < b → a <= b`. */
  change: string
  /** It runs when the module is loaded, so it shows only in a module that's loaded again. */
  isStatic: boolean
  isStatement: boolean
  /** A line that begins with a bracket would go on with the line before it. */
  beginsStatement: boolean
}

/** `level` is `body` right below a function's braces, where a `return` is no early one. */
type Place = { isStatic: boolean; level: 'function' | 'body' | 'inner'; beginsAt: number }
type Notes = { text: string; faults: Fault[] }

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

/** Types, imports and texts have none: a fault there changes nothing, or only words. */
export function findFaults(path: string, text: string): Fault[] {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const notes: Notes = { text, faults: [] }
  walk(notes, program, { isStatic: true, level: 'inner', beginsAt: -1 })
  return notes.faults
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

function walk(notes: Notes, node: ESTree.Node, place: Place): void {
  if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !typed.has(node.type))) return
  noteFaults(notes, node, place)
  for (const [name, value] of Object.entries(node)) {
    if (name === 'key' && !('computed' in node && node.computed)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) walk(notes, child, within(node, place))
  }
}

function within(node: ESTree.Node, { isStatic, level, beginsAt }: Place): Place {
  const isFunction = functions.has(node.type)
  const below = node.type === 'BlockStatement' && level === 'function' ? 'body' : 'inner'
  return {
    isStatic: isStatic && !isFunction,
    level: isFunction ? 'function' : below,
    beginsAt: node.type === 'ExpressionStatement' ? node.start : beginsAt,
  }
}

function noteFaults(notes: Notes, node: ESTree.Node, place: Place): void {
  const note = (at: { start: number; end: number }, replacement: string, isStatement = false) =>
    void notes.faults.push(faultAt(notes.text, at, { replacement, isStatement, place }))
  const source = ({ start, end }: { start: number; end: number }) => notes.text.slice(start, end)
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    const { left, right, operator } = node
    const instead = operators[operator]
    if (instead === undefined || (operator === '+' && (isText(left) || isText(right)))) return
    const between = notes.text.slice(left.end, right.start).replace(operator, instead)
    note(node, `${notes.text.slice(node.start, left.end)}${between}${notes.text.slice(right.start, node.end)}`)
  }
  if (node.type === 'UnaryExpression' && node.operator === '!') note(node, source(node.argument))
  if (node.type === 'Literal' && typeof node.value === 'boolean') note(node, String(!node.value))
  if (node.type === 'Literal' && typeof node.value === 'number') note(node, String(node.value + 1))
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression')
    for (const instead of ['true', 'false']) note(node.test, instead)
  if (node.type === 'WhileStatement') note(node.test, 'false')
  if ((node.type === 'ReturnStatement' || node.type === 'ThrowStatement') && place.level !== 'body')
    note(node, '', true)
}

function isText(node: ESTree.Node): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left) || isText(node.right)
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

type Change = { replacement: string; isStatement: boolean; place: Place }

function faultAt(text: string, { start, end }: { start: number; end: number }, change: Change): Fault {
  const { replacement, isStatement, place } = change
  const short = (source: string) => source.replaceAll(/\s+/g, ' ').trim()
  return {
    start,
    end,
    line: text.slice(0, start).split('\n').length,
    replacement,
    change: `${short(text.slice(start, end))} → ${isStatement ? 'nothing' : short(replacement)}`,
    isStatic: place.isStatic,
    isStatement,
    beginsStatement: place.beginsAt === start,
  }
}

type Switched = Fault & { id: number }
type Site = { start: number; end: number; faults: Switched[] }

/** One source for all its faults: `globalThis.$fault` says whether the one with that number is on. */
export function withSwitches(text: string, faults: Switched[]): string {
  const sites = [...Map.groupBy(faults, ({ start, end }) => `${start} ${end}`).values()]
    .flatMap((group) => (group[0] ? [{ start: group[0].start, end: group[0].end, faults: group }] : []))
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
  return render(text, { start: 0, end: text.length }, sites)
}

function render(text: string, { start, end }: { start: number; end: number }, sites: Site[]): string {
  let rendered = ''
  let at = start
  while (sites[0]) {
    const [site, ...after] = sites
    const inside = after.filter((other) => other.start < site.end)
    rendered += text.slice(at, site.start) + switchAt(site, render(text, site, inside))
    at = site.end
    sites = after.slice(inside.length)
  }
  return rendered + text.slice(at, end)
}

function switchAt({ faults }: Site, original: string): string {
  let switched = original
  for (const { id, replacement, isStatement } of faults) {
    const isOn = `globalThis.$fault?.(${id})`
    switched = isStatement ? `{ if (!${isOn}) ${switched} }` : `(${isOn} ? (${replacement}) : (${switched}))`
  }
  return faults[0]?.beginsStatement && !faults[0].isStatement ? `void 0, ${switched}` : switched
}
