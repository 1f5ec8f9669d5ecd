import { dirname, join } from 'node:path/posix'
import { type ESTree, parseSync } from 'vite'

export type Import = {
  line: number
  /** A path from the project's root, or a package name. */
  target: string
  isPackage: boolean
  isType: boolean
  isDynamic: boolean
}
export type Mark = {
  line: number
  kind: 'environment' | 'exit' | 'unrun-test' | 'raw-sql' | 'claimed-type' | 'comment-word' | 'bare-load'
  text: string
}
export type Source = {
  path: string
  imports: Import[]
  marks: Mark[]
}

type Notes = { at(offset: number): number; source: Source }

/** What the walls need to know about a file. `path` is from the project's root, with forward slashes. */
export function readSource(path: string, text: string): Source {
  const { program, errors, comments } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const source: Source = { path, imports: [], marks: [] }
  const notes: Notes = { at: lineFinder(text), source }
  walk(program, (node) => {
    noteImport(notes, node)
    noteMark(notes, node)
    noteLoad(notes, node)
  })
  for (const { value, start } of comments) {
    const word = /\b(whoever|whomever|he|him|his)\b/i.exec(value)?.[0]
    if (word !== undefined) source.marks.push({ line: notes.at(start), kind: 'comment-word', text: word })
  }
  return source
}

function walk(node: ESTree.Node, visit: (node: ESTree.Node) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit)
  }
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

function noteImport({ at, source }: Notes, node: ESTree.Node): void {
  const used = importIn(node)
  if (!used) return
  const target = resolve(source.path, used.from)
  source.imports.push({
    line: at(node.start),
    target: target ?? packageName(used.from),
    isPackage: target === undefined,
    isType: used.isType,
    isDynamic: node.type === 'ImportExpression',
  })
}

/** Only `import type` loads nothing: `import { type A }` leaves a bare import behind. */
function importIn(node: ESTree.Node): { from: string; isType: boolean } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return { from: node.source.value, isType: node.importKind === 'type' }
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source ? { from: node.source.value, isType: node.exportKind === 'type' } : undefined
    case 'ImportExpression':
      return node.source.type === 'Literal' ? { from: String(node.source.value), isType: false } : undefined
    case 'TSImportType':
      return { from: node.source.value, isType: true }
    default:
      return undefined
  }
}

/** They take a function that loads a part of the app. */
const loaders = new Set(['loadFile', 'lazyPage', 'lazyExtra', 'section'])
const loaded = new WeakSet<ESTree.Node>()

function noteLoad({ at, source }: Notes, node: ESTree.Node): void {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && loaders.has(node.callee.name)) {
    const [load] = node.arguments
    if (load?.type === 'ArrowFunctionExpression') loaded.add(load.body)
  }
  if (node.type === 'ImportExpression' && node.source.type === 'Literal' && !loaded.has(node))
    source.marks.push({ line: at(node.start), kind: 'bare-load', text: 'import()' })
}

const unrun = new Set(['skip', 'only', 'todo', 'fixme', 'skipIf', 'runIf', 'fails'])
const runners = new Set(['test', 'it', 'describe', 'suite'])

function noteMark({ at, source }: Notes, node: ESTree.Node): void {
  if (node.type === 'TaggedTemplateExpression' && node.typeArguments && chainOf(node.tag)[0] === 'sql')
    source.marks.push({ line: at(node.start), kind: 'claimed-type', text: 'sql<…>' })
  if (isSqlRun(node)) source.marks.push({ line: at(node.start), kind: 'raw-sql', text: 'SQL as text' })
  if (node.type !== 'MemberExpression') return
  const names = chainOf(node)
  const [first = ''] = names
  const text = names.join('.')
  const add = (kind: Mark['kind']) => source.marks.push({ line: at(node.start), kind, text })
  if (/^(process|Bun)\.env$/.test(text)) add('environment')
  if (text === 'process.exit') add('exit')
  if (text === 'JSON.parse' && /queries\.ts$/.test(source.path)) add('claimed-type')
  if (runners.has(first) && unrun.has(names.at(-1) ?? '')) add('unrun-test')
}

/** Drizzle's `prepare()` takes no arguments, and a RegExp's `exec` no string literal. */
function isSqlRun(node: ESTree.Node): boolean {
  if (node.type !== 'CallExpression') return false
  if (node.callee.type === 'CallExpression') return chainOf(node.callee.callee)[0] === 'statement'
  if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return false
  const { name } = node.callee.property
  if (name === 'pragma') return true
  if (name === 'prepare') return node.arguments.length > 0
  const isWritten = ['Literal', 'TemplateLiteral'].includes(node.arguments[0]?.type ?? '')
  return name === 'exec' && (isWritten || ['sqlite', '$client'].includes(chainOf(node.callee).at(-2) ?? ''))
}

/** Splits a chain into its names: `['test', 'describe', 'skip']` for `test.describe.skip`. Empty if it doesn't start with a name. */
function chainOf(node: ESTree.Expression | ESTree.Super): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return []
  const before = chainOf(node.object)
  return before.length === 0 ? [] : [...before, node.property.name]
}

function resolve(path: string, from: string): string | undefined {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? join(dirname(path), from) : undefined
}

const packageName = (from: string) => from.split('/', from.startsWith('@') ? 2 : 1).join('/')

/** Offsets are in UTF-16 units, as from the parser. Lines count from 1. */
function lineFinder(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset: number) => {
    const next = starts.findIndex((start) => start > offset)
    return next === -1 ? starts.length : next
  }
}
