import { type Context, openContext } from '#api/context.ts'
import { startSession } from '#api/features/auth/session-service.ts'
import { readSettings } from '#api/settings.ts'
import { commissionHeldDays } from '#shared/rules/commission.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'

export const memberCount = 100_000
export const monthCount = 24

export type BigBooks = { ctx: Context; ownerCookie: string; months: string[]; close(): void }

/** A data folder with 100,000 members who have paid for 24 months that are over: 2.4 million invoices, a line for each. */
export function openBigBooks(dataDir: string): BigBooks {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  const months = lastMonths(ctx)
  ctx.sqlite.pragma('synchronous = OFF')
  withoutIndexes(
    ctx,
    ['users', 'customers', 'subscriptions', 'revenue_changes', 'invoices', 'commission_ledger'],
    () => {
      ctx.sqlite.transaction(() => fill(ctx, months))()
    },
  )
  ctx.sqlite.pragma('synchronous = FULL')
  ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const owner = ctx.sqlite.prepare<[], string>('select id from users where isAdmin = 1 limit 1').pluck().get()
  if (owner === undefined) throw new Error('The sandbox has no owner.')
  const [ownerCookie = ''] = startSession(ctx, owner).split(';')
  return { ctx, ownerCookie, months, close: () => ctx.sqlite.close() }
}

function lastMonths(ctx: Context): string[] {
  const running = londonMonth(ctx.billingNow())
  const months: string[] = []
  for (let month = `${Number(running.slice(0, 4)) - 2}${running.slice(4)}`; month < running; month = nextMonth(month)) {
    months.push(month)
  }
  return months
}

/** Indexes that are made at the end take a fraction of the time; the guards of what is only appended to come back too. */
function withoutIndexes(ctx: Context, tables: readonly string[], work: () => void): void {
  const aside = ctx.sqlite
    .prepare<[string], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null
         and tbl_name in (select value from json_each(?))`,
    )
    .all(JSON.stringify(tables))
  for (const { type, name } of aside) ctx.sqlite.exec(`drop ${type} "${name}"`)
  work()
  for (const { sql } of aside) ctx.sqlite.exec(sql)
}

const counted = `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${memberCount})`
const tier = `case i % 3 when 0 then 'lite' when 1 then 'standard' else 'xl' end`
const net = `case i % 3 when 0 then 12500 when 1 then 25000 else 45000 end`
const idOf = (kind: string) => `printf('019${kind}-0000-7000-8000-%012d', i)`

function fill(ctx: Context, months: readonly string[]): void {
  const [first = ''] = months
  const at = `'${first}-01T09:00:00.000Z'`
  ctx.sqlite.exec(`
    ${counted} insert into users (id, email, firstName, lastName, createdAt, updatedAt)
      select ${idOf('a0000')}, 'member-' || i || '@bench.test', 'Member', i, ${at}, ${at} from counted;
    ${counted} insert into customers (id, userId, stripeCustomerId, createdAt)
      select ${idOf('b0000')}, ${idOf('a0000')}, 'cus_bench' || i, ${at} from counted;
    ${counted} insert into subscriptions (id, customerId, status, tierSlug, monthlyNet, created, updatedAt)
      select 'sub_bench' || i, ${idOf('b0000')}, iif(i % 20 = 0, 'past_due', 'active'), ${tier}, ${net},
        strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, i || ' seconds'), ${at} from counted;
    ${counted} insert into revenue_changes
        (id, customerId, subscriptionId, kind, tierSlug, before, after, at, month, createdAt)
      select ${idOf('c0000')}, ${idOf('b0000')}, 'sub_bench' || i, 'new', ${tier}, 0, ${net}, ${at}, '${first}', ${at} from counted;`)
  const issued = ctx.sqlite.prepare<[], number>('select coalesce(max(sequence), 0) from invoices').pluck().get() ?? 0
  for (const [index, month] of months.entries()) fillMonth(ctx, month, { issued: issued + index * memberCount, index })
}

function fillMonth(ctx: Context, month: string, { issued, index }: { issued: number; index: number }): void {
  const kind = String(index).padStart(3, '0')
  const day = `'${month}-' || printf('%02d', 1 + i % 28)`
  const [invoiceId, lineId] = [idOf(`d0${kind}`), idOf(`e0${kind}`)]
  ctx.sqlite.exec(`
    ${counted} insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug,
        net, vat, gross, createdAt)
      select ${invoiceId}, ${issued} + i, printf('A-%08d', ${issued} + i), ${idOf('b0000')}, ${day}, ${day}, '{}',
        '{"name":"Member"}', '[]', ${tier}, ${net}, ${net} / 5, ${net} * 6 / 5, ${day} || 'T09:00:00.000Z' from counted;
    ${counted} insert into commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, rate,
        amount, dueOn, createdAt)
      select ${lineId}, 'invoice', ${idOf('b0000')}, ${invoiceId}, '${month}', '${month}', ${tier}, ${net}, 10,
        ${net} / 10, date(${day}, '+${commissionHeldDays} days'), ${day} || 'T09:00:00.000Z' from counted;`)
}
