import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { findWrongSums, recountSums } from './sums-service.ts'

let world: World
beforeEach(() => {
  world = startWorld()
})

const at = '2026-06-12T07:40:00.000Z'
const customers = ['c0', 'c1', 'c2']
const months = ['2026-01', '2026-02', '2026-03', '2026-04']
const tiers = ['lite', 'standard', 'xl']

type Step =
  | { do: 'subscribe'; who: number; status: string; tier: string; yearly: number; isPaused: boolean; isFree: boolean }
  | { do: 'change'; who: number; kind: string; month: string; tiers: [string, string | null]; yearly: [number, number] }
  | { do: 'undo'; pick: number }
  | { do: 'invoice'; who: number; month: string; tier: string | null; net: number }
  | { do: 'credit'; pick: number; kind: string; month: string }
  | { do: 'line'; month: string; amount: number }
  | { do: 'skip' }
  | { do: 'close' }
  | { do: 'open' }

const who = fc.nat(2)
const month = fc.constantFrom(...months)
const tier = fc.constantFrom(...tiers)
const tierOrNone = fc.option(tier)
const yearly = fc.constantFrom(0, 150_000, 300_000, 540_001)
const statuses = ['active', 'past_due', 'canceled', 'trialing', 'unpaid']
const kinds = ['new', 'expansion', 'churn_voluntary', 'churn_failed_payment', 'reactivation']
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('subscribe' as const),
    who,
    status: fc.constantFrom(...statuses),
    tier,
    yearly,
    isPaused: fc.boolean(),
    isFree: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('change' as const),
    who,
    kind: fc.constantFrom(...kinds),
    month,
    tiers: fc.tuple(tier, tierOrNone),
    yearly: fc.tuple(yearly, yearly),
  }),
  fc.record({ do: fc.constant('undo' as const), pick: fc.nat(9) }),
  fc.record({ do: fc.constant('invoice' as const), who, month, tier: tierOrNone, net: fc.nat(50_000) }),
  fc.record({
    do: fc.constant('credit' as const),
    pick: fc.nat(9),
    kind: fc.constantFrom('refund', 'correction', 'removal'),
    month,
  }),
  fc.record({ do: fc.constant('line' as const), month, amount: fc.integer({ min: -5_000, max: 5_000 }) }),
  fc.constantFrom({ do: 'skip' as const }, { do: 'close' as const }, { do: 'open' as const }),
)

type Row = Record<string, string | number | null | undefined>

