import { usePrefetchQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { StepTitle } from '#pwa/features/payment/step-title-section.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { ApplicationStep } from './application-step.tsx'
import { BackToApplication } from './back-to-application.tsx'
import { JoinPayment } from './join-payment.tsx'
import type { JoinSearch } from './join-search.ts'
import { placeOf, stepNames } from './join-state.ts'
import { JoinSuccess } from './success-step.tsx'
import { ApplyWithTier, ChooseTierAgain } from './tier-step.tsx'
import { type Join, useJoin } from './use-join.ts'
import { useContinueLink, useResume } from './use-resume.ts'
import '#pwa/features/payment/purchase.css'
import './join.css'

const bankRefused = 'Your bank did not confirm the payment. Nothing has been taken. Try again, or use another card.'

/** Joining: application, tier, payment, done. It goes on where it was left on this device. */
export function JoinPage({ search }: { search: JoinSearch }) {
  const [arrival] = useState(search)
  // Step 2 then needs no signal to show them.
  usePrefetchQuery(tiersQuery)
  const join = useJoin()
  const link = useContinueLink(arrival.continue)
  const { isMember } = useResume(join, link)
  useArrival(arrival, join)
  const failure = arrival.redirect_status === 'failed' ? bankRefused : null
  const { state } = join
  return (
    <div className="wrap purchase">
      <Stepper label="Joining" steps={stepNames} current={placeOf(state)} />
      {failure && state.step === 'application' && (
        <Banner tone="bad" title="Payment Setup Failed">
          {failure}
        </Banner>
      )}
      {isMember && <MemberAlready />}
      {link.isContinuing ? <Skeleton size="block" /> : <Step join={join} failure={failure} />}
    </div>
  )
}

function Step({ join, failure }: { join: Join; failure: string | null }) {
  const { brand } = useSiteContent()
  const { state, hasMoved } = join
  switch (state.step) {
    case 'application':
      return (
        <>
          <StepTitle isNext={hasMoved}>Join {brand.name}</StepTitle>
          <ApplicationStep draft={state.draft} onWrite={join.write} onSubmit={join.submit} />
        </>
      )
    case 'tier-selection':
      return (
        <>
          <BackToApplication onBack={join.edit} />
          <StepTitle isNext={hasMoved}>Choose your tier</StepTitle>
          {state.form ? (
            <ApplyWithTier form={state.form} tier={state.tier} onBuy={join.buy} />
          ) : (
            <ChooseTierAgain buyer={state.buyer} tier={state.tier} onBuy={join.buy} />
          )}
        </>
      )
    case 'payment':
      return <JoinPayment join={join} purchase={state.purchase} failure={failure} />
    case 'success':
      return <JoinSuccess tierSlug={state.tierSlug} isActive={state.isActive} />
  }
}

const MemberAlready = () => (
  <Banner
    tone="ok"
    title="You already have a membership"
    action={
      <ButtonLink to="/members" search={{ tab: 'billing' }} isSmall icon="arrow">
        Open Billing
      </ButtonLink>
    }
  >
    You need not join again.
  </Banner>
)

/** Says what the arrival means, once, and takes it out of the address. */
function useArrival(arrival: JoinSearch, { state }: Join) {
  const toast = useToast()
  const navigate = useNavigate()
  const arrive = useEffectEvent(() => {
    const isResumed = state.step === 'tier-selection'
    if (isResumed)
      toast({ title: 'Welcome Back!', description: 'Your application is kept. Choose your tier to go on.' })
    if (arrival.redirect_status === 'failed')
      toast({ title: 'Payment Setup Failed', description: bankRefused, tone: 'bad' })
    if (Object.keys(arrival).length > 0) navigate({ to: '/membership-application', search: {}, replace: true })
  })
  useEffect(() => arrive(), [])
}
