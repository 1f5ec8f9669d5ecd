import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ReadOnlyBanner } from '#pwa/features/billing/billing.tsx'
import { CancelDialog, EndDialog } from '#pwa/features/billing/membership/cancel-resume-dialog.tsx'
import { PaymentMethodSection } from '#pwa/features/billing/payment-method.tsx'
import { StateAction } from '#pwa/features/billing/state-action.tsx'
import { SubscriptionPanel } from '#pwa/features/billing/subscription.tsx'
import { BillingProvider, useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import type { CurrentBuyer } from '#pwa/features/payment/buyer-queries.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'

type Props = { buyer: CurrentBuyer; onChange: (billing: BillingSubscription) => void }

/** For a member who can't buy a new membership: why, and what they can do about it here. */
export function ExistingMembership({ buyer: { session, user, subscription: billing }, onChange }: Props) {
  const hasSignal = useSyncExternalStore(
    (notify) => onlineManager.subscribe(notify),
    () => onlineManager.isOnline(),
    () => true,
  )
  return (
    <BillingProvider session={session} user={user} billing={billing} hasSignal={hasSignal} onChange={onChange}>
      {user.isImpersonating && <ReadOnlyBanner />}
      {billing.offer === 'already_active' && !billing.isRevoked && <p className="lead">Your membership is active.</p>}
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
    <SubscriptionPanel billing={billing} action={<StateAction />}>
      <div className="billing__do">
        <div className="billing__acts">
          {billing.offer === 'pay_or_restart' && !billing.isRevoked && !isReadOnly && <EndDialog />}
          {billing.isRevoked ? (
            actions.cancel && <CancelDialog />
          ) : (
            <ButtonLink to="/members" search={{ tab: 'billing' }} look="line">
              Open Billing
            </ButtonLink>
          )}
        </div>
      </div>
    </SubscriptionPanel>
  )
}