/** Writes the rows as the product does, past its services, which never write such a mixture. */
function take({ ctx: { sqlite, newId } }: World, one: Step): void {
  const run = (sql: string, ...values: unknown[]) => sqlite.prepare(sql).run(...values)
  const all = (sql: string) => sqlite.prepare<[], Row>(sql).all()
  const pickOf = (rows: Row[], pick: number) => rows[pick % Math.max(rows.length, 1)]
  const nextOf = (table: string, series: string) =>
    `max((select coalesce(max(sequence), 0) from ${table}), (select coalesce(max(last), 0) from skipped_numbers where series = '${series}')) + 1`
  if (one.do === 'subscribe')
    run(
      `insert into subscriptions (id, customerId, status, tierSlug, yearlyNet, collectionPause, isNextFree, created, updatedAt)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set status = excluded.status, tierSlug = excluded.tierSlug,
         yearlyNet = excluded.yearlyNet, collectionPause = excluded.collectionPause, isNextFree = excluded.isNextFree`,
      ...[`sub_${one.who}`, customers[one.who], one.status, one.tier, one.yearly],
      ...[one.isPaused ? 'void' : null, Number(one.isFree), at, at],
    )
  if (one.do === 'change')
    run(
      `insert into revenue_changes (id, customerId, subscriptionId, kind, tierSlug, tierBefore, beforeYearly, afterYearly, at, month, isHistory, createdAt)
       select ?, customerId, id, ?, ?, ?, ?, ?, ?, ?, ?, ? from subscriptions where id = ?`,
      ...[newId(), one.kind, ...one.tiers, ...one.yearly, at, one.month, one.who % 2, at, `sub_${one.who}`],
    )
  if (one.do === 'undo') {
    const open = 'isHistory = 1 and month not in (select month from revenue_months)'
    const row = pickOf(all(`select id from revenue_changes where ${open} order by rowid`), one.pick)
    if (row) run('delete from revenue_changes where id = ?', row.id)
  }
  if (one.do === 'invoice')
    run(
      `insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt)
       select ?, n, 'A-' || n, ?, ?, ?, '{}', '{}', '[]', ?, ?, ?, ?, ? from (select ${nextOf('invoices', 'invoice')} as n)`,
      ...[newId(), customers[one.who], `${one.month}-28`, `${one.month}-28`, one.tier],
      ...[one.net, Math.round(one.net / 5), one.net + Math.round(one.net / 5), at],
    )
  if (one.do === 'credit') {
    const whole = 'id not in (select invoiceId from credit_notes)'
    const row = pickOf(all(`select id, net, vat, gross from invoices where ${whole} order by sequence`), one.pick)
    if (row)
      run(
        `insert into credit_notes (id, sequence, number, invoiceId, kind, reason, net, vat, gross, issuedOn, createdAt)
         select ?, n, 'C-' || n, ?, ?, 'Given back', ?, ?, ?, ?, ? from (select ${nextOf('credit_notes', 'credit_note')} as n)`,
        ...[newId(), row.id, one.kind, row.net, row.vat, row.gross, `${one.month}-03`, at],
      )
  }
  if (one.do === 'line')
    run(
      `insert into commission_ledger (id, kind, month, paymentMonth, net, amount, dueOn, createdAt) values (?, 'upsell', ?, ?, 0, ?, ?, ?)`,
      ...[newId(), one.month, one.month, one.amount, '2026-06-01', at],
    )
  if (one.do === 'skip')
    run(
      `insert into skipped_numbers (series, first, last, reason, createdAt)
       select 'invoice', n, n + 2, 'Restored', ? from (select ${nextOf('invoices', 'invoice')} as n)`,
      at,
    )
  const last = all('select month, frozenAt from revenue_months order by month desc')[0]
  const next = months[last === undefined ? 0 : months.indexOf(String(last.month)) + 1]
  if (one.do === 'close' && next !== undefined)
    run(
      `insert into revenue_months (month, frozenAt, figures) select ?, ?, json_object(
        'lastInvoice', (select coalesce(max(sequence), 0) from invoices), 'lastCreditNote', (select coalesce(max(sequence), 0) from credit_notes))`,
      ...[next, at],
    )
  if (one.do === 'open' && last !== undefined) {
    const detail = JSON.stringify({ frozenAt: last.frozenAt, openedAt: '2026-01-01T00:00:00.000Z' })
    run(
      `insert into audit_entries (id, actor, action, targetId, detail, at) values (?, 'local:olive', 'revenue.opened', ?, ?, ?)`,
      ...[newId(), last.month, detail, at],
    )
    run('delete from revenue_months where month = ?', last.month)
  }
}

function addCustomers({ ctx: { sqlite } }: World): void {
  for (const id of customers)
    sqlite.prepare('insert into customers (id, stripeCustomerId, createdAt) values (?, ?, ?)').run(id, `cus_${id}`, at)
}

