import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'
import { PageName } from '#shared/contract/page-texts.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'

export const contentFolder = join(projectFolder, 'data/content')

export const contentFiles = ['site.json', ...PageName.options.map((name) => `pages/${name}.json`)]

/** A content file that breaks its schema; the message names the file, the line and the entry. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
}

type ContentFile = {
  path: string
  /** The name by which owners know it. */
  name: string
  /** The values that its placeholders name; by default, the file's own. */
  values?: unknown
}

export type ContentSchema<Content> = v.GenericSchema<unknown, Content>

/** Reads one file, fills in its placeholders, and checks it. */
export function readFile<Content>({ path, name, values }: ContentFile, schema: ContentSchema<Content>): Content {
  const text = readText(path, name)
  const content = parseJson(text, name)
  const parsed = v.safeParse(schema, fillPlaceholders(content, values ?? content))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const entry = pathOf(issue)
  const line = lineAt(text, nearestNode(readTree(text, name), entry).offset)
  throw new ContentError(`${name}, line ${line}: ${entry.join('.')}: ${issue.message}`)
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
    throw new ContentError(`${name} cannot be read: is it there?`)
  }
}

type EntryPath = (string | number)[]

const pathOf = ({ path }: v.BaseIssue<unknown>): EntryPath =>
  (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))

/** An entry that is missing has no line of its own: the closest one around it. */
const nearestNode = (tree: Node, path: EntryPath): Node =>
  path.length === 0 ? tree : (findNodeAtLocation(tree, path) ?? nearestNode(tree, path.slice(0, -1)))

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
