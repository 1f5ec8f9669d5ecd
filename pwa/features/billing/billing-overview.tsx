import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'
import { AddressSection } from './address.tsx'
import { ReadOnlyBanner } from './billing.tsx'
import { InvoicesSection } from './invoices/invoices.tsx'
import { CancelDialog, ResumeDialog } from './membership/cancel-resume-dialog.tsx'
import { BookedTierChange, TierChangeDialog } from './membership/tier-change-dialog.tsx'
import { useSettleReturnedUpgrade } from './membership/use-upgrade.ts'
import { openPaidNotice } from './paid/paid-notice-storage.ts'
import { PaymentMethodSection } from './payment-method.tsx'
import { invalidateBilling, isPaidUp, useSettlePayment } from './queries.ts'
import type { BankErrand, BankReturn } from './search.ts'
import { StateAction } from './state-action.tsx'
import { SubscriptionPanel } from './subscription.tsx'
import { BillingProvider, useBillingContext } from './use-billing-context.tsx'
import { useReportDone } from './use-section-focus.ts'

type Props = Omit<ComponentProps<typeof BillingProvider>, 'children' | 'onChange'> & {
  /** The subscription's age in milliseconds, if we couldn't refresh it. */
  asOf: number | null
  bankReturn: BankReturn | null
}

const BillingOverview = ({ asOf, bankReturn, ...props }: Props) => (
  <BillingProvider {...props}>
    <div className="billing__overview">
      {props.user.isImpersonating && <ReadOnlyBanner />}
      <BankReturnBanner bankReturn={bankReturn} />
      <Subscription asOf={asOf} />
      <PaymentMethodSection />
      <AddressSection />
      <InvoicesSection />
    </div>
  </BillingProvider>
)

function Subscription({ asOf }: { asOf: number | null }) {
  const { billing } = useBillingContext()
  useRefetchWithSignal()
  return (
    <SubscriptionPanel billing={billing} asOf={asOf} action={<StateAction />}>
      <div className="billing__do">
        <BookedTierChange />
        <OtherActions />
      </div>
    </SubscriptionPanel>
  )
}

/** If the page opened without signal, the browser doesn't tell its queries they can run now. */
function useRefetchWithSignal() {
  const { hasSignal, memberId } = useBillingContext()
  const queryClient = useQueryClient()
  const hadSignal = useRef(hasSignal)
  useEffect(() => {
    if (hasSignal && !hadSignal.current) invalidateBilling(queryClient, { memberId }).catch(reportError)
    hadSignal.current = hasSignal
  }, [hasSignal, memberId, queryClient])
}

function OtherActions() {
  const { actions, billing } = useBillingContext()
  const kind = stateAction(billing)?.kind
  return (
    <div className="billing__acts">
      {actions.resume && kind !== 'resume' && <ResumeDialog look="line" />}
      {actions.changeTier && <TierChangeDialog />}
      {actions.reactivate && (kind === 'pay' || kind === 'resume' || kind === undefined) && (
        <ButtonLink to="/reactivate" look="line">
          See your options
        </ButtonLink>
      )}
      {actions.cancel && <CancelDialog />}
    </div>
  )
}

function BankReturnBanner({ bankReturn }: { bankReturn: BankReturn | null }) {
  const failed = useBankReturn(bankReturn)
  return (
    failed && (
      <Banner tone="bad" role="alert" title={bankRejections[failed].title}>
        {bankRejections[failed].text}
      </Banner>
    )
  )
}

const bankRejections: Record<BankErrand, { title: string; text: string }> = {
  pay: {
    title: 'Your bank didn’t confirm the payment',
    text: 'You haven’t been charged. Try again or use another card.',
  },
  card: {
    title: 'Your bank didn’t confirm the card',
    text: 'We’re still using your old card. Try again or use another.',
  },
  upgrade: {
    title: 'Your bank didn’t confirm the payment',
    text: 'You haven’t been charged, and your tier hasn’t changed.',
  },
}

/** Reports the result of the bank's page once and removes it from the address. Returns what failed there. */
function useBankReturn(bankReturn: BankReturn | null): BankErrand | null {
  const navigate = useNavigate()
  const settlePayment = useSettlePayment()
  const reportDone = useReportDone()
  const [failed, setFailed] = useState<BankErrand | null>(null)
  const reportPayment = async () => {
    openPaidNotice()
    const { billing } = await settlePayment(isPaidUp).catch(() => ({ billing: null }))
    if (billing && isPaidUp(billing)) reportDone('Invoice paid', `Your payment went through. ${stateLine(billing)}`)
    else reportDone('We’re confirming your payment', 'This page updates as soon as we’ve got it.')
  }
  const reportCard = async () => {
    const { method } = await settlePayment().catch(() => ({ method: null }))
    if (method) reportDone('Card changed', `We’ll use ${methodLabel(method)} from now on.`)
    else reportDone('Card saved', 'It’ll show here when you’re back in range.')
  }
  const settleReturnedUpgrade = useSettleReturnedUpgrade(() => setFailed('upgrade'))
  const handleReturn = useEffectEvent(({ errand, hasFailed }: BankReturn) => {
    navigate({ to: '/members', search: { tab: 'billing' }, replace: true, resetScroll: false })
    if (errand !== 'upgrade' && hasFailed) return setFailed(errand)
    const reports = { pay: reportPayment, card: reportCard, upgrade: settleReturnedUpgrade }
    reports[errand]().catch(reportError)
  })
  const key = bankReturn && `${bankReturn.errand} ${bankReturn.hasFailed}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the object is a new one with each rendering
  useEffect(() => {
    if (bankReturn) handleReturn(bankReturn)
  }, [key])
  useEffect(() => {
    if (failed === null) return
    // The next press starts another attempt with its own result.
    const end = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('button')) setFailed(null)
    }
    document.addEventListener('click', end)
    return () => document.removeEventListener('click', end)
  }, [failed])
  return failed
}

export default BillingOverview
