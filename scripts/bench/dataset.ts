import { type Context, openContext } from '#api/context.ts'
import { recountSums } from '#api/features/earnings/revenue/sums-service.ts'
import { readSettings } from '#api/settings.ts'
import { commissionHeldDays } from '#shared/rules/commission.ts'
import { londonMonth, monthBefore } from '#shared/rules/london.ts'
import { ownerCookie } from './fixture.ts'

type LargeSize = { members: number; months: number; ticks: number }

/** `ticks`: rows of progress for each member. `months`: those they've paid for. */
type Size = { members: number; ticks: number; months: readonly Month[] }

type Month = {
  /** SQL of the instant at which member `i` paid. */
  paidAt: string
  /** SQL of the status of the payment at Stripe. Without one, Stripe knows none. */
  status?: string
  /** We've been paid the commission. */
  isSettled?: boolean
}

/** A fifth have left, a twentieth haven't paid. */
export const mixedStates = `case when i % 5 = 0 then 'canceled' when i % 20 = 1 then 'past_due' else 'active' end`
const payingStates = `iif(i % 20 = 0, 'past_due', 'active')`

/** Ids of one kind sort by their member's number `i`. */
export const idOf = (kind: string, number = 'i') => `printf('019${kind}-0000-7000-8000-%012d', ${number})`
const tier = `case i % 3 when 0 then 'lite' when 1 then 'standard' else 'xl' end`
const net = `case i % 3 when 0 then 12500 when 1 then 25000 else 45000 end`
/** A third pay by the year, for ten months' price. */
const yearlyNet = `${net} * iif(i / 3 % 3 = 0, 10, 12)`

export type Insert = (into: string, values: string, count?: number) => void

/** Fills tables with rows numbered `i`. */
export const insertInto =
  ({ sqlite }: Context, usual: number): Insert =>
  (into, values, count = usual) =>
    void sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into ${into} select ${values} from n`)

const filledTables = [
  ...['users', 'customers', 'subscriptions', 'revenue_changes', 'provider_invoices', 'invoices', 'commission_ledger'],
  ...['video_progress', 'membership_applications', 'coaching_applications', 'coaching_bookings', 'contacts'],
  ...['quotient_orders', 'mail_outbox', 'audit_entries', 'blog_posts', 'manual_commissions'],
  ...['progress_days', 'video_positions', 'payment_methods', 'daily_counts', 'questions', 'question_messages'],
]

/** Without their indexes and triggers, and in one transaction: building the indexes at the end takes a fraction of the time. */
export function fill(ctx: Context, work: () => void): void {
  const { sqlite } = ctx
  sqlite.pragma('synchronous = OFF')
  const dropped = sqlite
    .prepare<[string], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null
         and tbl_name in (select value from json_each(?))`,
    )
    .all(JSON.stringify(filledTables))
  for (const { type, name } of dropped) sqlite.exec(`drop ${type} "${name}"`)
  sqlite.transaction(work)()
  for (const { sql } of dropped) sqlite.exec(sql)
  // The triggers that keep them were off.
  recountSums(ctx)
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
}

/** Members with their subscription, what it changed in revenue, and an invoice with its commission for each month. */
export function insertMembers(ctx: Context, joined: string, states: string, { members, ticks, months }: Size): void {
  const insert = insertInto(ctx, members)
  insert(
    'users (id, email, firstName, lastName, phone, createdAt, updatedAt)',
    `${idOf('a0000')}, 'member-' || i || '@bench.test', 'Member', 'No ' || i, '07700 9' || i, ${joined}, ${joined}`,
  )
  insert(
    'customers (id, userId, stripeCustomerId, createdAt)',
    `${idOf('b0000')}, ${idOf('a0000')}, 'cus_bench' || i, ${joined}`,
  )
  insert(
    'subscriptions (id, customerId, status, tierSlug, yearlyNet, created, currentPeriodEnd, updatedAt)',
    `'sub_bench' || i, ${idOf('b0000')}, ${states}, ${tier}, ${yearlyNet},
      strftime('%Y-%m-%dT%H:%M:%fZ', ${joined}, i || ' seconds'), ${ago('-(1 + i % 30)')}, ${joined}`,
  )
  insert(
    'revenue_changes (id, customerId, subscriptionId, kind, tierSlug, beforeYearly, afterYearly, at, month, createdAt)',
    `${idOf('c0000')}, ${idOf('b0000')}, 'sub_bench' || i, 'new', ${tier}, 0, ${yearlyNet}, ${joined}, substr(${joined}, 1, 7), ${joined}`,
  )
  const issued = ctx.sqlite.prepare<[], number>('select coalesce(max(sequence), 0) from invoices').pluck().get() ?? 0
  for (const [index, month] of months.entries()) insertMonth(insert, month, { index, first: issued + index * members })
  const at = `'2026-01-01T09:00:00.000Z'`
  // Everyone has ticked the same videos, in primary key order.
  ctx.sqlite.exec(`insert into video_progress
    (id, userId, videoId, completed, completedAt, at, counter, deviceId, changeId, createdAt, updatedAt)
    select 'tick-' || u.id || '-' || v.place, u.id, v.id, 1, ${at}, ${at}, 1, 'phone', 'change', ${at}, ${at}
    from users u, (select id, row_number() over (order by id) as place from member_videos order by id limit ${ticks}) v
    where u.email like 'member-%@bench.test'`)
}

