import type Stripe from 'stripe'
import * as v from 'valibot'
import { invalid, noSuchObject } from '#api/sandbox/errors.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { paging, text } from './params.ts'
import { type Route, route } from './route.ts'

const daySeconds = 86_400
/** How long after a day's payments their payout is made. It reaches the bank a day later. */
const madeAfterDays = 2

type Entry = Stripe.BalanceTransaction
type Payout = { payout: Stripe.Payout; entries: Entry[] }

const dayOf = (created: number) => Math.floor(created / daySeconds)

type Moved = { id: string; created: number; currency: string; description: string | null }

function entryOf({ id, created, currency, description }: Moved, type: 'charge' | 'refund', amount: number): Entry {
  // The fee for domestic cards. Refunds don't return it.
  const fee = type === 'charge' ? Math.round(amount * 0.015) + 20 : 0
  const detail = { amount: fee, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' }
  return {
    ...{ id: `txn_${id}`, object: 'balance_transaction', amount, available_on: (dayOf(created) + 2) * daySeconds },
    ...{ balance_type: 'payments', created, currency, description, exchange_rate: null },
    ...{ fee, fee_details: fee === 0 ? [] : [detail], net: amount - fee, reporting_category: type, source: id },
    ...{ status: 'available', type },
  }
}

function allEntries(ctx: Context): Entry[] {
  const charges = allObjects(ctx, 'charge', { status: 'succeeded' })
    .filter(({ amount_captured }) => amount_captured > 0)
    .map((charge) => entryOf(charge, 'charge', charge.amount_captured))
  const refunds = allObjects(ctx, 'refund', {}).map((refund) =>
    entryOf({ ...refund, description: null }, 'refund', -refund.amount),
  )
  return [...charges, ...refunds].sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
}

/** One payout per day of payments, newest first, made on reading. A day with a loss is carried over to the next without one. */
function allPayouts(ctx: Context): Payout[] {
  const payouts: Payout[] = []
  let waiting: Entry[] = []
  for (const [day, entries] of Map.groupBy(allEntries(ctx), ({ created }) => dayOf(created))) {
    waiting = [...waiting, ...entries]
    const amount = waiting.reduce((sum, { net }) => sum + net, 0)
    const created = (day + madeAfterDays) * daySeconds
    if (amount <= 0 || created > ctx.now) continue
    payouts.push({ payout: payoutOf(ctx, { day, created, amount }), entries: waiting.toReversed() })
    waiting = []
  }
  return payouts.toReversed()
}

function payoutOf(
  { now }: Context,
  { day, created, amount }: { day: number; created: number; amount: number },
): Stripe.Payout {
  const arrival = created + daySeconds
  return {
    ...{ id: `po_sandbox${day}`, object: 'payout', amount, application_fee: null, application_fee_amount: null },
    ...{ arrival_date: arrival, automatic: true, balance_transaction: null, created, currency: 'gbp' },
    ...{ description: 'STRIPE PAYOUT', destination: 'ba_sandbox', failure_balance_transaction: null },
    ...{ failure_code: null, failure_message: null, livemode: false, metadata: {}, method: 'standard' },
    ...{ original_payout: null, payout_method: null, reconciliation_status: 'completed', reversed_by: null },
    ...{ source_type: 'card', statement_descriptor: null, status: arrival <= now ? 'paid' : 'in_transit' },
    ...{ trace_id: null, type: 'bank_account' },
  }
}

type Page = { limit?: number | undefined; starting_after?: string | undefined; ending_before?: string | undefined }

function pageOf(all: readonly { id: string }[], url: string, { limit = 10, starting_after, ending_before }: Page) {
  if (ending_before !== undefined)
    throw invalid('The sandbox pages this list forwards only.', { param: 'ending_before' })
  const after = starting_after === undefined ? 0 : all.findIndex(({ id }) => id === starting_after) + 1
  return { object: 'list', data: all.slice(after, after + limit), has_more: all.length > after + limit, url }
}

export const payoutRoutes: Route[] = [
  route('GET /v1/payouts/:id', {}, (ctx, _params, id) => {
    const found = allPayouts(ctx).find(({ payout }) => payout.id === id)
    if (found === undefined) throw noSuchObject('payout', id)
    return found.payout
  }),
  route('GET /v1/payouts', { ...paging }, (ctx, params) => {
    const all = allPayouts(ctx).map(({ payout }) => payout)
    return pageOf(all, '/v1/payouts', params)
  }),
  route('GET /v1/balance_transactions', { ...paging, payout: v.optional(text) }, (ctx, { payout: id, ...params }) => {
    const entries =
      id === undefined
        ? allEntries(ctx).toReversed()
        : (allPayouts(ctx).find(({ payout }) => payout.id === id)?.entries ?? [])
    return pageOf(entries, '/v1/balance_transactions', params)
  }),
]
