import { and, eq, gt } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { listPayments, type SoldPayment } from '#api/stripe/payments.ts'
import { dayMs } from '#shared/rules/durations.ts'

const paymentById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: providerInvoices.id }).from(providerInvoices).where(eq(providerInvoices.id, id)),
)

/** Payments for what we sell that no row knows, as after restoring an older backup. */
export async function unknownPayments(ctx: Context, since: number | null): Promise<SoldPayment[]> {
  const found: SoldPayment[] = []
  for await (const payment of listPayments(ctx, since, ({ id }) => paymentById.get(ctx, { id }) === undefined)) {
    found.push(payment)
  }
  return found
}

const reportsOf = preparedQuery<{ targetId: string; since: string }>()((db, { targetId, since }) =>
  db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(eq(auditEntries.targetId, targetId), eq(auditEntries.action, 'payment.unknown'), gt(auditEntries.at, since)),
    ),
)

const reportAgainMs = 30 * dayMs

/** Reports it to the owners, who have to import it. Once a month while it lasts. */
export function reportUnknownPayment(ctx: Context, { id, customer, amountPaid, isOrder }: SoldPayment): void {
  const since = new Date(ctx.now().getTime() - reportAgainMs).toISOString()
  if (reportsOf.get(ctx, { targetId: id, since }) !== undefined) return
  audit(ctx, 'system', 'payment.unknown', { targetId: id, detail: { customer, amountPaid, isOrder } })
}
