import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { AddressSection } from './address.tsx'
import { actionsIn } from './billing-actions.ts'
import { BillingPanel } from './billing-panel.tsx'
import { BookedTier, ChangeTier } from './change-tier.tsx'
import { nextPaymentWords } from './charge-words.ts'
import { askAgain, type Desk, DeskContext, methodQuery, useDesk } from './desk.ts'
import { CancelMembership, ResumeMembership } from './ending.tsx'
import { InvoiceSection } from './invoices.tsx'
import { nameOfMethod } from './method-words.ts'
import { OpenInvoicePanel } from './open-invoice.tsx'
import { PaymentMethodSection } from './payment-method.tsx'
import type { Returned } from './returned.ts'
import { useReturned } from './use-returned.ts'

type Props = {
  billing: BillingSubscription
  /** When it was heard, where it could not be asked for again. */
  asOf: number | null
  session: AuthSession
  user: SessionUser
  hasSignal: boolean
  returned: Returned | null
}

/** Billing with all that can be done about it. Loaded when the tab is opened. */
function BillingDesk({ billing, asOf, session, user, hasSignal, returned }: Props) {
  const desk = useMemo<Desk>(
    () => ({
      session,
      memberId: user.id,
      holder: [user.firstName, user.lastName].filter(Boolean).join(' '),
      billing,
      hasSignal,
      actions: actionsIn(billing, { isReadOnly: user.isImpersonating }),
    }),
    [session, user, billing, hasSignal],
  )
  useAskWithSignal(desk)
  return (
    <DeskContext value={desk}>
      <div className="billing__desk">
        {user.isImpersonating && (
          <Banner icon="eye" title="You are looking in as this member">
            Nothing can be changed from here.
          </Banner>
        )}
        <Refusal returned={returned} />
        <BillingPanel billing={billing} asOf={asOf} first={desk.actions.pay && <OpenInvoicePanel />}>
          <div className="billing__do">
            <NextPayment isOwner={user.isAdmin} />
            <BookedTier />
            <Actions isOwner={user.isAdmin} />
          </div>
        </BillingPanel>
        <PaymentMethodSection />
        <AddressSection />
        <InvoiceSection />
      </div>
    </DeskContext>
  )
}

/** A page that was opened without signal is not told by the browser's own event that its questions can be asked now. */
function useAskWithSignal({ hasSignal, memberId }: Desk) {
  const queryClient = useQueryClient()
  const had = useRef(hasSignal)
  useEffect(() => {
    if (hasSignal && !had.current) askAgain(queryClient, { memberId }).catch(reportError)
    had.current = hasSignal
  }, [hasSignal, memberId, queryClient])
}

function Refusal({ returned }: Pick<Props, 'returned'>) {
  const refused = useReturned(returned)
  return (
    refused && (
      <Banner tone="bad" role="alert" title={refused.title}>
        {refused.text}
      </Banner>
    )
  )
}

function NextPayment({ isOwner }: { isOwner: boolean }) {
  const desk = useDesk()
  const { data: method } = useQuery(methodQuery(desk))
  const words =
    isOwner && desk.actions.reactivate
      ? 'You are an owner: everything is open to you, with or without a subscription.'
      : nextPaymentWords(desk.billing, method ? nameOfMethod(method) : null)
  return words && <p>{words}</p>
}

function Actions({ isOwner }: { isOwner: boolean }) {
  const { actions, billing } = useDesk()
  return (
    <div className="billing__acts">
      {actions.resume && <ResumeMembership />}
      {actions.changeTier && <ChangeTier />}
      {actions.reactivate && (
        <ButtonLink
          to="/reactivate"
          look={actions.pay || isOwner || billing.isComplimentary ? 'line' : 'ink'}
          icon="arrow"
        >
          Reactivate
        </ButtonLink>
      )}
      {billing.isRevoked && (
        <ButtonAnchor href="/contact" look="line">
          Contact us
        </ButtonAnchor>
      )}
      {actions.cancel && <CancelMembership />}
    </div>
  )
}

export default BillingDesk
