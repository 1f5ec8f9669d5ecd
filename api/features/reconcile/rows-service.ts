import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { total } from '#api/db/expressions.ts'
import { upsert } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import {
  customerCredits,
  lostDisputeReason,
  paymentMethods,
  providerInvoices,
  providerRefunds,
} from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { adoptionsOf } from '#api/features/subscriptions/adoption-queries.ts'
import { creditAnswersOf } from '#api/features/subscriptions/credit-queries.ts'
import { isLiveSubscription } from '#api/features/subscriptions/queries.ts'
import { defaultTierSlug, tierBySlug } from '#api/features/tiers/service.ts'
import type { PaymentMethodState, ProviderState } from '#api/stripe/read-customer.ts'
import type { InvoiceState } from '#api/stripe/read-invoices.ts'
import type { SubscriptionReader, SubscriptionState } from '#api/stripe/read-subscriptions.ts'
import { isNoteReason } from '#shared/rules/credit.ts'
import { isLive } from '#shared/rules/membership.ts'

type CustomerRow = { id: string; removedAt: string | null; waitsForReading: boolean }

const subscriptionById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({
      status: subscriptions.status,
      tierSlug: subscriptions.tierSlug,
      tierPriceId: subscriptions.tierPriceId,
      yearlyNet: subscriptions.yearlyNet,
      chargeTotal: subscriptions.chargeTotal,
      chargeVatRate: subscriptions.chargeVatRate,
      chargeMonths: subscriptions.chargeMonths,
      chargeDays: subscriptions.chargeDays,
    })
    .from(subscriptions)
    .where(eq(subscriptions.id, id)),
)

const storedSubscription = (ctx: Context, id: string) => subscriptionById.get(ctx, { id }) ?? null

/** What reading a customer needs to know of our rows. */
export const readerOf = (ctx: Context): Context & SubscriptionReader => ({
  ...ctx,
  defaultTier: () => defaultTierSlug(ctx),
  tierPriceOf: (slug, every) => tierBySlug(ctx, slug)?.prices.find((price) => price.every === every)?.id ?? null,
  storedSubscription: (id) => storedSubscription(ctx, id),
  adoptionsOf: (stripeCustomerId) => adoptionsOf(ctx, stripeCustomerId),
  creditAnswersOf: (stripeCustomerId) => creditAnswersOf(ctx, stripeCustomerId),
})

const cancelOtherLive = preparedQuery<{ customerId: string; chosenId: string }>()((db, { customerId, chosenId }) =>
  db
    .update(subscriptions)
    .set({ status: 'canceled' })
    .where(and(eq(subscriptions.customerId, customerId), ne(subscriptions.id, chosenId), isLiveSubscription)),
)

/** Writes a customer's sync. `chosen` is its one live subscription. */
export function writeRows(
  ctx: Context,
  customer: CustomerRow,
  state: ProviderState,
  chosen: SubscriptionState | undefined,
): void {
  // The database allows one live subscription per customer. Any other has ended, or is a duplicate about to end.
  cancelOtherLive.run(ctx, { customerId: customer.id, chosenId: chosen?.id ?? '' })
  const ended = state.subscriptions.filter(({ status }) => !isLive(status))
  const written = chosen === undefined ? ended : [...ended, chosen]
  for (const subscription of written) {
    upsert(ctx, subscriptions, {
      ...subscription,
      customerId: customer.id,
      updatedAt: ctx.billingNow().toISOString(),
    })
  }
  const ids = new Set(written.map(({ id }) => id))
  // A duplicate about to end has no row yet. Its invoices come with the next sync.
  writeBilled(ctx, customer, state, ({ subscriptionId }) => subscriptionId === null || ids.has(subscriptionId))
  for (const credit of state.credits) upsert(ctx, customerCredits, { ...credit, customerId: customer.id })
  writePaymentMethod(ctx, customer, state.methods.get(chosen?.id ?? null) ?? state.methods.get(null))
}

function writeBilled(
  ctx: Context,
  { id: customerId, waitsForReading }: CustomerRow,
  { invoices, refunds, subscriptions: read }: ProviderState,
  hasSubscriptionRow: (invoice: InvoiceState) => boolean,
): void {
  const written = new Set<string>()
  const lost = new Map(lostByInvoice.all(ctx, { customerId }).map(({ invoice, amount }) => [invoice, amount]))
  const known = new Map(draftsOf.all(ctx, { customerId }).map((draft) => [draft.id, draft]))
  const givenUp = new Set(read.flatMap(({ id, status }) => (status === 'unpaid' || !isLive(status) ? [id] : [])))
  for (const invoice of invoices.filter(hasSubscriptionRow)) {
    const amountRefunded = invoice.amountRefunded + (lost.get(invoice.id) ?? 0)
    // Stripe also stops collecting drafts of what it has given up on or ended, and they stay that when it's paid again.
    const draft = known.get(invoice.id)
    const isStopped = draft?.nextAttemptAt !== null && !givenUp.has(invoice.subscriptionId ?? '')
    const isKept = invoice.isKept && (draft?.isKept === true || isStopped)
    upsert(ctx, providerInvoices, { ...invoice, amountRefunded, isKept, customerId })
    written.add(invoice.id)
  }
  for (const refund of refunds.filter(({ providerInvoiceId }) => written.has(providerInvoiceId))) {
    const stored = refundById.get(ctx, { id: refund.id })
    const hasFailedNow = isFailed(refund.status) && !isFailed(stored?.status)
    // What an earlier version didn't read changes nothing by itself.
    const waitsForFix = waitsForReading && stored === undefined && isNoteReason(refund.reason)
    upsert(ctx, providerRefunds, {
      ...refund,
      customerId,
      ...(waitsForFix ? { waitsForFix } : {}),
      ...(hasFailedNow ? { failedAt: ctx.billingNow().toISOString() } : {}),
    })
  }
}

const draftsOf = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: providerInvoices.id,
      isKept: providerInvoices.isKept,
      nextAttemptAt: providerInvoices.nextAttemptAt,
    })
    .from(providerInvoices)
    .where(and(eq(providerInvoices.customerId, customerId), eq(providerInvoices.status, 'draft'))),
)

/** Amounts lost in disputes, which the provider doesn't list as refunds. */
const lostByInvoice = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ invoice: providerRefunds.providerInvoiceId, amount: total(providerRefunds.amount) })
    .from(providerRefunds)
    .where(and(eq(providerRefunds.customerId, customerId), eq(providerRefunds.reason, lostDisputeReason)))
    .groupBy(providerRefunds.providerInvoiceId),
)

const refundById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ status: providerRefunds.status }).from(providerRefunds).where(eq(providerRefunds.id, id)),
)

const isFailed = (status: string | undefined) => status === 'failed' || status === 'canceled'

const deletePaymentMethod = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db.delete(paymentMethods).where(eq(paymentMethods.customerId, customerId)),
)

function writePaymentMethod(
  ctx: Context,
  { id: customerId, removedAt }: CustomerRow,
  method: PaymentMethodState | undefined,
): void {
  if (method === undefined || removedAt !== null) {
    deletePaymentMethod.run(ctx, { customerId })
    return
  }
  upsert(ctx, paymentMethods, { ...method, customerId, updatedAt: ctx.billingNow().toISOString() })
}
