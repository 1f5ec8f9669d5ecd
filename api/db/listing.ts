import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { AppError } from '#api/errors.ts'
import type { SortBy } from '#shared/contract/listing.ts'
import { foldText } from '#shared/rules/fold-text.ts'

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

type Reader<Row> = {
  rows(page: PageQuery): readonly (Row & { position: string })[]
  /** Counts all rows that match the search. */
  total(where: SQL[]): number
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
  const found = matches(listing.search, request.q)
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

const maxWords = 8

/** Rows with every word, or with the phone number, however either of them writes it. */
function matches(columns: readonly SQLWrapper[], q = ''): SQL[] {
  const words = foldText(q)
    .split(/,*(?:\s+|$)/)
    .filter(Boolean)
    .slice(0, maxWords)
    .map((word) => sql`instr(fold(concat_ws(' ', ${sql.join([...columns], sql`, `)})), ${word}) > 0`)
  const phone = phoneIn(q)
  if (phone === null) return words
  const hasPhone = sql`instr(digits(concat_ws('|', ${sql.join([...columns], sql`, `)})), ${phone}) > 0`
  return [sql`(${sql.join([hasPhone, sql.join(words, sql` and `)], sql` or `)})`]
}

/** What a UK number has in common with and without its +44 or 0: nine digits at most. Null if this is none, nor its beginning. */
function phoneIn(q: string): string | null {
  const national = q.replace(/\D/g, '').replace(/^(?:00?44|44|0)0?/, '')
  return /^[\d\s()+./-]+$/.test(q) && national.length >= 5 ? national.slice(-9) : null
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
