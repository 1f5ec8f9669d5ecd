import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { AppError } from '#api/errors.ts'
import type { SortBy } from '#shared/contract/listing.ts'
import type { PeopleFound } from './people-found.ts'
import { digitsOf, foldedText } from './person-texts.ts'
import { soughtIn } from './sought.ts'

export type Listing<Key extends string> = {
  id: SQLWrapper
  /** Expressions that are never null: comparing with null would end the list there. */
  sorts: Readonly<Record<Key, SQLWrapper>>
  defaultSort: SortBy<NoInfer<Key>>
  search: readonly SQLWrapper[]
}

export type ListRequest<Key extends string> = {
  limit: number
  cursor?: string | undefined
  sort?: SortBy<Key> | undefined
  q?: string | undefined
}

export type ListPage<Row> = {
  rows: Row[]
  next: string | null
  /** Counts the whole list, which is slower than reading a page. */
  total(): number
}

/** Parts of a list's query. Select `position` with each row: the last row's is the next cursor. */
export type PageQuery = {
  /** Rows after the cursor that match every word of the search. */
  where: SQL[]
  orderBy: SQL[]
  limit: number
  position: SQL<string>
}

/** `id`: the account that a row is about. `isWhole`: the list searches all that a person is found by, and nothing else. */
type FoundInIndex = { id: SQLWrapper; found: PeopleFound | null; isWhole?: boolean }

type Reader<Row> = {
  rows(page: PageQuery): readonly (Row & { position: string })[]
  /** Counts all rows that match the search. */
  total(where: SQL[]): number
  /** For a list that's searched for people. */
  people?: FoundInIndex
}

/** Reads one page with a keyset cursor, so rows added or removed between pages can't repeat or hide another. */
export function readPage<Key extends string, Row>(
  listing: Listing<Key>,
  request: ListRequest<Key>,
  reader: Reader<Row>,
): ListPage<Row> {
  const sort = request.sort ?? listing.defaultSort
  const isDescending = sort.startsWith('-')
  const by = listing.sorts[keyOf(sort)]
  const direction = isDescending ? sql`desc` : sql`asc`
  const found = matches(listing.search, request.q, reader.people)
  const read = reader.rows({
    where: [...found, ...conditionsAfter({ by, id: listing.id, isDescending }, request.cursor)],
    orderBy: [sql`${by} ${direction}`, sql`${listing.id} ${direction}`],
    limit: request.limit + 1,
    position: sql`json_array(${by}, ${listing.id})`.mapWith(String),
  })
  const page = read.slice(0, request.limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ position: _, ...row }) => row as unknown as Row),
    next: read.length > request.limit && last !== undefined ? encodeCursor(last.position) : null,
    total: () => reader.total(found),
  }
}

const keyOf = <Key extends string>(sort: SortBy<Key>) => sort.replace(/^-/, '') as Key

/** Rows with every word, or with the phone number, however either of them writes it. */
export function matches(columns: readonly SQLWrapper[], q?: string, people?: FoundInIndex): SQL[] {
  const ids = people?.found?.ids
  const indexed = ids ? [sql`${people?.id} in (select value from json_each(${JSON.stringify(ids)}))`] : []
  if (indexed.length > 0 && people?.isWhole) return indexed
  const { words, phone } = soughtIn(q)
  const hasWords = words.map((word) => sql`instr(${foldedText(columns)}, ${word}) > 0`)
  if (phone === null) return [...indexed, ...hasWords]
  const hasPhone = sql`instr(${digitsOf(columns)}, ${phone}) > 0`
  return [...indexed, sql`(${hasPhone} or ${sql.join(hasWords, sql` and `)})`]
}

type Order = { by: SQLWrapper; id: SQLWrapper; isDescending: boolean }

function conditionsAfter({ by, id, isDescending }: Order, cursor: string | undefined): SQL[] {
  if (cursor === undefined) return []
  const [value, lastId] = decodeCursor(cursor)
  return [sql`(${by}, ${id}) ${isDescending ? sql`<` : sql`>`} (${value}, ${lastId})`]
}

const encodeCursor = (position: string) => Buffer.from(position).toString('base64url')

function decodeCursor(cursor: string): [value: string | number, id: string] {
  const wrong = new AppError('invalid', 'We can’t find that part of the list. Start from the top.', {
    fields: { cursor: 'We can’t find that part of the list. Start from the top.' },
  })
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(position)) throw wrong
    const [value, id]: unknown[] = position
    if ((typeof value !== 'string' && typeof value !== 'number') || typeof id !== 'string') throw wrong
    return [value, id]
  } catch {
    throw wrong
  }
}
