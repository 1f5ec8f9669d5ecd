import { isShortReference, isUuidV7, shortReference } from '#shared/rules/id.ts'
import type { Client } from './connection.ts'
import { CliError, exitCodes, usageError } from './exit-codes.ts'
import type { PageQuery, RowPage } from './list.ts'
import { requireText } from './request.ts'

type Entry = { id: string }

type Found<Row> = {
  noun: string
  given: string
  /** What people type other than the ID and the reference, such as an address. */
  matches(row: Row, given: string): boolean
  /** Rows that count only if no other has the name. */
  isOver?(row: Row): boolean
  /** What tells several of a name apart, beside their references. */
  about?(row: Row): string
  pages(client: Client, query: PageQuery & { q?: string }): Promise<RowPage<Row>>
}

export async function findEntry<Row extends Entry>(
  client: Client,
  { noun, given, matches, isOver, about, pages }: Found<Row>,
): Promise<Row> {
  const wanted = requireText(given, 'Name one.').toLowerCase()
  const isNumber = isUuidV7(wanted) || isShortReference(wanted)
  const isIt = (row: Row) =>
    row.id === wanted || shortReference(row.id).toLowerCase() === wanted || matches(row, wanted)
  const found: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: RowPage<Row> = await pages(client, {
      limit: 1000,
      ...(cursor === '' ? {} : { cursor }),
      ...(isNumber ? {} : { q: given.trim() }),
    })
    found.push(...page.value.filter(isIt))
    cursor = isNumber && found.length > 0 ? null : page.next
  }
  const live = found.filter((row) => !isOver?.(row))
  const [one, another] = live.length > 0 ? live : found
  if (one === undefined) throw new CliError(exitCodes.notFound, `There’s no ${given}. See: alliance ${noun} list`)
  if (another !== undefined) {
    const some = live.length > 0 ? live : found
    const references = some.map((row) => [shortReference(row.id), about?.(row)].filter(Boolean).join(' '))
    throw usageError(`There are ${some.length} of ${given}: Name one by its reference, ${references.join(', ')}.`)
  }
  return one
}