/** Adds up every row by hand. */
function addedUp({ ctx: { sqlite } }: World): Record<string, string[]> {
  const all = (table: string) => sqlite.prepare<[], Row>(`select * from ${table} order by rowid`).all()
  const number = (value: string | number | null | undefined) => Number(value ?? 0)
  const sums = {
    month_sums: new Map<string, Row>(),
    movement_sums: new Map<string, Row>(),
    subscription_sums: new Map<string, Row>(),
  }
  const add = (table: keyof typeof sums, key: Row, amounts: Record<string, number>) => {
    const name = JSON.stringify(key)
    const row = sums[table].get(name) ?? { ...key }
    for (const [column, amount] of Object.entries(amounts)) row[column] = number(row[column]) + amount
    sums[table].set(name, row)
  }
  const monthOf = (day: string | number | null | undefined) => String(day).slice(0, 7)
  const issued = new Map(all('invoices').map((row) => [row.id, row]))
  const figures = JSON.parse(String(all('revenue_months').at(-1)?.figures ?? '{}'))
  for (const { taxPoint, tierSlug, net, vat, sequence } of issued.values()) {
    const amounts = { net: number(net), vat: number(vat) }
    add('month_sums', { month: monthOf(taxPoint), tierSlug: tierSlug ?? '' }, { issued: 1, ...amounts })
    if (number(sequence) > number(figures.lastInvoice))
      add('month_sums', { month: monthOf(taxPoint), tierSlug: '' }, { sinceNet: amounts.net, sinceVat: amounts.vat })
  }
  for (const { kind, issuedOn, invoiceId, net, vat, sequence } of all('credit_notes')) {
    const key = { month: monthOf(kind === 'refund' ? issuedOn : issued.get(invoiceId)?.taxPoint), tierSlug: '' }
    add('month_sums', key, { creditedNet: number(net), creditedVat: number(vat) })
    if (number(sequence) > number(figures.lastCreditNote))
      add('month_sums', key, { sinceNet: -number(net), sinceVat: -number(vat) })
  }
  for (const { month, amount } of all('commission_ledger'))
    add('month_sums', { month, tierSlug: '' }, { commission: number(amount) })
  const lost = new Set<string>()
  for (const row of all('revenue_changes')) {
    const [before, after] = [number(row.beforeYearly), number(row.afterYearly)]
    const key = { month: row.month, kind: row.kind, tierSlug: row.tierSlug, tierBefore: row.tierBefore ?? '' }
    add('movement_sums', key, {
      changes: 1,
      beforeYearly: before,
      afterYearly: after,
      countedBefore: Number(before > 0),
      countedAfter: Number(after > 0),
      historyYearly: number(row.isHistory) * (after - before),
    })
    if (String(row.kind).startsWith('churn') && before > 0) lost.add(JSON.stringify([row.month, row.customerId]))
  }
  for (const one of lost) add('month_sums', { month: JSON.parse(one)[0], tierSlug: '' }, { lost: 1 })
  for (const { status, tierSlug, collectionPause, yearlyNet, isNextFree } of all('subscriptions')) {
    const yearly = number(yearlyNet)
    const counted = {
      subscriptions: 1,
      yearlyNet: yearly,
      paying: Number(yearly > 0),
      nextYearlyNet: isNextFree ? 0 : yearly,
    }
    add('subscription_sums', { status, tierSlug, isPaused: Number(collectionPause !== null) }, counted)
  }
  return Object.fromEntries(Object.entries(sums).map(([table, rows]) => [table, sorted([...rows.values()])]))
}

const keptBy = ({ ctx: { sqlite } }: World) =>
  Object.fromEntries(
    ['month_sums', 'movement_sums', 'subscription_sums'].map((table) => [
      table,
      sorted(sqlite.prepare<[], Row>(`select * from ${table}`).all()),
    ]),
  )

/** Without noughts, and rows of nothing else. */
const sorted = (rows: Row[]) =>
  rows
    .map((row) => Object.fromEntries(Object.entries(row).filter(([key, value]) => key === 'isPaused' || value !== 0)))
    .filter((row) => Object.entries(row).some(([key, value]) => key !== 'isPaused' && typeof value === 'number'))
    .map((row) => JSON.stringify(Object.entries(row).sort()))
    .sort()

test('kept sums are what every row adds up to, whatever is booked, credited, taken back, closed and opened again', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const one = startWorld()
      addCustomers(one)
      for (const taken of steps) take(one, taken)
      const kept = keptBy(one)
      expect(kept).toEqual(addedUp(one))
      expect(findWrongSums(one.ctx)).toEqual([])
      recountSums(one.ctx)
      expect(keptBy(one)).toEqual(kept)
      one.ctx.sqlite.close()
    }),
    { numRuns: process.env.FULL ? 500 : 40 },
  )
})

test('sums that differ are named by their month, or MRR, and added up again', () => {
  addCustomers(world)
  const invoice = { do: 'invoice', who: 0, tier: 'lite', net: 10_000 } as const
  for (const month of months) take(world, { ...invoice, month })
  take(world, {
    do: 'subscribe',
    who: 0,
    status: 'active',
    tier: 'lite',
    yearly: 150_000,
    isPaused: false,
    isFree: false,
  })
  expect(findWrongSums(world.ctx)).toEqual([])
  world.ctx.sqlite.exec(`update month_sums set net = net + 1 where month = '2026-02'; delete from month_sums where month = '2026-04';
    insert into month_sums (month, tierSlug, lost) values ('2025-11', '', 1); update subscription_sums set paying = 7`)
  expect(findWrongSums(world.ctx)).toEqual(['2025-11', '2026-02', '2026-04', 'MRR'])
  recountSums(world.ctx)
  expect(findWrongSums(world.ctx)).toEqual([])
})
