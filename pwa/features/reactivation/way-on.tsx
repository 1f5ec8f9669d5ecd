import { onlineManager } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { actionsIn } from '#pwa/features/billing/billing-actions.ts'
import { BillingPanel } from '#pwa/features/billing/billing-panel.tsx'
import { type Desk, DeskContext, useDesk } from '#pwa/features/billing/desk.ts'
import { CancelMembership, EndAndRestart, ResumeMembership } from '#pwa/features/billing/ending.tsx'
import { OpenInvoicePanel } from '#pwa/features/billing/open-invoice.tsx'
import { PaymentMethodSection } from '#pwa/features/billing/payment-method.tsx'
import type { KnownBuyer } from '#pwa/features/join/known-buyer.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { leadFor } from './way-on-words.ts'

type Props = { known: KnownBuyer; onNow: (now: BillingSubscription) => void }

/** Where nothing new is for sale: what stands in the way, and what is done about it here. */
export function WayOn({ known: { session, user, subscription: billing }, onNow }: Props) {
  const hasSignal = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
    () => true,
  )
  const desk = useMemo<Desk>(
    () => ({
      session,
      memberId: user.id,
      holder: [user.firstName, user.lastName].filter(Boolean).join(' '),
      billing,
      hasSignal,
      actions: actionsIn(billing, { isReadOnly: user.isImpersonating }),
      onNow,
    }),
    [session, user, billing, hasSignal, onNow],
  )
  const lead = leadFor(billing)
  return (
    <DeskContext value={desk}>
      {user.isImpersonating && (
        <Banner icon="eye" title="You are looking in as this member">
          Nothing can be changed from here.
        </Banner>
      )}
      {lead && <p className="lead">{lead}</p>}
      <div className="billing__column">
        <BillingPanel billing={billing} first={desk.actions.pay && <OpenInvoicePanel />}>
          <div className="billing__do">
            <Ways isReadOnly={user.isImpersonating} />
          </div>
        </BillingPanel>
        {billing.offer === 'pay_or_change_card' && !billing.isRevoked && <PaymentMethodSection />}
      </div>
    </DeskContext>
  )
}

function Ways({ isReadOnly }: { isReadOnly: boolean }) {
  const { billing, actions } = useDesk()
  if (billing.isRevoked) {
    return (
      <div className="billing__acts">
        <ButtonAnchor href="/contact" look="line">
          Contact us
        </ButtonAnchor>
        {actions.cancel && <CancelMembership />}
      </div>
    )
  }
  return (
    <div className="billing__acts">
      {!isReadOnly && <Ask />}
      <ButtonLink to="/members" search={{ tab: 'billing' }} look="line">
        Open Billing
      </ButtonLink>
    </div>
  )
}

/** What the state's own offer asks for, beside a payment. */
function Ask() {
  const { billing } = useDesk()
  switch (billing.offer) {
    case 'resume':
      // A pause that has ended leaves an invoice to pay, which stands above.
      return billing.openInvoice === null ? <ResumeMembership /> : null
    case 'pay_or_restart':
      return <EndAndRestart />
    default:
      return null
  }
}
