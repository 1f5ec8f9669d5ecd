import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { LazyPaidNotice } from '#pwa/features/billing/paid/lazy-paid-notice.tsx'
import { isPaidNoticeOpen } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { CoachLinks, FirstPassword, IncludedList, NextSteps } from '#pwa/features/join/new-member.tsx'
import { type ProviderReturn, useProviderReturn } from '#pwa/features/join/use-provider-return.ts'
import { type CurrentBuyer, currentBuyerQuery, isLoggedOut } from '#pwa/features/payment/buyer-queries.ts'
import { LoadFailedBanner } from '#pwa/features/payment/load-failed.tsx'
import type { ReturnSearch } from '#pwa/features/reactivation/search.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { pageOf, stateAction, stateLine } from '#shared/rules/state-line.ts'
import { SetupDone, SetupFailed, WelcomeTitle } from './welcome-delayed.tsx'
import '#pwa/features/payment/purchase.css'
import '#pwa/features/join/join.css'

/** The welcome after joining or reactivating: the membership's state, the next steps, and where to get help. */
export function WelcomePage({ search }: { search: ReturnSearch }) {
  const providerReturn = useProviderReturn(search)
  const { hasFailed, setup } = providerReturn
  const { data: current, error, isPending, isFetching, refetch } = useQuery(currentBuyerQuery({ isLikely: true }))
  const failure = error && !isLoggedOut(error) ? { error, isFetching, onRetry: () => refetch() } : null
  const [hasReturned] = useState(search.payment_intent !== undefined)
  const [hasPaid] = useState(() => hasReturned || isPaidNoticeOpen())
  const { tiers } = useTiers()
  // The link may belong to someone other than the person logged in.
  const buyer = setup && setup.email !== current?.user.email ? null : current
  const slug = setup?.tierSlug ?? buyer?.user.membershipTier ?? buyer?.subscription.plan?.slug
  const tier = tiers.find((one) => one.slug === slug)
  return (
    <div className="wrap purchase">
      {isPending ? (
        <Skeleton size="title" />
      ) : (
        <MembershipState buyer={buyer} providerReturn={providerReturn} failure={failure} hasReturned={hasReturned} />
      )}
      <div className="purchase__done">
        {hasPaid && !hasFailed && !setup && buyer?.subscription.hasAccess && (
          <LazyPaidNotice session={buyer.session} memberId={buyer.user.id} billing={buyer.subscription} />
        )}
        {!hasFailed && (buyer ? buyer.subscription.hasAccess : setup !== null) && <NextSteps tier={tier} />}
        {tier && (
          <section className="purchase__part" aria-labelledby="included">
            <h2 className="purchase__second" id="included">
              {tier.name} includes
            </h2>
            <IncludedList tier={tier} />
          </section>
        )}
        <FirstPassword buyer={buyer} />
        <Help />
      </div>
      <p className="purchase__ways">
        {buyer && (
          <ButtonLink to="/members" icon="arrow">
            Open the members’ area
          </ButtonLink>
        )}
        <ButtonLink to="/" look="line">
          Back to home
        </ButtonLink>
      </p>
    </div>
  )
}

type StateProps = {
  buyer: CurrentBuyer | null | undefined
  providerReturn: ProviderReturn
  failure: Omit<ComponentProps<typeof LoadFailedBanner>, 'children'> | null
  /** From the bank's page: there may be a payment the server hasn't heard of yet. */
  hasReturned: boolean
}

function MembershipState({ buyer, providerReturn: { hasFailed, setup }, failure, hasReturned }: StateProps) {
  if (hasFailed) return <SetupFailed setup={setup} />
  if (setup && !buyer) return <SetupDone setup={setup} />
  if (!buyer && failure) {
    return (
      <>
        <WelcomeTitle title="Welcome">We couldn’t check your membership.</WelcomeTitle>
        <LoadFailedBanner {...failure}>Your payment is safe. We’ll email you about it.</LoadFailedBanner>
      </>
    )
  }
  if (!buyer) return <LoggedOut />
  const { hasAccess, firstPaymentOn, status } = buyer.subscription
  if (status === 'incomplete') return <PaymentPending isUnfinished />
  if (!hasAccess && hasReturned) return <PaymentPending isUnfinished={false} />
  if (!hasAccess || stateAction(buyer.subscription)?.kind === 'pay') return <StateFirst billing={buyer.subscription} />
  const name = buyer.user.firstName
  return (
    <WelcomeTitle title="Your membership is active">
      {name ? `Welcome, ${name}.` : 'Welcome.'}{' '}
      {firstPaymentOn && `Your first payment is on ${formatLongDate(firstPaymentOn)}.`}
    </WelcomeTitle>
  )
}

const LoggedOut = () => (
  <>
    <WelcomeTitle title="Welcome">Log in to see your membership.</WelcomeTitle>
    <p>
      <ButtonLink to="/login" search={{ redirect: '/membership-success' }} icon="arrow">
        Log in
      </ButtonLink>
    </p>
  </>
)

/** `isUnfinished`: they can pay again if it didn't go through. */
const PaymentPending = ({ isUnfinished }: { isUnfinished: boolean }) => (
  <>
    <WelcomeTitle title="Nearly there">Your membership isn’t active yet.</WelcomeTitle>
    <Banner
      title={isUnfinished ? 'We’re waiting for your first payment' : 'We’re waiting for your payment'}
      action={
        <ButtonLink to={isUnfinished ? '/membership-application' : '/members'} isSmall icon="arrow">
          {isUnfinished ? 'Go to the payment' : 'Open the members’ area'}
        </ButtonLink>
      }
    >
      If you’ve just paid, give it a minute. We’ll email you as soon as your membership is active.
    </Banner>
  </>
)

/** Without access, or with a payment due, the state comes first. */
function StateFirst({ billing }: { billing: BillingSubscription }) {
  const action = stateAction(billing)
  return (
    <>
      <WelcomeTitle title="Your membership">{stateLine(billing)}</WelcomeTitle>
      {action && (
        <p>
          <ButtonLink to={pageOf(action)} look="line">
            {action.label}
          </ButtonLink>
        </p>
      )}
    </>
  )
}

const Help = () => (
  <section className="purchase__part" aria-labelledby="help">
    <h2 className="purchase__second" id="help">
      Need a hand?
    </h2>
    <CoachLinks />
  </section>
)
