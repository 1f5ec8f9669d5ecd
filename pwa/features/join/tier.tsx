import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { TierChooser, TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { isOffline } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type MembershipApplicationForm, MembershipApplicationResponse } from '#shared/contract/application.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { emptyApplication, readApplication, saveApplication } from './join-storage.ts'
import type { Buyer } from './use-join.ts'

type OnBuy = (buyer: Buyer, tier: MembershipTier) => void

type Props = { tier: TierSlug | null; onBuy: OnBuy }

export function TierStep({ form, tier, onBuy }: Props & { form: MembershipApplicationForm }) {
  const { send, sentTier, ...state } = useSendApplication(form, onBuy)
  return <Tiers came={tier} selected={sentTier?.slug ?? tier} {...state} onSelect={send} />
}

/** Step 2 again, after the application was sent. */
export const OtherTierStep = ({ buyer, tier, onBuy }: Props & { buyer: Buyer }) => (
  <Tiers
    came={null}
    selected={tier}
    isSending={false}
    hasNoSignal={false}
    onSelect={(chosen) => onBuy(buyer, chosen)}
  />
)

type TiersProps = {
  /** Chosen before this step: it stands alone on top, and the others are folded. */
  came: TierSlug | null
  selected: TierSlug | null
  isSending: boolean
  hasNoSignal: boolean
  onSelect: (tier: MembershipTier) => void
}

function Tiers({ came: arrivedWith, selected, isSending, hasNoSignal, onSelect }: TiersProps) {
  const state = useTiers()
  const [invited, setInvited] = useState<TierSlug | null>(null)
  const tierOf = (wanted: TierSlug | null) => state.tiers.find(({ slug }) => slug === wanted)
  const selectedTier = tierOf(invited ?? selected)
  const came = tierOf(arrivedWith)
  // For a tier by invitation, the first press only selects it. The next press, under a sentence that says so, sends.
  const choose = (tier: MembershipTier) => {
    setInvited(tier.isByInvitation ? tier.slug : null)
    if (!tier.isByInvitation) onSelect(tier)
  }
  return (
    <div className="purchase__stack">
      <p className="lead">Pick a tier to send your application. You don’t pay until the next step.</p>
      <h2 className="vh">The tiers</h2>
      {hasNoSignal && (
        <Banner tone="bad" role="status" title="No signal">
          Your details are still here, and you haven’t been charged. Try again when you’re back in range.
        </Banner>
      )}
      {came ? (
        <>
          <ContinueButton tier={came} isSending={isSending} onSelect={onSelect} />
          <TierChooser state={{ ...state, tiers: [came] }} selected={came.slug} onSelect={choose} />
          <details className="join__others" open={invited !== null && invited !== came.slug}>
            <summary>
              See the other tiers <Icon name="chev" />
            </summary>
            <TierChooser
              state={{ ...state, tiers: state.tiers.filter((tier) => tier !== came) }}
              selected={selectedTier?.slug}
              onSelect={choose}
            />
          </details>
        </>
      ) : (
        <TierChooser state={state} selected={selectedTier?.slug} onSelect={choose} />
      )}
      {selectedTier && selectedTier !== came && (
        <ContinueButton tier={selectedTier} isSending={isSending} onSelect={onSelect} />
      )}
      <p className="vh" role="status">
        {isSending && 'Sending your application'}
      </p>
      <TierTerms />
    </div>
  )
}

type ContinueProps = Pick<TiersProps, 'isSending' | 'onSelect'> & { tier: MembershipTier }

function ContinueButton({ tier, isSending, onSelect }: ContinueProps) {
  const press = useRef<HTMLDivElement>(null)
  const isInvited = tier.isByInvitation
  useEffect(() => {
    if (isInvited) press.current?.scrollIntoView({ block: 'nearest' })
  }, [isInvited])
  return (
    <div ref={press} className="purchase__press join__continue">
      {isInvited && (
        <p role="status">
          {tier.name} is by invitation, but you can ask for a place here. Continue and we’ll send the coaches your
          application, then take you to payment ({formatPoundsAndPence(withVat(tier.price).total)} a month).
        </p>
      )}
      <Button icon="arrow" isBusy={isSending} busyLabel="Sending your application…" onClick={() => onSelect(tier)}>
        Continue with {tier.name}
      </Button>
    </div>
  )
}

function useSendApplication(form: MembershipApplicationForm, onSent: OnBuy) {
  const toast = useToast()
  const { terms } = useSiteContent()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (tier: MembershipTier) => sendApplication(form, tier.slug, terms),
    onSuccess: ({ id }, tier) => {
      track({ name: 'form_submit', applicationType: 'membership' })
      toast({ title: 'Ready for Payment!', description: 'We’ve got your application. Payment is the last step.' })
      onSent({ email: form.email, name: `${form.firstName} ${form.lastName}`, applicationId: id }, tier)
    },
    onError: () =>
      toast({
        title: 'Application Failed',
        description: 'There was an error processing your application. Please try again.',
        tone: 'bad',
      }),
  })
  // `isPending` comes with the next render, and two presses can come before that.
  const isUnderWay = useRef(false)
  const send = (tier: MembershipTier) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(tier, {
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  const hasNoSignal = isOffline(error)
  return { send, sentTier: variables, isSending: isPending, hasNoSignal }
}

/** Sends the application with a tier. Retrying the same tier after a lost response makes no second application. */
async function sendApplication(form: MembershipApplicationForm, slug: TierSlug, termsVersion: string) {
  const headers = { 'idempotency-key': keyFor(form, slug) }
  const body = { ...form, selectedTier: slug, termsVersion }
  return parseResponse(MembershipApplicationResponse, api.api['membership-application'].post(body, { headers }))
}

/** An idempotency key for each choice of tier, stored with the application until it's sent. */
function keyFor(form: MembershipApplicationForm, slug: TierSlug): string {
  const { sending } = readApplication() ?? emptyApplication
  if (sending?.slug === slug) return sending.key
  const key = newKey()
  saveApplication({ ...emptyApplication, draft: form, isReady: true, tier: slug, sending: { slug, key } })
  return key
}
