import { invalid } from '#api/sandbox/http/errors.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import type { Charge, Refund } from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit } from '#api/sandbox/webhooks/emit.ts'

export type RefundFields = { amount: number | undefined; reason: string | null; metadata: Record<string, string> }

/** What may still be given back of the charge, in pence. */
function refundable(charge: Charge): number {
  const rest = charge.amount - charge.amount_refunded
  if (!charge.paid) throw invalid(`Charge ${charge.id} has not been paid.`, { code: 'charge_not_refundable' })
  if (!charge.captured) {
    throw invalid(`Charge ${charge.id} has not been captured; cancel its PaymentIntent instead.`, {
      code: 'charge_not_refundable',
    })
  }
  if (rest === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  return rest
}

/** Gives back the whole rest of a charge, or `amount` pence of it. */
export function refundCharge(work: Work, charge: Charge, { amount, reason, metadata }: RefundFields): Refund {
  const rest = refundable(charge)
  const given = amount ?? rest
  if (given > rest) {
    throw invalid(`Refund amount (${given}) is greater than unrefunded amount on charge (${rest})`, { param: 'amount' })
  }
  const refund = insertObject(work.store, {
    id: newId('re'),
    object: 'refund',
    amount: given,
    balance_transaction: null,
    charge: charge.id,
    created: work.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  const after = saveObject(work.store, {
    ...charge,
    amount_refunded: charge.amount_refunded + given,
    refunded: given === rest,
  })
  emit(work, 'charge.refunded', after, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  emit(work, 'refund.created', refund)
  return refund
}
