import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { useCurrentUser } from '#pwa/features/auth/use-current-user.ts'
import { LoadFailedPage } from '#pwa/features/payment/load-failed.tsx'
import { PaymentUnavailable } from '#pwa/features/payment/payment-unavailable.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type DelayedOffers, namelessMember } from '#shared/contract/reactivation.ts'
import type { OfferedPrice } from '#shared/contract/tier.ts'
import { DelayedPayment } from './delayed-payment.tsx'
import { DelayedTiers, type OfferedTier } from './delayed-tiers.tsx'
import { offersQuery } from './queries.ts'
import { firstPaymentText, localToday } from './reactivation-texts.ts'
import type { LinkSearch } from './search.ts'
import '#pwa/features/payment/purchase.css'
import './reactivation.css'

export const DelayedPage = ({ link }: { link: LinkSearch }) =>
  link.email ? <OpenedLink link={link} email={link.email} /> : <InvalidLink />

function OpenedLink({ link, email }: { link: LinkSearch; email: string }) {
  const { data: offers, error, isFetching, refetch } = useQuery(offersQuery(link))
  const [chosen, setChosen] = useState<{ tier: OfferedTier; price: OfferedPrice } | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const tiers = useOfferedTiers(offers)
  const user = useCurrentUser()
  if (error instanceof RequestError && error.code === 'invalid_link') return <InvalidLink />
  if (error instanceof RequestError && codesWithoutOffer.has(error.code))
    return <NothingToPay email={email} error={error} />
  if (!offers && error) {
    return (
      <LoadFailedPage
        error={error}
        isFetching={isFetching}
        title="We couldn’t open your link"
        onRetry={() => refetch()}
      >
        You haven’t been charged, and your link still works.
      </LoadFailedPage>
    )
  }
  if (!offers) return <OpeningSkeleton />
  const choose = (choice: typeof chosen) => {
    setMoved(true)
    setChosen(choice)
  }
  return (
    <div className="wrap purchase reac">
      {user && user.email !== email && <OtherAccountBanner email={email} userEmail={user.email} />}
      <ApologyBanner date={chosen?.tier.date ?? tiers[0]?.date} />
      {chosen ? (
        <DelayedPayment
          link={link}
          {...chosen}
          onBack={() => choose(null)}
          onReopen={() => {
            choose(null)
            refetch()
          }}
        />
      ) : (
        <DelayedTiers
          email={email}
          tiers={tiers}
          name={link.name ?? namelessMember}
          isNext={hasMoved}
          onChoose={(tier, price) => choose({ tier, price })}
        />
      )}
    </div>
  )
}

function useOfferedTiers(offers: DelayedOffers | undefined): OfferedTier[] {
  const { tiers } = useTiers()
  return tiers.flatMap((tier) => {
    const offer = offers?.[tier.slug]
    return offer ? [{ ...tier, ...offer, price: offer.net }] : []
  })
}

const ApologyBanner = ({ date }: { date: string | undefined }) => (
  <Banner icon="warn" title="Sorry we had an error">
    {`Something went wrong with your billing at our end. ${date ? firstPaymentText(date, localToday()) : ''}`}
  </Banner>
)

/** Someone else is logged in on this device: this setup isn't for them. */
const OtherAccountBanner = ({ email, userEmail }: { email: string; userEmail: string }) => (
  <Banner icon="person" role="status" title={`This link is for ${email}`}>
    {`You’re logged in as ${userEmail}. This pays for ${email}’s membership, not yours.`}
  </Banner>
)

const codesWithoutOffer = new Set<unknown>(['already_subscribed', 'access_revoked'])

const NothingToPay = ({ email, error }: { email: string; error: RequestError }) => (
  <AuthPage title="Nothing to pay" lead={`This link is for ${email}, and there’s nothing to pay.`}>
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

const OpeningSkeleton = () => (
  <div className="wrap purchase reac" role="status" aria-label="Opening your link">
    <Skeleton size="title" />
    <Skeleton size="block" />
    <Skeleton size="block" />
  </div>
)
