import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'
import { applyOverrides, isWithin, type Override } from '#shared/rules/overrides.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'

export const contentFolder = join(projectFolder, 'data/content')

/** A content file that breaks its schema. The message names file, line and entry. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
}

/** A parsed file. Keeps its text to find a mistake's line. */
export type ContentFile = {
  /** What owners call it. */
  name: string
  text: string
  value: unknown
}

export type ContentSchema<Content> = v.GenericSchema<unknown, Content>

export type Unfit = { entry: string; message: string }

export function readFile(path: string, name: string): ContentFile {
  const text = readText(path, name)
  return { name, text, value: parseJson(text, name) }
}

type Merging = {
  overrides: readonly Override[]
  /** Placeholder values; the file's own by default. */
  values?: unknown
}

/** Leaves out and names overrides that don't fit. Throws a ContentError if the file itself doesn't. */
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

export function problemsOf(value: unknown, values: unknown, schema: ContentSchema<unknown>): Record<string, string> {
  const parsed = v.safeParse(schema, fillPlaceholders(value, values))
  const issues = parsed.success ? [] : [...parsed.issues].reverse()
  return Object.fromEntries(issues.map((issue) => [pathOf(issue).join('.'), faultOf(issue)]))
}

function faultOf({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type !== 'strict_object' || !message.startsWith('Invalid key')) return message
  return expected === 'never' ? 'doesn’t belong here. Remove it' : 'is missing'
}

function fileError({ name, text }: ContentFile, issue: v.BaseIssue<unknown>): ContentError {
  const entry = pathOf(issue)
  const line = lineAt(text, nearestNode(readTree(text, name), entry).offset)
  return new ContentError(`${name}, line ${line}: ${entry.join('.')}: ${faultOf(issue)}`)
}
/** Only a broken file is parsed again for the line, because that takes ten times as long. */
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
    // Some editors start a file with a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    throw new ContentError(`We can’t read ${name}. Is it there?`)
  }
}

type EntryPath = (string | number)[]

const pathOf = ({ path }: v.BaseIssue<unknown>): EntryPath =>
  (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))

/** A missing entry has no line, so use its closest parent. */
const nearestNode = (tree: Node, path: EntryPath): Node =>
  path.length === 0 ? tree : (findNodeAtLocation(tree, path) ?? nearestNode(tree, path.slice(0, -1)))

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
