import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { errorCodeOf } from '#api/stripe/errors.ts'
import { idOf, toInstant } from '#api/stripe/ids-and-times.ts'
import type { Payout, PayoutDetail, PayoutEntry } from '#shared/contract/payments.ts'
import { personOfCustomer } from './payment-queries.ts'

const mostListed = 100

const toPayout = (payout: Stripe.Payout): Payout => ({
  id: payout.id,
  status: payout.status,
  amount: payout.amount,
  isAutomatic: payout.automatic,
  createdAt: toInstant(payout.created),
  // The bank's date, which the provider gives as midnight UTC.
  arrivesOn: toInstant(payout.arrival_date).slice(0, 10),
  failure: payout.failure_message ?? payout.failure_code,
})

/** The newest hundred, read from the provider now and not stored. */
export async function listPayouts({ stripe }: Context): Promise<Payout[]> {
  const { data } = await stripe.payouts.list({ limit: mostListed })
  return data.map(toPayout)
}

/** Includes every payment and refund, with fees. */
export async function readPayout(ctx: Context, id: string): Promise<PayoutDetail> {
  const payout = await findPayout(ctx, id)
  const entries: PayoutEntry[] = []
  for await (const entry of ctx.stripe.balanceTransactions.list({ payout: id, limit: 100, expand: ['data.source'] })) {
    // The payout itself is listed too, as what left the balance.
    if (entry.type !== 'payout') entries.push(toEntry(ctx, entry))
  }
  return { ...toPayout(payout), entries }
}

async function findPayout({ stripe }: Context, id: string): Promise<Stripe.Payout> {
  try {
    return await stripe.payouts.retrieve(id)
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') throw notFound('This payout')
    throw error
  }
}

function toEntry(
  ctx: Context,
  { id, type, amount, fee, net, created, source }: Stripe.BalanceTransaction,
): PayoutEntry {
  const customer = customerOf(source)
  const person = customer === null ? undefined : personOfCustomer.get(ctx, { customer })
  return {
    id,
    kind: type,
    amount,
    fee,
    net,
    createdAt: toInstant(created),
    name: person?.name ?? null,
    memberId: person?.memberId ?? null,
  }
}

function customerOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (source === null || typeof source === 'string' || !('customer' in source)) return null
  const { customer } = source
  return typeof customer === 'string' || (typeof customer === 'object' && customer !== null && 'id' in customer)
    ? idOf(customer)
    : null
}
