import { areaOf, type Finding, isTest } from './place.ts'
import type { Source } from './source.ts'

export const sqlRecord = 'docs/decisions/021-queries-checked-by-the-compiler.md'

/** These build SQL from the schema only. */
const writers = ['api/db/statement.ts', 'api/db/insert.ts']

/** The payment sandbox has its own database. */
const isFree = (path: string) =>
  areaOf(path) === 'tools' || isTest(path) || path.startsWith('api/sandbox/') || writers.includes(path)

/** A file with raw SQL must be in the decision record's table, with a reason. */
export function checkRawSql(sources: readonly Pick<Source, 'path' | 'marks'>[], record: string): Finding[] {
  const listed = [...record.matchAll(/^\| `([\w/.-]+\.ts)`/gm)].map(([, path = '']) => path)
  const found = sources.filter(({ path, marks }) => !isFree(path) && marks.some(({ kind }) => kind === 'raw-sql'))
  const isFound = (path: string) => found.some((source) => source.path === path)
  return [
    ...found.filter(({ path }) => !listed.includes(path)).map(({ path }) => finding(path, unlisted)),
    ...listed
      .filter((path) => !isFound(path))
      .map((path) => finding(path, `runs no SQL as text: take it out of ${sqlRecord}`)),
  ]
}

const unlisted = `runs text that no compiler checks: use the query builder, or list it with its reason in ${sqlRecord}`

const finding = (path: string, says: string): Finding => ({ path, rule: 'raw-sql', says })
