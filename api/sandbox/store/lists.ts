import { invalid } from '#api/sandbox/errors.ts'
import type { Context } from './context.ts'
import type { Kind, Kinds } from './objects.ts'
import { selectObjects, seqOf } from './store.ts'

type Range =
  | number
  | { gt?: number | undefined; gte?: number | undefined; lt?: number | undefined; lte?: number | undefined }

export type Paging = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** `null` selects objects without a value. */
type Filter = string | number | boolean | string[] | null | undefined

const columns = {
  status: 'status',
  customer: 'customer',
  invoice: 'invoice',
  payment_intent: 'payment_intent',
  subscription: 'subscription',
  lookup: 'lookup',
  charge: "data ->> '$.charge'",
  payment_method: "data ->> '$.payment_method'",
  id: 'id',
  delivered: 'NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = objects.id)',
  url: "data ->> '$.url'",
  interval: "data ->> '$.recurring.interval'",
  product: "data ->> '$.product'",
  active: "data ->> '$.active'",
  inclusive: "data ->> '$.inclusive'",
  type: "data ->> '$.type'",
  currency: "data ->> '$.currency'",
  test_clock: "data ->> '$.test_clock'",
  allow_redisplay: "data ->> '$.allow_redisplay'",
  collection_method: "data ->> '$.collection_method'",
  price: "data ->> '$.items.data[0].price.id'",
}

const timeColumns = {
  created: 'created',
  due_date: "data ->> '$.due_date'",
  date: "data ->> '$.date'",
  canceled_at: "data ->> '$.canceled_at'",
  completed_at: "data ->> '$.completed_at'",
  released_at: "data ->> '$.released_at'",
  current_period_start: "data ->> '$.items.data[0].current_period_start'",
  current_period_end: "data ->> '$.items.data[0].current_period_end'",
}

type TimeFilters = { [C in keyof typeof timeColumns]?: Range | undefined }
export type Filters = { [C in keyof typeof columns]?: Filter } & TimeFilters

type Clause = { sql: string; values: unknown[] }

/** The same for what isn't stored. */
export function isWithin(range: Range, time: number): boolean {
  if (typeof range === 'number') return time === range
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range
  return time > gt && time >= gte && time < lt && time <= lte
}

function rangeClauses(column: string, range: Range): Clause[] {
  if (typeof range === 'number') return [{ sql: `${column} = ?`, values: [range] }]
  const bounds = [
    ['>', range.gt],
    ['>=', range.gte],
    ['<', range.lt],
    ['<=', range.lte],
  ] as const
  return bounds.flatMap(([sign, value]) =>
    value === undefined ? [] : [{ sql: `${column} ${sign} ?`, values: [value] }],
  )
}

function filterClause(column: string, filter: Filter): Clause[] {
  if (filter === undefined) return []
  if (filter === null) return [{ sql: `${column} IS NULL`, values: [] }]
  if (column === columns.type && String(filter).includes('*')) return [{ sql: `${column} GLOB ?`, values: [filter] }]
  if (Array.isArray(filter)) return [{ sql: `${column} IN (${filter.map(() => '?').join(', ')})`, values: filter }]
  return [{ sql: `${column} = ?`, values: [typeof filter === 'boolean' ? Number(filter) : filter] }]
}

const timeNames = [
  'created',
  'date',
  'due_date',
  'canceled_at',
  'completed_at',
  'released_at',
  'current_period_start',
  'current_period_end',
] as const

function clausesOf(filters: Filters): Clause[] {
  const ranges = timeNames.flatMap((name) => {
    const range = filters[name]
    return range === undefined ? [] : rangeClauses(timeColumns[name], range)
  })
  const equal = Object.entries(columns).flatMap(([name, column]) => filterClause(column, pick(filters, name)))
  return [...ranges, ...equal]
}

function pick(filters: { [name: string]: Filter | Range }, name: string): Filter {
  const filter = filters[name]
  return typeof filter === 'object' && filter !== null && !Array.isArray(filter) ? undefined : filter
}

function cursorSeq(ctx: Context, id: string, param: string): number {
  const seq = seqOf(ctx.store, id)
  if (seq === null) throw invalid(`No such object: '${id}'`, { code: 'resource_missing', param })
  return seq
}

export type Page<K extends Kind> = { object: 'list'; data: Kinds[K][]; has_more: boolean; url: string }

type ListQuery<K extends Kind> = { kind: K; url: string; filters: Filters; paging: Paging }

/** One page, newest first, like all of Stripe's lists. */
export function listPage<K extends Kind>(ctx: Context, { kind, url, filters, paging }: ListQuery<K>): Page<K> {
  const backwards = paging.ending_before !== undefined
  const limit = paging.limit ?? 10
  const clauses = clausesOf(filters)
  if (paging.starting_after !== undefined) {
    clauses.push({ sql: 'seq < ?', values: [cursorSeq(ctx, paging.starting_after, 'starting_after')] })
  }
  if (paging.ending_before !== undefined) {
    clauses.push({ sql: 'seq > ?', values: [cursorSeq(ctx, paging.ending_before, 'ending_before')] })
  }
  const rows = selectObjects(ctx.store, kind, {
    where: ['1 = 1', ...clauses.map((clause) => clause.sql)].join(' AND '),
    values: clauses.flatMap((clause) => clause.values),
    order: backwards ? 'ASC' : 'DESC',
    limit: limit + 1,
  })
  const data = rows.slice(0, limit)
  return { object: 'list', data: backwards ? data.reverse() : data, has_more: rows.length > limit, url }
}

export function allObjects<K extends Kind>(ctx: Context, kind: K, filters: Filters): Kinds[K][] {
  const clauses = clausesOf(filters)
  return selectObjects(ctx.store, kind, {
    where: ['1 = 1', ...clauses.map((clause) => clause.sql)].join(' AND '),
    values: clauses.flatMap((clause) => clause.values),
    order: 'DESC',
    limit: -1,
  })
}

/** One page of a list inside an object, in the list's own order. */
export function pageOfLines<T extends { id: string }>(
  { data, url }: { data: T[]; url: string },
  { limit = 10, starting_after: after, ending_before: before }: Paging,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const from = after === undefined ? 0 : data.findIndex(({ id }) => id === after) + 1
  const to = before === undefined ? data.length : data.findIndex(({ id }) => id === before)
  const rest = data.slice(from, to)
  const page = before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
  return { object: 'list', data: page, has_more: page.length < rest.length, url }
}
