import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { CoachLinks } from '#pwa/features/join/coach-links.tsx'
import { type KnownBuyer, knownBuyerQuery } from '#pwa/features/join/known-buyer.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Bone } from '#pwa/ui/bone.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** Puts a membership right: what stands in the way, and the way on from there. */
export const ReactivatePage = () => {
  const { data: known, error, isPending, refetch } = useQuery(knownBuyerQuery({ isLikely: true }))
  if (isPending) return <Bone size="title" />
  if (known) return <WelcomeBack known={known} />
  if (error instanceof RequestError && error.code === 'offline') {
    return (
      <AuthPage title="Needs signal">
        <Banner
          icon="nosignal"
          title="Billing needs signal"
          action={
            <Button look="line" isSmall icon="sync" onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          Nothing has been taken.
        </Banner>
      </AuthPage>
    )
  }
  return (
    <AuthPage title="Please Log In" lead="You need to be logged in to reactivate your membership.">
      <ButtonLink to="/login" search={{ redirect: '/reactivate' }} icon="arrow">
        Log In
      </ButtonLink>
    </AuthPage>
  )
}

const WelcomeBack = ({ known: { subscription } }: { known: KnownBuyer }) => {
  const { lead, isToPay, action } = wayOn(subscription)
  return (
    <AuthPage title="Welcome Back!" lead={lead}>
      {action && (
        <ButtonLink to="/membership-application" icon="arrow">
          {action}
        </ButtonLink>
      )}
      {isToPay && <CoachLinks />}
      <ButtonLink to="/members" look="line">
        Back to the members’ area
      </ButtonLink>
    </AuthPage>
  )
}

/** `isToPay`: a coach puts it right with him. */
type WayOn = { lead: ReactNode; isToPay?: boolean; action?: string }

const wayOn = (subscription: BillingSubscription): WayOn => {
  if (subscription.isRevoked) {
    return { lead: 'Your access was ended by the owners. Please contact us.', isToPay: true }
  }
  switch (subscription.status) {
    case 'active':
      return subscription.endsOn
        ? {
            lead: `Your membership ends on ${formatLongDate(subscription.endsOn)}. Tell a coach to keep it.`,
            isToPay: true,
          }
        : { lead: 'Your membership is active.' }
    case 'trialing':
      return { lead: `${subscription.label}. There is nothing to do.` }
    case 'incomplete':
      return { lead: 'Your first payment is not finished. Finish it, or choose another tier.', action: 'Finish it' }
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return { lead: 'A payment is open. Tell a coach, and he puts it right with you.', isToPay: true }
    default:
      return { lead: 'Start again and your progress is where you left it.', action: 'Choose a tier' }
  }
}
