import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBanner, OnlineButton } from '#pwa/features/billing/billing.tsx'
import { useBillingAction, useNextPayment } from '#pwa/features/billing/queries.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { useReportDone } from '#pwa/features/billing/use-section-focus.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription, NextPayment } from '#shared/contract/billing.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import type { UpgradePreview } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { everyPeriod, formatPlanPrice } from '#shared/rules/price-words.ts'
import { ConfirmDialog } from './cancel-resume-dialog.tsx'
import { type Said, tierChangeTexts, upgradeTexts } from './dialog-texts.ts'
import { type Start, StartChoice } from './upgrade.tsx'
import { useUpgrade } from './use-upgrade.ts'

export function TierChangeDialog() {
  const { billing, hasSignal } = useBillingContext()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<TierSlug | null>(null)
  const { tiers, isLoading, retry } = useTiers()
  const tier = tiers.find(({ slug }) => slug === chosen)
  const dearer = isOpen && tier && canStartToday(billing, tier) ? tier : null
  const next = useNextPayment(isOpen && tier ? { change: 'tier', tierSlug: tier.slug } : null)
  const close = () => setOpen(false)
  const changeTier = useTierChange(close)
  const { start, choose, today, upgrade } = useStart(dearer, close)
  const chooseTier = (slug: TierSlug | null) => {
    setChosen(slug)
    choose('next-bill')
  }
  const open = () => {
    chooseTier(null)
    setOpen(true)
  }
  return (
    <>
      <Button
        look="line"
        icon={hasSignal ? undefined : 'nosignal'}
        second={hasSignal ? undefined : 'Needs signal'}
        disabled={!hasSignal}
        aria-haspopup="dialog"
        onClick={open}
      >
        Change tier
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Change tier"
        texts={start === 'today' ? todayTexts(today) : textsOf(billing, tier, next)}
        confirm={start === 'today' ? payLabels(today) : changeLabels(tier)}
        cancelLabel={billing.plan ? `Keep ${billing.plan.name}` : 'Keep my tier'}
        errorTitle="We couldn’t change your tier"
        action={start === 'today' ? upgrade.action : changeTier}
        onConfirm={() => (today ? upgrade.start(today) : tier && changeTier.mutate(tier))}
      >
        {isLoading && <Skeleton size="block" />}
        {!isLoading && tiers.length === 0 && <TiersNotLoaded onRetry={retry} />}
        <TierChoice tiers={tiers} chosen={chosen} onChoose={chooseTier} />
        {dearer && <StartChoice tier={dearer} next={next} upgrade={upgrade} start={start} onChoose={choose} />}
      </ConfirmDialog>
    </>
  )
}

/** `today` is what it costs; undefined until we know, and then there's nothing to confirm. */
function useStart(dearer: MembershipTier | null, onDone: () => void) {
  const [chosen, setChosen] = useState<Start>('next-bill')
  const upgrade = useUpgrade(dearer, onDone)
  const start: Start = dearer && !upgrade.preview.error ? chosen : 'next-bill'
  const choose = (next: Start) => {
    setChosen(next)
    upgrade.action.reset()
  }
  return { start, choose, upgrade, today: start === 'today' ? upgrade.preview.data : undefined }
}

/** Only a dearer tier can, from a monthly price, and not before the first payment. The server knows the other reasons. */
const canStartToday = ({ status, plan }: BillingSubscription, { price }: MembershipTier) =>
  status === 'active' && plan !== null && everyPeriod(plan) === everyPeriod() && price > plan.net

function textsOf(billing: BillingSubscription, tier: MembershipTier | undefined, next: NextPayment | null): Said[] {
  if (tier === undefined) return ['You won’t be charged today.']
  return tierChangeTexts(billing, tier, next)
}

const todayTexts = (today: UpgradePreview | undefined) => (today ? upgradeTexts(today) : [])

const payLabels = (today: UpgradePreview | undefined) =>
  today
    ? ({
        label: today.due > 0 ? `Pay ${formatPoundsAndPence(today.due)} and start today` : 'Start today',
        busyLabel: today.due > 0 ? 'Paying…' : 'Starting…',
        icon: today.due > 0 ? 'lock' : 'tick',
      } as const)
    : null

const changeLabels = (tier: MembershipTier | undefined) =>
  tier ? ({ label: `Change to ${tier.name}`, busyLabel: 'Changing…', icon: 'tick' } as const) : null

function useTierChange(onClose: () => void) {
  const queryClient = useQueryClient()
  const reportDone = useReportDone()
  const action = useBillingAction<MembershipTier>(
    (api, { slug, price }) => api['change-tier'].post({ tierSlug: slug, tierPrice: price }),
    ({ nextPlan }) => {
      onClose()
      if (nextPlan) reportDone('Tier changed', `${nextPlan.name} from ${formatLongDate(nextPlan.from)}.`)
    },
  )
  const reloadTiers = () => queryClient.fetchQuery({ ...tiersQuery, staleTime: 0 }).catch(() => {})
  const mutate = (tier: MembershipTier) =>
    action.mutate(tier, {
      onError: (error) => {
        if (error instanceof RequestError && error.code === 'price_changed') reloadTiers()
      },
    })
  return { ...action, mutate }
}

type ChoiceProps = { tiers: readonly MembershipTier[]; chosen: TierSlug | null; onChoose: (slug: TierSlug) => void }

function TierChoice({ tiers, chosen, onChoose }: ChoiceProps) {
  const { billing } = useBillingContext()
  const noteOf = (slug: TierSlug) => {
    if (slug === billing.plan?.slug) return 'Your tier now'
    return slug === billing.nextPlan?.slug ? `Booked from ${formatLongDate(billing.nextPlan.from)}` : undefined
  }
  return (
    <RadioCards label="Tiers">
      {tiers.map(({ slug, name, price }) => (
        <RadioCard
          key={slug}
          name="tier"
          value={slug}
          title={name}
          second={noteOf(slug)}
          figure={
            <span className="billing__price">
              <b>{formatPounds(price)}</b> <span className="second">+ VAT/month</span>
            </span>
          }
          checked={slug === chosen}
          disabled={noteOf(slug) !== undefined}
          onChange={() => onChoose(slug)}
        />
      ))}
    </RadioCards>
  )
}

const TiersNotLoaded = ({ onRetry }: { onRetry: () => void }) => (
  <p>
    We couldn’t load the tiers.{' '}
    <Button look="bare" isSmall onClick={onRetry}>
      Retry
    </Button>
  </p>
)

export function BookedTierChange() {
  const { billing, actions } = useBillingContext()
  const reportDone = useReportDone()
  const undo = useBillingAction(
    (api) => api['change-tier'].delete(),
    ({ plan }) => reportDone('Change undone', plan ? `You’re staying on ${plan.name}.` : 'Your tier hasn’t changed.'),
  )
  const { nextPlan, plan } = billing
  if (nextPlan === null) return null
  const what = nextPlan.slug === plan?.slug ? 'Your new price' : nextPlan.name
  return (
    <div className="billing__booked">
      <p>
        <b>
          {what} from {formatLongDate(nextPlan.from)}
        </b>
        <span className="second">{formatPlanPrice(nextPlan)}</span>
      </p>
      {actions.undoTier && (
        <OnlineButton
          label="Undo"
          icon="undo"
          isBusy={undo.isPending}
          busyLabel="Undoing…"
          onClick={() => undo.mutate()}
        />
      )}
      <ErrorBanner title="We couldn’t undo it" error={undo.error} />
    </div>
  )
}
