import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { isNobody, type KnownBuyer, knownBuyerQuery } from '#pwa/features/join/known-buyer.ts'
import { LoadFailedPage } from '#pwa/features/payment/load-failed-section.tsx'
import { StepTitle } from '#pwa/features/payment/step-title-section.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { ChoosePlan } from './choose-plan.tsx'
import { ExistingMembership } from './existing-membership-section.tsx'
import { ReactivatePayment } from './reactivate-payment.tsx'
import '#pwa/features/payment/purchase.css'
import './reactivation.css'

/** Puts a membership right: what stands in the way, and the way on from there. */
export function ReactivatePage() {
  const { data: known, error, isPending, isFetching, refetch } = useQuery(knownBuyerQuery({ isLikely: true }))
  if (isPending) return <Opening />
  if (known) return <WelcomeBack known={known} />
  if (error && !isNobody(error)) {
    return (
      <LoadFailedPage {...{ error, isFetching }} title="Your membership could not be loaded" onRetry={() => refetch()}>
        Nothing has been taken.
      </LoadFailedPage>
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

const Opening = () => (
  <div className="wrap purchase reac" role="status" aria-label="Loading your membership">
    <Skeleton size="title" />
    <Skeleton size="block" />
  </div>
)

/** What was done here since counts for more than what was read when the page came. */
function WelcomeBack({ known: read }: { known: KnownBuyer }) {
  const [now, setNow] = useState<BillingSubscription | null>(null)
  const known = now ? { ...read, subscription: now } : read
  const [tier, setTier] = useState<MembershipTier | null>(null)
  const [last, setLast] = useState<MembershipTier | null>(null)
  const pay = (chosen: MembershipTier) => {
    setTier(chosen)
    setLast(chosen)
  }
  if (tier) {
    return (
      <div className="wrap purchase reac">
        <ReactivatePayment user={known.user} tier={tier} onBack={() => setTier(null)} />
      </div>
    )
  }
  return (
    <div className="wrap purchase reac">
      <div>
        <TextLink isTap className="purchase__back" to="/members">
          <span>
            <Icon name="back" />
            Back to the members’ area
          </span>
        </TextLink>
      </div>
      <StepTitle isNext={last !== null || (now !== null && isForSale(now))}>Welcome Back!</StepTitle>
      <Offered {...{ known, last }} onNow={setNow} onPay={pay} />
    </div>
  )
}

/** Whether a new membership can be bought; else something stands in the way. */
const isForSale = ({ offer, isRevoked }: BillingSubscription) =>
  !isRevoked && (offer === 'subscribe' || offer === 'pay_or_change_tier')

type OfferedProps = {
  known: KnownBuyer
  last: MembershipTier | null
  onNow: (now: BillingSubscription) => void
  onPay: (tier: MembershipTier) => void
}

function Offered({ known, last, onNow, onPay }: OfferedProps) {
  const { user, subscription } = known
  if (!isForSale(subscription)) return <ExistingMembership known={known} onChange={onNow} />
  if (user.isImpersonating) return <LookingIn />
  if (!user.firstName) return <NameFirst />
  return (
    <>
      {subscription.offer === 'pay_or_change_tier' && <Unfinished known={known} onPay={onPay} />}
      <ChoosePlan
        chosen={last?.slug ?? (subscription.status === 'incomplete' ? subscription.plan?.slug : undefined)}
        onChoose={onPay}
      />
    </>
  )
}

/** A first payment that was begun: the same tier goes on with it. */
function Unfinished({ known: { subscription }, onPay }: Pick<OfferedProps, 'known' | 'onPay'>) {
  const tier = useTiers().tiers.find(({ slug }) => slug === subscription.plan?.slug)
  return (
    <Banner
      tone="bad"
      title="Your first payment is not finished"
      action={
        tier && (
          <Button look="line" isSmall icon="arrow" onClick={() => onPay(tier)}>
            Finish paying for {tier.name}
          </Button>
        )
      }
    >
      Nothing has been taken. Finish it, or choose another tier.
    </Banner>
  )
}

const LookingIn = () => (
  <Banner icon="eye" title="You are looking in as this member">
    Nothing can be changed from here.
  </Banner>
)

const NameFirst = () => (
  <Banner
    title="Your first name is missing"
    action={
      <ButtonLink to="/members" search={{ tab: 'profile' }} isSmall icon="arrow">
        Open your profile
      </ButtonLink>
    }
  >
    Your invoices carry it. Add it to your profile, then come back here.
  </Banner>
)
