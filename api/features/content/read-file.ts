import { readFileSync } from 'node:fs'
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { z } from 'zod'
import { fillIn } from './fill-in.ts'

/** A content file that does not hold what it must; the message names the file, the line and the entry. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
}

type ContentFile = {
  path: string
  /** What the owner knows it by. */
  name: string
  /** What its texts may name; otherwise they name values of its own. */
  values?: unknown
}

/** Reads one file and checks it. */
export function readFile<Content>({ path, name, values }: ContentFile, schema: z.ZodType<Content>): Content {
  const text = readText(path, name)
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true })
  const [broken] = errors
  if (broken || !tree) {
    const reason = broken ? printParseErrorCode(broken.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ') : 'Nothing in it'
    throw new ContentError(`${name}, line ${lineAt(text, broken?.offset ?? 0)}: ${reason}`)
  }
  const content: unknown = JSON.parse(text)
  const parsed = schema.safeParse(fillIn(content, values ?? content))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue === undefined ? [] : placeOf(issue)
  const line = lineAt(text, nearestNode(tree, place).offset)
  throw new ContentError(`${name}, line ${line}: ${place.join('.')}: ${issue?.message ?? 'is not valid'}`)
}

function readText(path: string, name: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    throw new ContentError(`${name} cannot be read: is it there?`)
  }
}

type Place = (string | number)[]

/** What is too much is named itself, not what it stands in. */
const placeOf = (issue: z.core.$ZodIssue): Place => {
  const place = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  return issue.code === 'unrecognized_keys' ? [...place, ...issue.keys.slice(0, 1)] : place
}

/** What is missing has no place of its own: the closest thing around it. */
const nearestNode = (tree: Node, place: Place): Node =>
  place.length === 0 ? tree : (findNodeAtLocation(tree, place) ?? nearestNode(tree, place.slice(0, -1)))

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
