import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { useCurrentUser } from '#pwa/features/auth/use-current-user.ts'
import { LoadFailedPage } from '#pwa/features/payment/load-failed-section.tsx'
import { PaymentUnavailable } from '#pwa/features/payment/payment-unavailable-section.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type DelayedOffers, namelessMember } from '#shared/contract/reactivation.ts'
import { DelayedPayment } from './delayed-payment.tsx'
import { DelayedTiers, type OfferedTier } from './delayed-tiers.tsx'
import { firstPaymentText, todayHere } from './delayed-words.ts'
import type { LinkSearch } from './link-search.ts'
import { offersQuery } from './queries.ts'
import '#pwa/features/payment/purchase.css'
import './reactivation.css'

/** Coming back by a signed link: a tier, then how it is paid on a day to come. */
export const DelayedPage = ({ link }: { link: LinkSearch }) =>
  link.email ? <Opened link={link} email={link.email} /> : <InvalidLink />

function Opened({ link, email }: { link: LinkSearch; email: string }) {
  const { data: offers, error, isFetching, refetch } = useQuery(offersQuery(link))
  const [chosen, setChosen] = useState<OfferedTier | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const tiers = useOffered(offers)
  const reader = useCurrentUser()
  if (error instanceof RequestError && error.code === 'invalid_link') return <InvalidLink />
  if (error instanceof RequestError && sellsNothing.has(error.code)) return <NothingToPay {...{ email, error }} />
  if (!offers && error) {
    return (
      <LoadFailedPage {...{ error, isFetching }} title="Your link could not be opened" onRetry={() => refetch()}>
        Nothing has been taken, and your link still holds.
      </LoadFailedPage>
    )
  }
  if (!offers) return <Opening />
  const choose = (tier: OfferedTier | null) => {
    setMoved(true)
    setChosen(tier)
  }
  return (
    <div className="wrap purchase reac">
      {reader && reader.email !== email && <WhoseMembership email={email} reader={reader.email} />}
      <ErrorBanner date={chosen?.date ?? tiers[0]?.date} />
      {chosen ? (
        <DelayedPayment
          link={link}
          tier={chosen}
          onBack={() => choose(null)}
          onReopen={() => {
            choose(null)
            refetch()
          }}
        />
      ) : (
        <DelayedTiers {...{ email, tiers }} name={link.name ?? namelessMember} isNext={hasMoved} onChoose={choose} />
      )}
    </div>
  )
}

/** The offers, with what the tiers themselves say. */
function useOffered(offers: DelayedOffers | undefined): OfferedTier[] {
  const { tiers } = useTiers()
  return tiers.flatMap((tier) => {
    const offer = tier.slug === 'lite' ? undefined : offers?.[tier.slug]
    return offer ? [{ ...tier, ...offer, price: offer.net }] : []
  })
}

const ErrorBanner = ({ date }: { date: string | undefined }) => (
  <Banner icon="warn" title="Sorry we had an error">
    {`Something went wrong with your billing on our side. ${date ? firstPaymentText(date, todayHere()) : ''}`}
  </Banner>
)

/** Somebody else is logged in on this device: what is set up here is not for him. */
const WhoseMembership = ({ email, reader }: { email: string; reader: string }) => (
  <Banner icon="person" role="status" title={`This link is for ${email}`}>
    {`You are logged in here as ${reader}. What you set up here pays for the membership of ${email}, not for yours.`}
  </Banner>
)

const sellsNothing = new Set<unknown>(['already_subscribed', 'access_revoked'])

const NothingToPay = ({ email, error }: { email: string; error: RequestError }) => (
  <AuthPage title="Nothing to pay" lead={`This link is for ${email}. Nothing is to be paid by it.`}>
    <PaymentUnavailable error={error} returnTo="/members" onRetry={() => {}} isRetrying={false} />
  </AuthPage>
)

const InvalidLink = () => (
  <AuthPage title="Invalid Link" lead="This reactivation link is invalid or has expired.">
    <ButtonLink to="/members" icon="arrow">
      Go to the members’ area
    </ButtonLink>
  </AuthPage>
)

const Opening = () => (
  <div className="wrap purchase reac" role="status" aria-label="Opening your link">
    <Skeleton size="title" />
    <Skeleton size="block" />
    <Skeleton size="block" />
  </div>
)
