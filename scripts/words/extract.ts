import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type ESTree, parseSync } from 'vite'

/** One text that a person can read; an expression in a template stands as `…`. */
type Words = { path: string; line: number; text: string }

/** Attributes of JSX, and properties, that no one reads. */
const unread = new Set(
  `accept align as autoComplete autoCapitalize className code d enterKeyHint fill form height href icon id inputMode key kind
  look loading name path pattern ref rel role selector size sizes src srcSet stroke style tagName target to tone transform type
  viewBox width`.split(/\s+/),
)

/** Tests, the payment sandbox, the design’s own page and what the database is made of. */
const unseen = /\.test\.|\/testing\/|^pwa\/e2e\/|^api\/sandbox\/|^pwa\/design\/|routeTree|^api\/db\/schema\//

const filesOf = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

/** Every text of two words or more that people can read: screens, mails, errors, the terminal, the content. */
export function readWords(): Words[] {
  const programs = filesOf(
    'pwa/*.ts',
    'pwa/*.tsx',
    'api/*.ts',
    'shared/*.ts',
    'cli/*.ts',
    'cli/*.tsx',
    'data/seed/*.ts',
  )
  const texts = filesOf('data/content/*.json', 'pwa/features/chrome/whats-new.json')
  const read = (path: string) => readFileSync(path, 'utf8')
  return [
    ...programs.filter((path) => !unseen.test(path)).flatMap((path) => wordsOfProgram(path, read(path))),
    ...texts.flatMap((path) => wordsOfJson(path, read(path))),
  ]
}

/** The texts of a program, longer than one word. */
function wordsOfProgram(path: string, source: string): Words[] {
  const { program, errors } = parseSync(path, source)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const found: Words[] = []
  const add = (node: ESTree.Node, text: string) => {
    const read = readable(text)
    const blank = /^\s*/.exec(text)?.[0].length ?? 0
    if (read !== null) found.push({ path, line: source.slice(0, node.start + blank).split('\n').length, text: read })
  }
  collect(program, add)
  return found
}

/** The texts of a file of JSON: the values, never the keys. */
function wordsOfJson(path: string, source: string): Words[] {
  const rows = source.split('\n').map((row, index) => ({ row, line: index + 1 }))
  return rows.flatMap(({ row, line }) =>
    [...row.matchAll(/(?:"[^"]*"\s*:\s*)?("(?:[^"\\]|\\.)*")(?=\s*[,\]}]|\s*$)/g)].flatMap(([, value = '""']) => {
      const text = readable(JSON.parse(value))
      return text === null ? [] : [{ path, line, text }]
    }),
  )
}

type Add = (node: ESTree.Node, text: string) => void

function collect(node: ESTree.Node, add: Add): void {
  if (isCode(node)) return
  const text = textOf(node)
  if (text !== undefined) add(node, text)
  for (const value of Object.values(node.type === 'Property' ? { value: node.value } : node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collect(child, add)
  }
}

/** What only a program reads. A tagged template is SQL, or a regular expression built of parts. */
function isCode(node: ESTree.Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TaggedTemplateExpression':
      return true
    case 'JSXAttribute':
      return node.name.type === 'JSXIdentifier' && unread.has(node.name.name)
    case 'Property':
      return node.key.type === 'Identifier' && unread.has(node.key.name) && node.value.type === 'Literal'
    default:
      return false
  }
}

function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'JSXText') return node.value
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('…')
  return undefined
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

/** Null for what only a program reads: addresses, class names, SQL, styles, keys. */
function readable(source: string): string | null {
  const text = source.replace(/\s+/g, ' ').trim()
  if (!/[a-z]{2}/.test(text) || !text.includes(' ')) return null
  if (/[{}<>;]|=>|::|var\(|--[a-z]+-|\bselect\b.*\bfrom\b|is (not )?null|^\d|px\b|https?:\/\/\S+$/.test(text))
    return null
  const isList = /^[a-z0-9-]+( [a-z0-9_-]+)*$/.test(text) && text.split(' ').length < 4
  return isList ? null : text
}
