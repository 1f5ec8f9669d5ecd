import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { PaymentWorld } from '#api/testing/payments.ts'
import type { Truth } from './agree.ts'

/** A receipt for each payment, a letter for each refund, one hello for each membership that stands; nothing twice, nothing untrue. */
export function expectMails(world: PaymentWorld, { subscriptions, invoices, charges }: Truth): void {
  const causes = world.ctx.sqlite
    .prepare<[], { cause: string }>('select cause from mail_outbox')
    .all()
    .map(({ cause }) => cause.split(':'))
  const told = (...kinds: string[]) =>
    causes.flatMap(([kind = '', of = '']) => (kinds.includes(kind) ? [of] : [])).sort()
  const paid = invoices.filter(({ amount_paid: amount }) => amount > 0)
  expect(told('receipt').length, 'receipts').toBe(paid.length)
  const refunds = charges.flatMap((charge) => charge.refunds?.data ?? [])
  expect(told('refund'), 'letters about refunds').toEqual(refunds.map(({ id }) => id).sort())
  const hellos = told('welcome', 'reactivated', 'set-up')
  expect(hellos, 'a hello for whoever is in').toEqual(expect.arrayContaining(idsOf(subscriptions, ['active'])))
  expect(new Set(hellos).size, 'one hello for each membership').toBe(hellos.length)
  expect(idsOf(subscriptions, ['canceled']), 'ends').toEqual(expect.arrayContaining(told('ended')))
  const renewals = invoices.filter(({ billing_reason: reason }) => reason === 'subscription_cycle')
  expect(
    renewals.map(({ id }) => id),
    'failed payments',
  ).toEqual(expect.arrayContaining(told('payment-failed')))
  for (const subscription of subscriptions) expectTurns(causes, subscription)
}

const idsOf = (subscriptions: Stripe.Subscription[], statuses: Stripe.Subscription.Status[]) =>
  subscriptions.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)

/** Cancelled and taken back are told by turns, and the last word is how it stands. */
function expectTurns(causes: readonly string[][], { id, status, cancel_at: endsAt }: Stripe.Subscription): void {
  const turns = causes
    .filter(([kind, of]) => of === id && (kind === 'ending' || kind === 'resumed'))
    .sort(([, , one], [, , other]) => Number(one) - Number(other))
    .map(([kind]) => kind)
  expect(turns, 'by turns').toEqual(turns.map((_turn, index) => (index % 2 === 0 ? 'ending' : 'resumed')))
  if (status !== 'active' && status !== 'past_due') return
  expect(turns.at(-1) === 'ending', 'the last word on the end').toBe(endsAt !== null)
}
