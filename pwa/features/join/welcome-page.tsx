import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { LoadFailedBanner } from '#pwa/features/payment/load-failed-section.tsx'
import type { ReturnSearch } from '#pwa/features/reactivation/return-search.ts'
import { type SetupReturn, useSetupReturn } from '#pwa/features/reactivation/use-setup-return.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { CoachLinks } from './coach-links.tsx'
import { FirstPassword } from './first-password.tsx'
import { IncludedList } from './included-list.tsx'
import { isNobody, type KnownBuyer, knownBuyerQuery } from './known-buyer.ts'
import { NextSteps } from './next-steps.tsx'
import { SetupDone, SetupRefused } from './welcome-after-setup.tsx'
import { WelcomeHead } from './welcome-head.tsx'
import '#pwa/features/payment/purchase.css'
import './join.css'

/** The welcome after joining or coming back: what holds now, what comes next, and where help is. */
export function WelcomePage({ search }: { search: ReturnSearch }) {
  const after = useSetupReturn(search)
  const { data: reader, error, isPending, isFetching, refetch } = useQuery(knownBuyerQuery({ isLikely: true }))
  const unanswered = error && !isNobody(error) ? { error, isFetching, onRetry: () => refetch() } : null
  const { tiers } = useTiers()
  const { delayed } = after
  // A link may be of somebody else than whoever is logged in here.
  const known = delayed && delayed.email !== reader?.user.email ? null : reader
  const slug = delayed?.tierSlug ?? known?.user.membershipTier ?? known?.subscription.plan?.slug
  const tier = tiers.find((one) => one.slug === slug)
  return (
    <div className="wrap purchase">
      {isPending ? <Skeleton size="title" /> : <Standing {...{ known, after, unanswered }} />}
      <div className="purchase__done">
        {!after.isFailed && !(known && !known.subscription.hasAccess) && (
          <section className="purchase__part" aria-labelledby="next">
            <h2 className="purchase__second" id="next">
              Three next steps
            </h2>
            <NextSteps tier={tier} />
          </section>
        )}
        {tier && (
          <section className="purchase__part" aria-labelledby="included">
            <h2 className="purchase__second" id="included">
              {tier.name} includes
            </h2>
            <IncludedList tier={tier} />
          </section>
        )}
        <FirstPassword known={known} />
        <Help />
      </div>
      <p className="purchase__ways">
        {known && (
          <ButtonLink to="/members" icon="arrow">
            Open the members’ area
          </ButtonLink>
        )}
        <ButtonLink to="/" look={known || after.delayed || after.isFailed ? 'line' : 'ink'}>
          Back to home
        </ButtonLink>
      </p>
    </div>
  )
}

type StandingProps = {
  known: KnownBuyer | null | undefined
  after: SetupReturn
  /** The site could not say who is here. */
  unanswered: Omit<ComponentProps<typeof LoadFailedBanner>, 'children'> | null
}

function Standing({ known, after, unanswered }: StandingProps) {
  if (after.isFailed) return <SetupRefused delayed={after.delayed} />
  if (after.delayed && !known) return <SetupDone delayed={after.delayed} />
  if (!known && unanswered) {
    return (
      <>
        <WelcomeHead title="Welcome">How your membership stands could not be asked.</WelcomeHead>
        <LoadFailedBanner {...unanswered}>What you have paid is safe. You get an e-mail about it.</LoadFailedBanner>
      </>
    )
  }
  if (!known) return <NotKnown />
  const { hasAccess, firstPaymentOn, status } = known.subscription
  if (!hasAccess) return <NotActive isBegun={status === 'incomplete'} />
  const name = known.user.firstName
  return (
    <WelcomeHead title="Your membership is active">
      {name ? `Welcome, ${name}.` : 'Welcome.'}{' '}
      {firstPaymentOn && `Your first payment is on ${formatLongDate(firstPaymentOn)}.`}
    </WelcomeHead>
  )
}

const NotKnown = () => (
  <>
    <WelcomeHead title="Welcome">Log in to see your membership.</WelcomeHead>
    <p>
      <ButtonLink to="/login" search={{ redirect: '/membership-success' }} look="line">
        Log In
      </ButtonLink>
    </p>
  </>
)

const NotActive = ({ isBegun }: { isBegun: boolean }) => (
  <>
    <WelcomeHead title="Nearly there">Your membership is not active yet.</WelcomeHead>
    <Banner
      title={isBegun ? 'Your first payment has not arrived yet' : 'There is no active membership for this account'}
      action={
        <ButtonLink to={isBegun ? '/membership-application' : '/members'} isSmall icon="arrow">
          {isBegun ? 'Go to the payment' : 'Open the members’ area'}
        </ButtonLink>
      }
    >
      {isBegun
        ? 'If you have just paid, it can take a minute: you will get an e-mail as soon as your membership is active.'
        : 'If you think this is wrong, ask one of the coaches below.'}
    </Banner>
  </>
)

const Help = () => (
  <section className="purchase__part" aria-labelledby="help">
    <h2 className="purchase__second" id="help">
      Need a hand?
    </h2>
    <CoachLinks />
  </section>
)
