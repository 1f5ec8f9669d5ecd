import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { PriceSwitch, usePeriod } from '#pwa/features/tiers/price-switch.tsx'
import { TierChooser, TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { isChoiceOver, isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type MembershipApplicationForm, MembershipApplicationResponse } from '#shared/contract/application.ts'
import type { MembershipTier, OfferedPrice, PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { type ChosenTier, chosenOf, everyText, periodOf, priceFor } from '#shared/rules/tier-prices.ts'
import { emptyApplication, readApplication, saveApplication } from './join-storage.ts'
import type { Buyer } from './use-join.ts'
import { readTiersAgain, useJoinTiers } from './use-join-tiers.ts'

type OnBuy = (buyer: Buyer, tier: MembershipTier, price: OfferedPrice) => void

type Props = { tier: ChosenTier | null; onBuy: OnBuy }

export function TierStep({ form, tier, onBuy }: Props & { form: MembershipApplicationForm }) {
  const { send, sent, ...state } = useSendApplication(form, onBuy)
  return <Tiers came={tier} selected={sent ? chosenOf(sent.tier, sent.price) : tier} {...state} onSelect={send} />
}

/** Step 2 again, after the application was sent. */
export const OtherTierStep = ({ buyer, tier, onBuy }: Props & { buyer: Buyer }) => (
  <Tiers
    came={null}
    selected={tier}
    isSending={false}
    hasNoSignal={false}
    onSelect={(chosen, price) => onBuy(buyer, chosen, price)}
  />
)

type TiersProps = {
  /** Chosen before this step: it stands alone on top, and the others are folded. */
  came: ChosenTier | null
  selected: ChosenTier | null
  isSending: boolean
  hasNoSignal: boolean
  onSelect: (tier: MembershipTier, price: OfferedPrice) => void
}

function Tiers({ came: arrivedWith, selected, isSending, hasNoSignal, onSelect }: TiersProps) {
  const { invitedTo, ...state } = useJoinTiers()
  const [pressed, setPressed] = useState<ChosenTier | null>(null)
  const tierOf = (wanted: ChosenTier | null) => state.tiers.find(({ slug }) => slug === wanted?.slug)
  const chosen = pressed ?? selected
  const selectedTier = tierOf(chosen)
  const came = tierOf(arrivedWith)
  const period = usePeriod(periodOf(state.tiers, chosen))
  // For a tier by invitation, the first press only selects it. The next press, under a sentence that says so, sends.
  const choose = (tier: MembershipTier, price: OfferedPrice) => {
    setPressed(tier.isByInvitation ? chosenOf(tier, price) : null)
    if (!tier.isByInvitation) onSelect(tier, price)
  }
  const going = { every: period.every, invitedTo, isSending, onSelect }
  return (
    <div className="purchase__stack">
      <p className="lead">Pick a tier to send your application. You don’t pay until the next step.</p>
      <h2 className="vh">The tiers</h2>
      {hasNoSignal && (
        <Banner tone="bad" role="status" title="No signal">
          Your details are still here, and you haven’t been charged. Try again when you’re back in range.
        </Banner>
      )}
      <PriceSwitch tiers={state.tiers} {...period} />
      {came ? (
        <>
          <ContinueButton tier={came} {...going} />
          <TierChooser
            state={{ ...state, tiers: [came] }}
            period={period}
            selected={selectedAt(came, period.every)}
            onSelect={choose}
          />
          <details className="join__others" open={pressed !== null && pressed.slug !== came.slug}>
            <summary>
              See the other tiers <Icon name="chev" />
            </summary>
            <TierChooser
              state={{ ...state, tiers: state.tiers.filter((tier) => tier !== came) }}
              period={period}
              selected={chosen}
              onSelect={choose}
            />
          </details>
        </>
      ) : (
        <TierChooser state={state} period={period} selected={chosen} onSelect={choose} />
      )}
      {selectedTier && selectedTier !== came && <ContinueButton tier={selectedTier} {...going} />}
      <p className="vh" role="status">
        {isSending && 'Sending your application'}
      </p>
      <TierTerms />
    </div>
  )
}

/** On the card that came along, the switch chooses which of its prices is meant. */
function selectedAt(tier: MembershipTier, every: PricePeriod): ChosenTier {
  const price = priceFor(tier, every)
  return price ? chosenOf(tier, price) : tier
}

type ContinueProps = Pick<TiersProps, 'isSending' | 'onSelect'> & {
  tier: MembershipTier
  every: PricePeriod
  invitedTo: TierSlug | null
}

function ContinueButton({ tier, every, invitedTo, isSending, onSelect }: ContinueProps) {
  const price = priceFor(tier, every)
  const press = useRef<HTMLDivElement>(null)
  const { isByInvitation } = tier
  useEffect(() => {
    if (isByInvitation) press.current?.scrollIntoView({ block: 'nearest' })
  }, [isByInvitation])
  if (price === undefined) return null
  return (
    <div ref={press} className="purchase__press join__continue">
      {isByInvitation && (
        <p role="status">
          {tier.slug === invitedTo
            ? `You’re invited to ${tier.name}.`
            : `${tier.name} is by invitation, but you can ask for a place here.`}{' '}
          Continue and we’ll send the coaches your application, then take you to payment (
          {formatPoundsAndPence(price.total)} {everyText(price.every)}).
        </p>
      )}
      <Button
        icon="arrow"
        isBusy={isSending}
        busyLabel="Sending your application…"
        onClick={() => onSelect(tier, price)}
      >
        Continue with {tier.name}
      </Button>
    </div>
  )
}

type Sent = { tier: MembershipTier; price: OfferedPrice }

function useSendApplication(form: MembershipApplicationForm, onSent: OnBuy) {
  const toast = useToast()
  const client = useQueryClient()
  const { terms } = useSiteContent()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ tier, price }: Sent) => sendApplication(form, chosenOf(tier, price), terms),
    onSuccess: ({ id }, { tier, price }) => {
      track({ name: 'form_submit', applicationType: 'membership' })
      toast({ title: 'Ready for Payment!', description: 'We’ve got your application. Payment is the last step.' })
      onSent({ email: form.email, name: `${form.firstName} ${form.lastName}`, applicationId: id }, tier, price)
    },
    onError: (error) => {
      const isOutdated = isChoiceOver(error)
      const general = 'There was an error processing your application. Please try again.'
      const description = isOutdated ? messageOf(error, general) : general
      toast({ title: 'Application Failed', description, tone: 'bad' })
      if (isOutdated) readTiersAgain(client).catch(reportError)
    },
  })
  // `isPending` comes with the next render, and two presses can come before that.
  const isUnderWay = useRef(false)
  const send = (tier: MembershipTier, price: OfferedPrice) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(
      { tier, price },
      {
        onSettled: () => {
          isUnderWay.current = false
        },
      },
    )
  }
  const hasNoSignal = isOffline(error)
  return { send, sent: variables, isSending: isPending, hasNoSignal }
}

/** Sends the application with a tier. Retrying the same tier after a lost response makes no second application. */
async function sendApplication(form: MembershipApplicationForm, tier: ChosenTier, termsVersion: string) {
  const headers = { 'idempotency-key': keyFor(form, tier) }
  const body = { ...form, selectedTier: tier.slug, priceId: tier.priceId, termsVersion }
  return parseResponse(MembershipApplicationResponse, api.api['membership-application'].post(body, { headers }))
}

/** An idempotency key for each choice of tier, stored with the application until it's sent. */
function keyFor(form: MembershipApplicationForm, { slug, priceId }: ChosenTier): string {
  const { sending } = readApplication() ?? emptyApplication
  if (sending?.slug === slug && sending.priceId === priceId) return sending.key
  const key = newKey()
  saveApplication({
    ...emptyApplication,
    draft: form,
    isReady: true,
    tier: slug,
    priceId,
    sending: { slug, priceId, key },
  })
  return key
}
