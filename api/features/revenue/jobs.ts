import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { writeLedger } from '#api/features/commission/ledger-service.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { recordRevenueChanges } from './change-service.ts'
import { commissionAt, type Figures, figuresOf } from './month-rules.ts'
import { lastFrozen, openMonths } from './month-service.ts'
import { revenueStatements } from './queries.ts'

/**
 * Freezes every month of London that has ended, oldest first, however long the server was away. Throws, and freezes neither
 * it nor what follows, where a month does not add up.
 */
export function freezeMonths(ctx: Context): { frozen: number; newest: string | null } {
  const ended = openMonths(ctx).slice(0, -1)
  if (ended.length > 0) catchUp(ctx)
  for (const month of ended) transact(ctx, () => freeze(ctx, month))
  return { frozen: ended.length, newest: ended.at(-1) ?? null }
}

function freeze(ctx: Context, month: string): void {
  const before = lastFrozen(ctx)
  const figures = { ...figuresOf(ctx, month, before), commission: commissionAt(ctx, month, before) }
  check(ctx, month, figures)
  revenueStatements(ctx).freeze.run(month, JSON.stringify(figures), ctx.billingNow().toISOString())
}

/** What no sync has followed up yet, such as rows from before there were changes and a ledger, is written before it is counted. */
function catchUp(ctx: Context): void {
  const behind = ctx.sqlite
    .prepare<[], Customer>(
      `select id, userId from customers where id in (
         select customerId from subscriptions where status in ('active', 'past_due') and monthlyNet > 0
           and customerId not in (select customerId from revenue_changes)
         union select customerId from invoices where replacesId is null and tierSlug is not null and net > 0
           and not exists (select 1 from commission_ledger where invoiceId = invoices.id and kind = 'invoice'))`,
    )
    .all()
  for (const customer of behind) {
    transact(ctx, () => {
      recordRevenueChanges(ctx, customer)
      writeLedger(ctx, customer)
    })
  }
}

type Snapshot = { customers: number; monthlyRevenue: number }

/** The movements must lead to exactly what each customer counted last, and the ledger's months to its whole sum. */
function check(ctx: Context, month: string, figures: Figures): void {
  const { closing = 0, payingCustomers = 0, commission = 0 } = figures
  const counted = ctx.sqlite
    .prepare<[string, string], Snapshot>(
      `select count(*) as customers, coalesce(sum(after), 0) as monthlyRevenue from revenue_changes change
       where month <= ? and after > 0 and not exists (
         select 1 from revenue_changes later
         where later.customerId = change.customerId and later.month <= ? and (later.at, later.id) > (change.at, change.id))`,
    )
    .get(month, month)
  const owed = ctx.sqlite
    .prepare<[string], { amount: number }>(
      'select coalesce(sum(amount), 0) as amount from commission_ledger where month <= ?',
    )
    .get(month)
  if (counted?.monthlyRevenue !== closing || counted.customers !== payingCustomers) {
    throw new Error(
      `${month} does not add up and stays open: its movements lead to ${formatPoundsAndPence(closing)} of ${payingCustomers}, who count ${formatPoundsAndPence(counted?.monthlyRevenue ?? 0)} of ${counted?.customers ?? 0}.`,
    )
  }
  if (owed?.amount !== commission) {
    throw new Error(
      `${month} does not add up and stays open: its commission comes to ${formatPoundsAndPence(commission)}, the ledger to ${formatPoundsAndPence(owed?.amount ?? 0)}.`,
    )
  }
}
