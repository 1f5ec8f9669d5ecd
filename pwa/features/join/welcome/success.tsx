import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LazyPaidNotice } from '#pwa/features/billing/paid/lazy-paid-notice.tsx'
import { openPaidNotice } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { clearJoinResult } from '#pwa/features/join/join-storage.ts'
import { FirstPassword, IncludedList } from '#pwa/features/join/new-member.tsx'
import { useJoinTier } from '#pwa/features/join/use-join-tiers.ts'
import { currentBuyerQuery } from '#pwa/features/payment/buyer-queries.ts'
import { StepTitle } from '#pwa/features/payment/step-title.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { TierSlug } from '#shared/contract/tier.ts'

const openMembersMs = 5_000

type Props = { tierSlug: TierSlug | null; isActive: boolean }

export function SuccessStep({ tierSlug, isActive }: Props) {
  const { brand } = useSiteContent()
  const tier = useJoinTier(tierSlug)
  const { isWaiting, stay } = useOpenMembersArea()
  const { data: buyer } = useQuery(currentBuyerQuery({ isLikely: true }))
  useEffect(() => clearJoinResult, [])
  const memberId = buyer?.user.id
  useEffect(() => {
    if (memberId !== undefined) openPaidNotice()
  }, [memberId])
  return (
    <>
      <StepTitle isNext>Welcome to {brand.name}</StepTitle>
      {!isActive && (
        <Banner title="We’re still confirming your payment">
          We’ll email you as soon as your membership is active. Please don’t pay again.
        </Banner>
      )}
      <div className="purchase__done">
        <FirstPassword buyer={buyer} onTouch={stay} />
        <section className="purchase__part">
          {buyer && isActive && (
            <LazyPaidNotice session={buyer.session} memberId={buyer.user.id} billing={buyer.subscription} />
          )}
          {tier && (
            <>
              <h2 className="purchase__second">{tier.name} includes</h2>
              <IncludedList tier={tier} />
            </>
          )}
          <p className="purchase__ways">
            <ButtonLink to="/members" icon="arrow">
              Open the members’ area
            </ButtonLink>
            <TextLink isTap to="/">
              Home
            </TextLink>
          </p>
          {isWaiting && <RedirectNote onStay={stay} />}
        </section>
      </div>
    </>
  )
}

const RedirectNote = ({ onStay }: { onStay: () => void }) => (
  <p className="purchase__ways second">
    We’ll take you to the members’ area in 5 seconds.
    <Button look="bare" onClick={onStay}>
      Stay here
    </Button>
  </p>
)

/** Opens the members' area after 5 seconds, unless the member chooses to stay. */
function useOpenMembersArea() {
  const navigate = useNavigate()
  const [isWaiting, setWaiting] = useState(true)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => navigate({ to: '/members' }), openMembersMs)
    return () => clearTimeout(timer)
  }, [isWaiting, navigate])
  return { isWaiting, stay: () => setWaiting(false) }
}
