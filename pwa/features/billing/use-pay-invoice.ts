import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { confirmSavedCard } from '#pwa/features/payment/card/queries.ts'
import type { PaymentRejection } from '#pwa/features/payment/card/use-card-payment.ts'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { useSinglePayment } from '#pwa/features/payment/use-single-payment.ts'
import { ask } from '#pwa/lib/api.ts'
import { OpenInvoicePayment, type PaymentMethod } from '#shared/contract/billing.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { useDesk, useSayDone } from './desk.ts'
import { returnPathOf } from './returned.ts'
import { isPaidUp, useSettle } from './settle.ts'

/** A payment that waits for its card. */
type Waiting = OpenInvoicePayment & { clientSecret: string }

export type PayInvoice = ReturnType<typeof usePayInvoice>

/** The open invoice: paid once, with what is on file or with another card, and only at the amount that was shown. */
export function usePayInvoice() {
  const { billing } = useDesk()
  const [asked, setAsked] = useState<Price | null>(null)
  const [cardFor, setCardFor] = useState<Waiting | null>(null)
  const { refuse, once, ...state } = useOneTry()
  const settlePaid = useSettlePaid()
  const begin = useBegin(setAsked, settlePaid)
  const confirm = useConfirmSaved()
  const due = asked ?? billing.openInvoice

  const payWith = async (method: PaymentMethod) => {
    const payment = await begin()
    if (payment === null) return
    if (payment.total !== due?.total) return refuse(changedTo(payment.total))
    const outcome = await confirm(payment, method)
    if (outcome.kind === 'rejected') {
      return refuse({ message: outcome.message ?? unexplained, isDeclined: outcome.isDeclined })
    }
    await settlePaid(payment.total)
  }
  return {
    ...state,
    due,
    cardFor,
    see: () => once(async () => void (await begin())),
    payWith: (method: PaymentMethod) => once(() => payWith(method)),
    takeCard: () => once(async () => setCardFor(await begin())),
    leaveCard: () => setCardFor(null),
    /** The provider has taken it from another card. */
    paid: (total: number) => once(() => settlePaid(total)),
  }
}

/** One thing at a time, and why the last one came to nothing. */
function useOneTry() {
  const [refusal, refuse] = useState<PaymentRejection | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const { isPaying, payOnce } = useSinglePayment()
  const once = (work: () => Promise<void>) => {
    payOnce(async () => {
      setError(null)
      refuse(null)
      await work().catch(setError)
    })
  }
  return { refusal, refuse, error, isPaying, once }
}

/** Asks for what is to be paid now; null where it was paid in the meantime. */
function useBegin(onAsked: (price: Price) => void, settlePaid: (total: number) => Promise<void>) {
  const { session } = useDesk()
  return async (): Promise<Waiting | null> => {
    const payment = await ask(OpenInvoicePayment, session.api.api.billing.pay.post())
    const { clientSecret } = payment
    if (clientSecret === null) {
      await settlePaid(payment.total)
      return null
    }
    onAsked(payment)
    return { ...payment, clientSecret }
  }
}

function useConfirmSaved() {
  const queryClient = useQueryClient()
  return async ({ clientSecret }: Waiting, { id }: PaymentMethod) => {
    const { stripe } = await queryClient.fetchQuery(providerQuery)
    const returnUrl = window.location.origin + returnPathOf('pay')
    return confirmSavedCard(stripe, { clientSecret, paymentMethod: id, returnUrl })
  }
}

const unexplained = 'The payment did not go through. Please try again.'

const changedTo = (total: number): PaymentRejection => ({
  message: `The amount is ${formatPoundsAndPence(total)} now. Nothing has been taken. Press again to pay it.`,
  isDeclined: false,
})

/** The provider has the money: whatever fails from here on, nobody is told that it was not paid. */
function useSettlePaid() {
  const settle = useSettle()
  const sayDone = useSayDone()
  return async (total: number) => {
    const amount = formatPoundsAndPence(total)
    const { now } = await settle(isPaidUp).catch(() => ({ now: null }))
    if (now && isPaidUp(now)) sayDone('Invoice paid', `${amount} was taken. ${now.label}.`)
    else sayDone('Payment is being confirmed', `${amount} is on its way. This page follows as soon as it has arrived.`)
  }
}
