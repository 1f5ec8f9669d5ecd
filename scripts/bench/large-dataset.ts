import { type Context, openContext } from '#api/context.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { readSettings } from '#api/settings.ts'
import { commissionHeldDays } from '#shared/rules/commission.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'

export const memberCount = 100_000
export const monthCount = 24

export type LargeDataset = { ctx: Context; ownerCookie: string; months: string[]; close(): void }

/** `ticks`: rows of progress for each member. */
type Size = { members: number; months: number; ticks: number }

/** Fills a data folder with members who paid for past months. Usually 100,000 for 24: 2.4 million invoices, each with a ledger line. */
export function openLargeDataset(
  dataDir: string,
  size: Size = { members: memberCount, months: monthCount, ticks: 0 },
): LargeDataset {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  const months = listPastMonths(ctx).slice(-size.months)
  ctx.sqlite.pragma('synchronous = OFF')
  const filledTables = ['users', 'customers', 'subscriptions', 'revenue_changes', 'invoices', 'commission_ledger']
  withoutIndexes(ctx, [...filledTables, 'video_progress'], () =>
    ctx.sqlite.transaction(() => {
      insertMembers(ctx, months, size.members)
      insertProgress(ctx.sqlite, { members: size.members, each: size.ticks })
    })(),
  )
  ctx.sqlite.pragma('synchronous = FULL')
  ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const owner = ctx.sqlite.prepare<[], string>('select id from users where isAdmin = 1 limit 1').pluck().get()
  if (owner === undefined) throw new Error('The sandbox has no owner.')
  const [ownerCookie = ''] = startSession(ctx, owner, { isProven: true }).split(';')
  return { ctx, ownerCookie, months, close: () => ctx.sqlite.close() }
}

function listPastMonths(ctx: Context): string[] {
  const current = londonMonth(ctx.billingNow())
  const months: string[] = []
  for (let month = `${Number(current.slice(0, 4)) - 2}${current.slice(4)}`; month < current; month = nextMonth(month)) {
    months.push(month)
  }
  return months
}

/** Building the indexes at the end takes a fraction of the time. Triggers are dropped and restored too. */
export function withoutIndexes(ctx: Context, tables: readonly string[], work: () => void): void {
  const dropped = ctx.sqlite
    .prepare<[string], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null
         and tbl_name in (select value from json_each(?))`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of dropped) ctx.sqlite.exec(`drop ${type} "${name}"`)
  work()
  for (const { sql } of dropped) ctx.sqlite.exec(sql)
}

/** Numbers the members `i`. The columns below are computed from it. */
const numbered = (count: number) =>
  `with recursive members(i) as (select 1 union all select i + 1 from members where i < ${count})`
const tier = `case i % 3 when 0 then 'lite' when 1 then 'standard' else 'xl' end`
const net = `case i % 3 when 0 then 12500 when 1 then 25000 else 45000 end`
const idOf = (kind: string) => `printf('019${kind}-0000-7000-8000-%012d', i)`

/** Every member has ticked the same videos, in primary key order. */
export function insertProgress(sqlite: Context['sqlite'], { members, each }: { members: number; each: number }): void {
  const at = `'2026-01-01T09:00:00.000Z'`
  sqlite.exec(`${numbered(members)} insert into video_progress
    (id, userId, videoId, completed, completedAt, at, counter, deviceId, changeId, createdAt, updatedAt)
    select 'tick-' || i || '-' || video.place, ${idOf('a0000')}, video.id, 1, ${at}, ${at}, 1, 'phone', 'change', ${at}, ${at}
    from members, (select id, row_number() over (order by id) as place from member_videos order by id limit ${each}) video`)
}

function insertMembers(ctx: Context, months: readonly string[], count: number): void {
  const members = numbered(count)
  const [first = ''] = months
  const at = `'${first}-01T09:00:00.000Z'`
  ctx.sqlite.exec(`
    ${members} insert into users (id, email, firstName, lastName, createdAt, updatedAt)
      select ${idOf('a0000')}, 'member-' || i || '@bench.test', 'Member', i, ${at}, ${at} from members;
    ${members} insert into customers (id, userId, stripeCustomerId, createdAt)
      select ${idOf('b0000')}, ${idOf('a0000')}, 'cus_bench' || i, ${at} from members;
    ${members} insert into subscriptions (id, customerId, status, tierSlug, monthlyNet, created, updatedAt)
      select 'sub_bench' || i, ${idOf('b0000')}, iif(i % 20 = 0, 'past_due', 'active'), ${tier}, ${net},
        strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, i || ' seconds'), ${at} from members;
    ${members} insert into revenue_changes
        (id, customerId, subscriptionId, kind, tierSlug, before, after, at, month, createdAt)
      select ${idOf('c0000')}, ${idOf('b0000')}, 'sub_bench' || i, 'new', ${tier}, 0, ${net}, ${at}, '${first}', ${at} from members;`)
  const issued = ctx.sqlite.prepare<[], number>('select coalesce(max(sequence), 0) from invoices').pluck().get() ?? 0
  for (const [index, month] of months.entries())
    insertMonth(ctx, month, { issued: issued + index * count, index, members })
  // Because the triggers are off. Only the last three months: no measured export reads others.
  ctx.sqlite.exec(`insert into document_csv_rows (series, taxPoint, sequence, csv)
    select series, taxPoint, sequence, csv from documents_as_csv
    where series = 'invoice' and sequence > ${issued} and taxPoint >= '${months.at(-3)}-01'`)
}

type Month = { issued: number; index: number; members: string }

function insertMonth(ctx: Context, month: string, { issued, index, members }: Month): void {
  const kind = String(index).padStart(3, '0')
  const day = `'${month}-' || printf('%02d', 1 + i % 28)`
  const [invoiceId, lineId] = [idOf(`d0${kind}`), idOf(`e0${kind}`)]
  ctx.sqlite.exec(`
    ${members} insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug,
        net, vat, gross, createdAt)
      select ${invoiceId}, ${issued} + i, printf('A-%08d', ${issued} + i), ${idOf('b0000')}, ${day}, ${day}, '{}',
        '{"name":"Member"}', '[]', ${tier}, ${net}, ${net} / 5, ${net} * 6 / 5, ${day} || 'T09:00:00.000Z' from members;
    ${members} insert into commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, rate,
        amount, dueOn, createdAt)
      select ${lineId}, 'invoice', ${idOf('b0000')}, ${invoiceId}, '${month}', '${month}', ${tier}, ${net}, 10,
        ${net} / 10, date(${day}, '+${commissionHeldDays} days'), ${day} || 'T09:00:00.000Z' from members;`)
}
