import { usePrefetchQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { PaymentStep } from '#pwa/features/payment/payment-step.tsx'
import { StepTitle } from '#pwa/features/payment/step-title.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { priceWithId } from '#shared/rules/tier-prices.ts'
import { ApplicationForm } from './application-form.tsx'
import { ChosenTier } from './chosen-tier.tsx'
import { isEmptyDraft, type Purchase } from './join-storage.ts'
import { type KnownPerson, KnownPersonBanner } from './known-person.tsx'
import { OtherTierStep, TierStep } from './tier.tsx'
import { type Join, stepIndexOf, stepNames, useJoin } from './use-join.ts'
import { readTiersAgain, useJoinTier } from './use-join-tiers.ts'
import { type MailedLink, useResume } from './use-resume.ts'
import { SuccessStep } from './welcome/success.tsx'
import '#pwa/features/payment/purchase.css'
import './join.css'

/** `continue` is an emailed link's token, `invitation` an owner's; the bank's page adds `redirect_status`. */
export type JoinSearch = { continue?: string; redirect_status?: string; invitation?: string }

const ContinueLink = lazy(() => loadFile(() => import('./continue-link.tsx')))
const Invited = lazy(() => loadFile(() => import('./invited.tsx')))

const bankRejection =
  'Your bank didn’t confirm the payment, so you haven’t been charged. Try again or use another card.'

export const JoinPage = ({ search }: { search: JoinSearch }) =>
  search.invitation ? (
    <div className="wrap purchase">
      <Suspense fallback={<Skeleton size="block" />}>
        <Invited link={search.invitation} />
      </Suspense>
    </div>
  ) : (
    <JoinSteps search={search} />
  )

function JoinSteps({ search }: { search: JoinSearch }) {
  const [initialSearch] = useState(search)
  // Step 2 can then show them without signal.
  usePrefetchQuery(tiersQuery)
  const join = useJoin()
  const token = initialSearch.continue
  const [link, setLink] = useState<MailedLink>(token ? 'waiting' : 'dead')
  const known = useResume(join, link)
  useArrival(join)
  const rejection = useRejection(initialSearch, join)
  const { state } = join
  if (token && link === 'waiting')
    return (
      <div className="wrap purchase">
        <Suspense fallback={<Skeleton size="block" />}>
          <ContinueLink token={token} onOver={setLink} />
        </Suspense>
      </div>
    )
  if (known && state.step === 'application' && isEmptyDraft(state.draft)) return <NothingToJoin person={known} />
  return (
    <div className="wrap purchase">
      <Stepper label="Joining" steps={stepNames} current={stepIndexOf(state)} />
      {rejection && state.step !== 'payment' && (
        <Banner tone="bad" title="Payment Setup Failed">
          {rejection}
        </Banner>
      )}
      {known && <KnownPersonBanner person={known} />}
      <Step join={join} rejection={rejection} />
    </div>
  )
}

/** Replaces the application, unless something's been typed into it. */
function NothingToJoin({ person }: { person: KnownPerson }) {
  const { brand } = useSiteContent()
  return (
    <div className="wrap purchase">
      <StepTitle isNext={false}>Join {brand.name}</StepTitle>
      <KnownPersonBanner person={person} />
    </div>
  )
}

function Step({ join, rejection }: { join: Join; rejection: string | null }) {
  const { brand } = useSiteContent()
  const { state, hasMoved } = join
  switch (state.step) {
    case 'application':
      return (
        <>
          <StepTitle isNext={hasMoved}>Join {brand.name}</StepTitle>
          <div className="join__apply">
            {state.tier && <ChosenTier chosen={state.tier} />}
            <ApplicationForm
              draft={state.draft}
              onWrite={join.write}
              onSubmit={join.submit}
              onKnownAddress={join.awaitLogin}
            />
          </div>
        </>
      )
    case 'tier-selection':
      return (
        <>
          <BackToApplication onBack={join.backToApplication} />
          <StepTitle isNext={hasMoved}>Choose your tier</StepTitle>
          {state.form ? (
            <TierStep form={state.form} tier={state.tier} onBuy={join.buy} />
          ) : (
            <OtherTierStep buyer={state.buyer} tier={state.tier} onBuy={join.buy} />
          )}
        </>
      )
    case 'payment':
      return <JoinPayment join={join} purchase={state.purchase} rejection={rejection} />
    case 'success':
      return <SuccessStep tierSlug={state.tierSlug} isActive={state.isActive} />
  }
}

type PaymentProps = {
  join: Join
  purchase: Purchase
  rejection: string | null
}

function JoinPayment({ join, purchase, rejection }: PaymentProps) {
  const client = useQueryClient()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const isLocked = isBusy || isConfirmed
  const { setLocked } = join
  useEffect(() => {
    setLocked(isLocked)
    return () => setLocked(false)
  }, [isLocked, setLocked])
  const tier = useJoinTier(purchase.tierSlug)
  const every =
    (tier && priceWithId(tier, purchase.priceId)?.every) ?? (purchase.priceId === undefined ? 'month' : 'year')
  const heading = (
    <div className="join__head">
      <StepTitle isNext={join.hasMoved}>Payment</StepTitle>
    </div>
  )
  return (
    <>
      {!isConfirmed && (
        <p className="purchase__ways">
          <BackToApplication onBack={() => !isLocked && join.backToApplication()} />
          <Button look="bare" onClick={() => !isLocked && join.changeTier()}>
            Change tier
          </Button>
        </p>
      )}
      <PaymentStep
        request={purchase}
        every={every}
        plan={{ name: tier?.name ?? 'Membership', features: tier?.features ?? [] }}
        heading={heading}
        returnTo="/membership-application"
        initialRejection={rejection === null ? null : { message: rejection, isDeclined: false }}
        onPriceChanged={() => readTiersAgain(client).finally(join.chooseTierAgain)}
        onBusy={setBusy}
        onConfirmed={() => {
          setConfirmed(true)
          join.clearStored()
        }}
        onFinished={({ isActive }) => join.finish(isActive)}
      />
    </>
  )
}

const BackToApplication = ({ onBack }: { onBack: () => void }) => (
  <TextLink
    isTap
    className="purchase__back"
    to="/membership-application"
    onClick={(event) => {
      event.preventDefault()
      onBack()
    }}
  >
    <Icon name="back" />
    Back to application
  </TextLink>
)

function useRejection(initialSearch: JoinSearch, { state: { step }, hasMoved }: Join): string | null {
  const [rejection, setRejection] = useState(initialSearch.redirect_status === 'failed' ? bankRejection : null)
  useEffect(() => {
    if (step === 'payment' || hasMoved) return () => setRejection(null)
  }, [step, hasMoved])
  return rejection
}

function useArrival({ state }: Join) {
  const toast = useToast()
  const arrive = useEffectEvent(() => {
    if (state.step === 'tier-selection')
      toast({ title: 'Welcome Back!', description: 'We’ve kept your application. Choose your tier to carry on.' })
  })
  useEffect(() => arrive(), [])
}