function insertMonth(
  insert: Insert,
  { paidAt, status, isSettled }: Month,
  { index, first }: { index: number; first: number },
): void {
  const day = `substr(${paidAt}, 1, 10)`
  const kind = String(index).padStart(3, '0')
  const providerId = status === undefined ? 'null' : `'in_bench${index}_' || i`
  if (status)
    insert(
      `provider_invoices (id, customerId, subscriptionId, status, net, vat, total, amountPaid, created, paidAt, billingReason,
        tierSlug, attempts, nextAttemptAt)`,
      `${providerId}, ${idOf('b0000')}, 'sub_bench' || i, ${status}, ${net}, ${net} / 5, ${net} * 6 / 5,
        iif(${status} = 'paid', ${net} * 6 / 5, 0), ${paidAt}, iif(${status} = 'paid', ${paidAt}, null), 'subscription_cycle', ${tier},
        1, iif(${status} = 'open', ${ago('-2')}, null)`,
    )
  insert(
    `invoices (id, sequence, number, customerId, providerInvoiceId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net,
      vat, gross, createdAt)`,
    `${idOf(`d0${kind}`)}, ${first} + i, printf('A-%08d', ${first} + i), ${idOf('b0000')}, ${providerId}, ${day}, ${day}, '{}',
      '{"name":"Member No ' || i || '","address":"2 Mill Lane"}', '[]', ${tier}, ${net}, ${net} / 5, ${net} * 6 / 5, ${paidAt}`,
  )
  const insertLine = (ledgerKind: string, id: string, amounts: string) =>
    insert(
      `commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, amount, isSettlement, reverses, rate,
        dueOn, createdAt)`,
      `${id}, '${ledgerKind}', ${idOf('b0000')}, ${idOf(`d0${kind}`)}, substr(${day}, 1, 7), substr(${day}, 1, 7), ${tier}, ${amounts},
        10, date(${day}, '+${commissionHeldDays} days'), ${paidAt}`,
    )
  const lineId = idOf(`e0${kind}`)
  insertLine('invoice', lineId, `${net}, ${net} / 10, 0, null`)
  if (isSettled) insertLine('payment', idOf(`f0${kind}`), `0, -${net} / 10, 1, ${lineId}`)
}

export const ago = (days: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', -(${days}) || ' days')`

export type LargeDataset = ReturnType<typeof openLargeDataset>

/** Fills a data folder with members who paid for so many past months. */
export function openLargeDataset(dataDir: string, { members, months: count, ticks }: LargeSize) {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  const months: string[] = []
  while (months.length < count) months.unshift(monthBefore(months[0] ?? londonMonth(ctx.billingNow())))
  const days = months.map((month) => ({ paidAt: `'${month}-' || printf('%02d', 1 + i % 28) || 'T09:00:00.000Z'` }))
  fill(ctx, () => {
    insertMembers(ctx, `'${months[0]}-01T09:00:00.000Z'`, payingStates, { members, ticks, months: days })
    // Because the triggers are off. Only the last three months: no measured export reads others.
    ctx.sqlite.exec(`insert into document_csv_rows (series, taxPoint, sequence, csv)
      select series, taxPoint, sequence, csv from documents_as_csv
      where series = 'invoice' and taxPoint >= '${months.at(-3)}-01'
        and sequence > (select coalesce(max(sequence), 0) from document_csv_rows where series = 'invoice')`)
  })
  return { ctx, months, ownerCookie: ownerCookie(dataDir) }
}
