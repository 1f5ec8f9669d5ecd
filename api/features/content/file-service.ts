import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'
import { applyOverrides, isWithin, type Override } from '#shared/rules/overrides.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'

export const contentFolder = join(projectFolder, 'data/content')

/** A content file that breaks its schema; the message names the file, the line and the entry. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
}

/** A file as it was read: its text, for the line of a mistake, and what it says. */
export type ContentFile = {
  /** The name by which owners know it. */
  name: string
  text: string
  value: unknown
}

export type ContentSchema<Content> = v.GenericSchema<unknown, Content>

/** An override that cannot stand, and why. */
export type Unfit = { entry: string; message: string }

export function readFile(path: string, name: string): ContentFile {
  const text = readText(path, name)
  return { name, text, value: parseJson(text, name) }
}

type Merging = {
  overrides: readonly Override[]
  /** The values that its placeholders name; by default, its own. */
  values?: unknown
}

/**
 * Puts the overrides in, fills in placeholders, and checks. An override that does not fit is left out and named; what the file
 * itself holds must fit, or a ContentError is thrown.
 */
export function mergeFile<Content>(
  file: ContentFile,
  { overrides, values }: Merging,
  schema: ContentSchema<Content>,
): { content: Content; unfit: Unfit[] } {
  const unfit: Unfit[] = []
  let fitting = overrides
  for (;;) {
    const merged = applyOverrides(file.value, fitting)
    const parsed = v.safeParse(schema, fillPlaceholders(merged, values ?? merged))
    if (parsed.success) return { content: parsed.output, unfit }
    const [issue] = parsed.issues
    if (fitting.length === 0) throw fileError(file, issue)
    const at = pathOf(issue).join('.')
    const blamed = fitting.filter(({ entry }) => isWithin(at, entry) || isWithin(entry, at))
    const left = blamed.length === 0 ? fitting : blamed
    unfit.push(...left.map(({ entry }) => ({ entry, message: `${at}: ${faultOf(issue)}` })))
    fitting = fitting.filter((override) => !left.includes(override))
  }
}

/** What is wrong with a page's texts, by entry; empty where they fit. */
export function problemsOf(value: unknown, values: unknown, schema: ContentSchema<unknown>): Record<string, string> {
  const parsed = v.safeParse(schema, fillPlaceholders(value, values))
  const issues = parsed.success ? [] : [...parsed.issues].reverse()
  return Object.fromEntries(issues.map((issue) => [pathOf(issue).join('.'), faultOf(issue)]))
}

/** What is wrong with an entry, as the person who wrote it would say it. */
function faultOf({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type !== 'strict_object' || !message.startsWith('Invalid key')) return message
  return expected === 'never' ? 'doesn’t belong here. Remove it' : 'is missing'
}

function fileError({ name, text }: ContentFile, issue: v.BaseIssue<unknown>): ContentError {
  const entry = pathOf(issue)
  const line = lineAt(text, nearestNode(readTree(text, name), entry).offset)
  return new ContentError(`${name}, line ${line}: ${entry.join('.')}: ${faultOf(issue)}`)
}
/** Only a file with a mistake is read a second time, for the line of it: that takes ten times as long. */
function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    readTree(text, name)
    throw error
  }
}

function readTree(text: string, name: string): Node {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true })
  const [broken] = errors
  if (tree && !broken) return tree
  const reason = broken ? printParseErrorCode(broken.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ') : 'Nothing in it'
  throw new ContentError(`${name}, line ${lineAt(text, broken?.offset ?? 0)}: ${reason}`)
}

function readText(path: string, name: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    throw new ContentError(`We can’t read ${name}. Is it there?`)
  }
}

type EntryPath = (string | number)[]

const pathOf = ({ path }: v.BaseIssue<unknown>): EntryPath =>
  (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))

/** An entry that is missing has no line of its own: the closest one around it. */
const nearestNode = (tree: Node, path: EntryPath): Node =>
  path.length === 0 ? tree : (findNodeAtLocation(tree, path) ?? nearestNode(tree, path.slice(0, -1)))

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
