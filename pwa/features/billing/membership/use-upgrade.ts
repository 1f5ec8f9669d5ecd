import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidateBilling, useSaveSubscription } from '#pwa/features/billing/queries.ts'
import { bankReturnPath } from '#pwa/features/billing/search.ts'
import { type Billing, useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { useReportDone } from '#pwa/features/billing/use-section-focus.ts'
import { confirmSavedCard } from '#pwa/features/payment/card/queries.ts'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { useSinglePayment } from '#pwa/features/payment/use-single-payment.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { untilKnown } from '#pwa/lib/until-known.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { UpgradePreview, UpgradeResult } from '#shared/contract/upgrade.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { planName } from './dialog-texts.ts'

type Choice = { tier: MembershipTier; price: OfferedPrice }

/** What a tier costs today. It has its own key, so we ask once for each choice and not with every change. */
const previewQuery = ({ memberId, session }: Pick<Billing, 'memberId' | 'session'>, choice: Choice | null) =>
  queryOptions({
    queryKey: ['billing-upgrade', memberId, choice?.tier.slug, choice?.price],
    queryFn: () => {
      if (choice === null) throw new Error('No tier was chosen.')
      const { tier, price } = choice
      const body = { tierSlug: tier.slug, priceId: price.id, tierPrice: price.net }
      return parseResponse(UpgradePreview, session.api.api.billing.upgrade.preview.post(body))
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Shows what a dearer tier, or a year, costs today, and starts it. `choice` is null until one that could start today is chosen. */
export function useUpgrade(choice: Choice | null, onDone: () => void) {
  const context = useBillingContext()
  const queryClient = useQueryClient()
  const options = previewQuery(context, choice)
  const preview = useQuery({ ...options, enabled: choice !== null && context.hasSignal })
  const [error, setError] = useState<Error | null>(null)
  const { isPaying, payOnce } = useSinglePayment()
  const startAndReport = useStartUpgrade(onDone)
  const start = (shown: UpgradePreview) =>
    payOnce(async () => {
      setError(null)
      try {
        await startAndReport(shown)
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)))
        // The quoted amount is used up or has changed, so ask again.
        await queryClient.resetQueries({ queryKey: options.queryKey })
      }
    })
  return { preview, start, action: { isPending: isPaying, error, reset: () => setError(null) } }
}

export type Upgrade = ReturnType<typeof useUpgrade>

function useStartUpgrade(onDone: () => void) {
  const { session } = useBillingContext()
  const queryClient = useQueryClient()
  const reportUpgrade = useReportUpgrade()
  const settleUpgrade = useSettleUpgrade()
  const toast = useToast()
  const upgradeApi = session.api.api.billing.upgrade
  const askBank = async ({ attemptId, card }: UpgradePreview, clientSecret: string) => {
    const { stripe } = await queryClient.fetchQuery(providerQuery)
    const returnUrl = window.location.origin + bankReturnPath('upgrade')
    const confirmed = await confirmSavedCard(stripe, { clientSecret, paymentMethod: card.id, returnUrl })
    const result = await settleUpgrade(attemptId)
    if (result.status !== 'unchanged') return result
    const reason = (confirmed.kind === 'rejected' && confirmed.message) || 'Your bank didn’t confirm the payment.'
    const text = `${reason} Nothing has changed.`
    throw new RequestError({ status: 402, code: 'payment_declined', message: text, text })
  }
  return async (shown: UpgradePreview) => {
    const ask = () => parseResponse(UpgradeResult, upgradeApi.post({ attemptId: shown.attemptId }))
    const started = await untilKnown(ask, (description) => toast({ title: 'We’re checking', description }))
    const result = started.clientSecret === null ? started : await askBank(shown, started.clientSecret)
    onDone()
    const { due, card } = shown
    const taken =
      due > 0 ? `We took ${formatPoundsAndPence(due)} from ${methodLabel(card)}.` : 'Your credit paid for it.'
    await reportUpgrade(result, taken)
  }
}

/** Asks the server about an upgrade the bank was asked to confirm; the newest if none is named. */
function useSettleUpgrade() {
  const { session } = useBillingContext()
  return (attemptId?: string): Promise<UpgradeResult> =>
    parseResponse(
      UpgradeResult,
      session.api.api.billing.upgrade.settle.post(attemptId === undefined ? {} : { attemptId }),
    )
}

function useReportUpgrade() {
  const context = useBillingContext()
  const queryClient = useQueryClient()
  const saveSubscription = useSaveSubscription()
  const reportDone = useReportDone()
  return async ({ status, subscription }: UpgradeResult, taken: string) => {
    await saveSubscription(subscription)
    invalidateBilling(queryClient, context).catch(reportError)
    const { plan } = subscription
    const name = plan === null ? 'Your new tier' : plan.months === 12 ? planName(plan) : plan.name
    if (status === 'upgraded') reportDone(`${name} has started`, taken)
    if (status === 'processing') reportDone('We’re confirming your payment', `${name} starts as soon as we’ve got it.`)
  }
}

/** After the return from the bank's page, possibly without a result. */
export function useSettleReturnedUpgrade(onUnchanged: () => void) {
  const settleUpgrade = useSettleUpgrade()
  const reportUpgrade = useReportUpgrade()
  return async () => {
    const result = await settleUpgrade()
    await reportUpgrade(result, 'Your payment went through.')
    if (result.status === 'unchanged') onUnchanged()
  }
}
