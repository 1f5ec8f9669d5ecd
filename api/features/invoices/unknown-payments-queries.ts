import { and, eq, gt, notExists } from 'drizzle-orm'
import { isTrue, jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { dayMs } from '#shared/rules/durations.ts'

const reportedMs = 31 * dayMs

const reported = preparedQuery<{ since: string }>()((db, { since }) =>
  db
    .selectDistinct({
      id: nullable(auditEntries.targetId),
      customer: nullable(auditEntries.targetId, jsonFieldOf(auditEntries.detail, 'customer')),
      isOrder: isTrue(jsonFieldOf(auditEntries.detail, 'isOrder')),
    })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, 'payment.unknown'),
        gt(auditEntries.at, since),
        notExists(
          db
            .select({ id: providerInvoices.id })
            .from(providerInvoices)
            .where(eq(providerInvoices.id, auditEntries.targetId)),
        ),
      ),
    ),
)

/** Payments at the provider that none of our rows know, with the command that restores each. Syncs report them monthly. */
export function listUnknownPayments(ctx: HasDb, now: Date) {
  const since = new Date(now.getTime() - reportedMs).toISOString()
  return reported.all(ctx, { since }).map(({ id, customer, isOrder }) => ({
    id: id ?? '',
    command: isOrder ? `orders take-in ${id}` : `subscriptions link ${customer} EMAIL`,
  }))
}
