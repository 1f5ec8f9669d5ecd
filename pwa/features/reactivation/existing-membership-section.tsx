import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { BillingProvider, useBillingContext } from '#pwa/features/billing/billing-context.tsx'
import { ReadOnlyBanner } from '#pwa/features/billing/billing-section.tsx'
import { OpenInvoiceSection } from '#pwa/features/billing/invoices/open-invoice-section.tsx'
import { CancelDialog, EndDialog, ResumeDialog } from '#pwa/features/billing/membership/cancel-resume-dialog.tsx'
import { PaymentMethodSection } from '#pwa/features/billing/payment-method-section.tsx'
import { SubscriptionPanel } from '#pwa/features/billing/subscription-section.tsx'
import type { CurrentBuyer } from '#pwa/features/join/queries.ts'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { membershipLead } from './reactivation-texts.ts'

type Props = { buyer: CurrentBuyer; onChange: (billing: BillingSubscription) => void }

/** For a member who cannot buy a new membership: why that is so, and what they can do about it here. */
export function ExistingMembership({ buyer: { session, user, subscription: billing }, onChange }: Props) {
  const hasSignal = useSyncExternalStore(
    (notify) => onlineManager.subscribe(notify),
    () => onlineManager.isOnline(),
    () => true,
  )
  const lead = membershipLead(billing)
  return (
    <BillingProvider {...{ session, user, billing, hasSignal, onChange }}>
      {user.isImpersonating && <ReadOnlyBanner />}
      {lead && <p className="lead">{lead}</p>}
      <div className="billing__column">
        <Subscription isReadOnly={user.isImpersonating} />
        {billing.offer === 'pay_or_change_card' && !billing.isRevoked && <PaymentMethodSection />}
      </div>
    </BillingProvider>
  )
}

function Subscription({ isReadOnly }: { isReadOnly: boolean }) {
  const { billing, actions } = useBillingContext()
  return (
    <SubscriptionPanel billing={billing} first={actions.pay && <OpenInvoiceSection />}>
      <div className="billing__do">
        <div className="billing__acts">
          {billing.isRevoked ? (
            <>
              <ButtonAnchor href="/contact" look="line">
                Contact us
              </ButtonAnchor>
              {actions.cancel && <CancelDialog />}
            </>
          ) : (
            <>
              {!isReadOnly && <OfferedDialog />}
              <ButtonLink to="/members" search={{ tab: 'billing' }} look="line">
                Open Billing
              </ButtonLink>
            </>
          )}
        </div>
      </div>
    </SubscriptionPanel>
  )
}

/** The action that the server offers in this state, beside a payment. */
function OfferedDialog() {
  const { billing } = useBillingContext()
  switch (billing.offer) {
    case 'resume':
      // A pause that has ended leaves an invoice, which is offered for payment above instead.
      return billing.openInvoice === null ? <ResumeDialog /> : null
    case 'pay_or_restart':
      return <EndDialog />
    default:
      return null
  }
}
