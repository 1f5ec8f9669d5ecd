import { useQueryClient } from '@tanstack/react-query'
import { pollUntil } from '#pwa/features/payment/queries.ts'
import { ask } from '#pwa/lib/api.ts'
import { BillingSubscription, type PaymentMethod, PaymentMethodResponse } from '#shared/contract/billing.ts'
import { askAgain, methodQuery, useDesk, useKeep } from './desk.ts'

/** How often a payment is looked at that the provider has not settled yet. */
const waits = [0, 1000, 1000, 1000, 1000] as const

export type Settled = { now: BillingSubscription; method: PaymentMethod | null }

/** Asks the provider what became of a payment or of a card, and shows what the server says since. */
export function useSettle() {
  const desk = useDesk()
  const queryClient = useQueryClient()
  const keep = useKeep()
  const { billing } = desk.session.api.api
  const look = async (): Promise<Settled> => {
    const { paymentMethod: method } = await ask(PaymentMethodResponse, billing.card.settle.post())
    const now = await ask(BillingSubscription, billing.subscription.get())
    await keep(now)
    queryClient.setQueryData(methodQuery(desk).queryKey, method)
    return { now, method }
  }
  return async (isSettled: (now: BillingSubscription) => boolean = () => true): Promise<Settled> => {
    const settled = await pollUntil({ request: look, isDone: ({ now }) => isSettled(now), delays: waits })
    askAgain(queryClient, desk).catch(reportError)
    return settled
  }
}

/** Nothing is waiting to be paid any more. */
export const isPaidUp = ({ status, openInvoice }: BillingSubscription): boolean =>
  openInvoice === null && status !== 'past_due' && status !== 'unpaid'
