import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { openPaidNotice } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { isPaidUp, useSettlePayment } from '#pwa/features/billing/queries.ts'
import { bankReturnPath } from '#pwa/features/billing/search.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { useReportDone } from '#pwa/features/billing/use-section-focus.ts'
import { confirmSavedCard } from '#pwa/features/payment/card/queries.ts'
import type { PaymentRejection } from '#pwa/features/payment/card/use-card-payment.ts'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { useSinglePayment } from '#pwa/features/payment/use-single-payment.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { OpenInvoicePayment, type PaymentMethod } from '#shared/contract/billing.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { dueOf } from '#shared/rules/payment-words.ts'
import { stateLine } from '#shared/rules/state-line.ts'

type PendingPayment = OpenInvoicePayment & { clientSecret: string }

type Owed = Omit<OpenInvoicePayment, 'invoiceId' | 'clientSecret'>

export type PayInvoice = ReturnType<typeof usePayInvoice>

/** Pays the open invoice once, with the card on file or another one, and only at the amount shown. */
export function usePayInvoice() {
  const { billing } = useBillingContext()
  const [current, setCurrent] = useState<Owed | null>(null)
  const [newCardPayment, setNewCardPayment] = useState<PendingPayment | null>(null)
  const { setRejection, tryOnce, ...state } = useSingleTry()
  const settleAndReport = useSettleAndReport()
  const requestPayment = useRequestPayment(setCurrent, settleAndReport)
  const confirmSaved = useConfirmSaved()
  const due = current ?? billing.openInvoice

  const payWith = async (method: PaymentMethod) => {
    const payment = await requestPayment()
    if (payment === null) return
    if (due === null || dueOf(payment) !== dueOf(due)) return setRejection(amountChanged(dueOf(payment)))
    const result = await confirmSaved(payment, method)
    if (result.kind === 'rejected') {
      return setRejection({ message: result.message ?? unexplained, isDeclined: result.isDeclined })
    }
    await settleAndReport(dueOf(payment))
  }
  return {
    ...state,
    due,
    newCardPayment,
    loadAmount: () => tryOnce(async () => void (await requestPayment())),
    payWith: (method: PaymentMethod) => tryOnce(() => payWith(method)),
    openNewCard: () => tryOnce(async () => setNewCardPayment(await requestPayment())),
    closeNewCard: () => setNewCardPayment(null),
    finish: (total: number) => tryOnce(() => settleAndReport(total)),
  }
}

function useSingleTry() {
  const [rejection, setRejection] = useState<PaymentRejection | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const { isPaying, payOnce } = useSinglePayment()
  const tryOnce = (work: () => Promise<void>) => {
    payOnce(async () => {
      setError(null)
      setRejection(null)
      await work().catch(setError)
    })
  }
  return { rejection, setRejection, error, isPaying, tryOnce }
}

/** Requests the payment at its current amount. Null if it has been paid since. */
function useRequestPayment(onAmount: (owed: Owed) => void, settleAndReport: (total: number) => Promise<void>) {
  const { session } = useBillingContext()
  return async (): Promise<PendingPayment | null> => {
    const payment = await parseResponse(OpenInvoicePayment, session.api.api.billing.pay.post())
    const { clientSecret } = payment
    if (clientSecret === null) {
      await settleAndReport(dueOf(payment))
      return null
    }
    onAmount(payment)
    return { ...payment, clientSecret }
  }
}

function useConfirmSaved() {
  const queryClient = useQueryClient()
  return async ({ clientSecret }: PendingPayment, { id }: PaymentMethod) => {
    const { stripe } = await queryClient.fetchQuery(providerQuery)
    const returnUrl = window.location.origin + bankReturnPath('pay')
    return confirmSavedCard(stripe, { clientSecret, paymentMethod: id, returnUrl })
  }
}

const unexplained = 'The payment didn’t go through. Try again.'

const amountChanged = (total: number): PaymentRejection => ({
  message: `It’s now ${formatPoundsAndPence(total)}. You haven’t been charged. Try again to pay it.`,
  isDeclined: false,
})

/** Stripe has the money. Whatever fails from here on, we mustn't say the invoice is unpaid. */
function useSettleAndReport() {
  const settlePayment = useSettlePayment()
  const reportDone = useReportDone()
  return async (total: number) => {
    const amount = formatPoundsAndPence(total)
    openPaidNotice()
    const { billing } = await settlePayment(isPaidUp).catch(() => ({ billing: null }))
    if (billing && isPaidUp(billing)) reportDone('Invoice paid', `You’ve paid ${amount}. ${stateLine(billing)}`)
    else
      reportDone(
        'We’re confirming your payment',
        `Your ${amount} is on its way. This page updates as soon as we’ve got it.`,
      )
  }
}
