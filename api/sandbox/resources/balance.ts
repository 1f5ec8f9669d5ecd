import type Stripe from 'stripe'
import * as v from 'valibot'
import type { Context } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'

export const daySeconds = 86_400
/** How long after a day's payments their payout is made. It reaches the bank a day later. */
const madeAfterDays = 2
/** What a dispute costs, returned if it's won. */
const disputeFee = 2_000

type Entry = Stripe.BalanceTransaction
type Payout = { payout: Stripe.Payout; entries: Entry[] }

const dayOf = (created: number) => Math.floor(created / daySeconds)

type Moved = {
  id: string
  /** Null for what's made on reading, which nothing could expand. */
  source: string | null
  created: number
  availableOn: number
  type: Entry['type']
  category?: string
  amount: number
  fee?: number
  description?: string | null
}

function entryOf({ id, source, created, availableOn, type, category = type, amount, ...rest }: Moved): Entry {
  const { fee = 0, description = null } = rest
  const currency = 'gbp'
  const detail = { amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }
  return {
    id: `txn_${id}`,
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created,
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [detail],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type,
  }
}

const settledAt = (created: number) => (dayOf(created) + madeAfterDays) * daySeconds

function chargeEntries(ctx: Context): Entry[] {
  const charges = allObjects(ctx, 'charge', { status: 'succeeded' })
  return charges.flatMap(({ id, created, description, amount_captured: amount }) =>
    amount === 0
      ? []
      : [
          entryOf({
            id,
            source: id,
            created,
            availableOn: settledAt(created),
            type: 'charge',
            amount,
            description,
            // The fee for domestic cards. Refunds don't return it.
            fee: Math.round(amount * 0.015) + 20,
          }),
        ],
  )
}

const refundEntries = (ctx: Context): Entry[] =>
  allObjects(ctx, 'refund', {}).map(({ id, created, amount }) =>
    entryOf({ id, source: id, created, availableOn: settledAt(created), type: 'refund', amount: -amount }),
  )

const Dispute = v.object({ id: v.string(), amount: v.number(), status: v.string() })

/** A dispute takes the payment and a fee straight away. If it's won, both come back. The store only has it as events. */
function disputeEntries(ctx: Context): Entry[] {
  const events = allObjects(ctx, 'event', { type: 'charge.dispute.*' })
  return events.flatMap(({ id: event, type, created, data: { object } }) => {
    const { id, amount, status } = v.parse(Dispute, object)
    const isClosed = type === 'charge.dispute.closed'
    if (isClosed && status !== 'won') return []
    const sign = isClosed ? 1 : -1
    return [
      entryOf({
        id: `${id}${event.slice(-4)}`,
        source: null,
        created,
        availableOn: created,
        type: 'adjustment',
        category: isClosed ? 'dispute_reversal' : 'dispute',
        amount: sign * amount,
        fee: -sign * disputeFee,
      }),
    ]
  })
}

function paidInEntries(ctx: Context): Entry[] {
  const all = [...chargeEntries(ctx), ...refundEntries(ctx), ...disputeEntries(ctx)]
  return all.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
}

/** One payout per day of payments, newest first, made on reading. A day with a loss is carried over to the next without one. */
export function allPayouts(ctx: Context): Payout[] {
  const payouts: Payout[] = []
  let waiting: Entry[] = []
  for (const [day, entries] of Map.groupBy(paidInEntries(ctx), ({ created }) => dayOf(created))) {
    waiting = [...waiting, ...entries]
    const amount = waiting.reduce((sum, { net }) => sum + net, 0)
    const created = (day + madeAfterDays) * daySeconds
    if (amount <= 0 || created > ctx.now) continue
    const payout = payoutOf(ctx, { day, created, amount })
    payouts.push({ payout, entries: [leavingOf(payout), ...waiting.toReversed()] })
    waiting = []
  }
  return payouts.toReversed()
}

const leavingOf = ({ id, created, amount }: Stripe.Payout): Entry =>
  entryOf({ id, source: null, created, availableOn: created, type: 'payout', amount: -amount })

function payoutOf(
  { now }: Context,
  { day, created, amount }: { day: number; created: number; amount: number },
): Stripe.Payout {
  const id = `po_sandbox${day}`
  const arrival = created + daySeconds
  return {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: arrival,
    automatic: true,
    balance_transaction: `txn_${id}`,
    created,
    currency: 'gbp',
    description: 'STRIPE PAYOUT',
    destination: 'ba_sandbox',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: arrival <= now ? 'paid' : 'in_transit',
    trace_id: null,
    type: 'bank_account',
  }
}

/** All that moved the balance, newest first. */
export function allEntries(ctx: Context): Entry[] {
  const all = [...paidInEntries(ctx), ...allPayouts(ctx).map(({ payout }) => leavingOf(payout))]
  return all.sort((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1))
}

export function balanceOf(ctx: Context): Stripe.Balance {
  const sum = (entries: readonly Entry[]) => {
    const amount = entries.reduce((total, { net }) => total + net, 0)
    return [{ amount, currency: 'gbp', source_types: { card: amount } }]
  }
  const entries = allEntries(ctx)
  return {
    object: 'balance',
    livemode: false,
    available: sum(entries.filter(({ available_on }) => available_on <= ctx.now)),
    pending: sum(entries.filter(({ available_on }) => available_on > ctx.now)),
  }
}
