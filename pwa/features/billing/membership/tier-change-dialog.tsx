import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBanner, OnlineButton } from '#pwa/features/billing/billing.tsx'
import { useBillingAction, useNextPayment } from '#pwa/features/billing/queries.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { useReportDone } from '#pwa/features/billing/use-section-focus.ts'
import { PriceSwitch, usePeriod } from '#pwa/features/tiers/price-switch.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { isChoiceOver } from '#pwa/lib/request-error.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription, NextPayment, NextPlan } from '#shared/contract/billing.ts'
import type { MembershipTier, OfferedPrice, PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import type { UpgradePreview } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { formatPlanPrice } from '#shared/rules/price-words.ts'
import { changeStarts, netsOf } from '#shared/rules/tier-changes.ts'
import { besidePrice, everyOfPeriod, priceFor } from '#shared/rules/tier-prices.ts'
import { ConfirmDialog } from './cancel-resume-dialog.tsx'
import { changeNames, tierChangeTexts, upgradeTexts } from './dialog-texts.ts'
import { type Start, StartChoice } from './upgrade.tsx'
import { useUpgrade } from './use-upgrade.ts'

type Choice = { tier: MembershipTier; price: OfferedPrice }

export function TierChangeDialog() {
  const { billing, hasSignal } = useBillingContext()
  const [isOpen, setOpen] = useState(false)
  const [slug, setSlug] = useState<TierSlug | null>(null)
  const { tiers, isLoading, retry } = useTiers()
  const period = usePeriod(periodOfPlan(billing))
  const chosen = choiceOf(tiers, slug, period.every)
  const dearer = isOpen && chosen && canStartToday(billing, tiers, chosen) ? chosen : null
  const next = useNextPayment(
    isOpen && chosen ? { change: 'tier', tierSlug: chosen.tier.slug, priceId: chosen.price.id } : null,
  )
  const close = () => setOpen(false)
  const changeTier = useTierChange(close)
  const { start, choose, today, upgrade } = useStart(dearer, close)
  const chooseTier = (next: TierSlug | null) => {
    setSlug(next)
    choose('next-bill')
  }
  const choosePeriod = (every: PricePeriod) => {
    period.onChange(every)
    chooseTier(null)
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
        texts={start === 'today' ? todayTexts(billing, chosen, today) : textsOf(billing, chosen, next)}
        confirm={start === 'today' ? payLabels(today) : changeLabels(billing, chosen)}
        cancelLabel={billing.plan ? `Keep ${billing.plan.name}` : 'Keep my tier'}
        errorTitle="We couldn’t change your tier"
        action={start === 'today' ? upgrade.action : changeTier}
        onConfirm={() => (today ? upgrade.start(today) : chosen && changeTier.mutate(chosen))}
      >
        {isLoading && <Skeleton size="block" />}
        {!isLoading && tiers.length === 0 && <TiersNotLoaded onRetry={retry} />}
        <PriceSwitch tiers={tiers} every={period.every} onChange={choosePeriod} />
        <TierChoice tiers={tiers} every={period.every} chosen={slug} onChoose={chooseTier} />
        {dearer && <StartChoice price={dearer.price} next={next} upgrade={upgrade} start={start} onChoose={choose} />}
      </ConfirmDialog>
    </>
  )
}

/** `today` is what it costs; undefined until we know, and then there's nothing to confirm. */
function useStart(dearer: Choice | null, onDone: () => void) {
  const [chosen, setChosen] = useState<Start>('next-bill')
  const upgrade = useUpgrade(dearer, onDone)
  const start: Start = dearer && !upgrade.preview.error ? chosen : 'next-bill'
  const choose = (next: Start) => {
    setChosen(next)
    upgrade.action.reset()
  }
  return { start, choose, upgrade, today: start === 'today' ? upgrade.preview.data : undefined }
}

/** How often they pay now. */
const periodOfPlan = ({ plan }: BillingSubscription): PricePeriod | undefined =>
  plan === null ? undefined : everyOfPeriod(plan)

function choiceOf(tiers: readonly MembershipTier[], slug: TierSlug | null, every: PricePeriod): Choice | null {
  const tier = tiers.find((one) => one.slug === slug)
  const price = tier && priceFor(tier, every)
  return price ? { tier, price } : null
}

/** By the rule’s table, and not before the first payment. The server knows the other reasons. */
function canStartToday(billing: BillingSubscription, tiers: readonly MembershipTier[], { tier, price }: Choice) {
  const { status, plan } = billing
  const every = periodOfPlan(billing)
  if (status !== 'active' || plan === null || every === undefined) return false
  const now = tiers.find(({ slug }) => slug === plan.slug)
  const nets = { from: netsOf(now?.prices ?? []), to: netsOf(tier.prices) }
  const from = { tierSlug: plan.slug, every, net: plan.net }
  return changeStarts(from, { tierSlug: tier.slug, ...price }, nets) === 'today'
}

/** As the texts name it. */
const namedOf = ({ tier, price }: Choice) => ({ name: tier.name, every: price.every })

const textsOf = (billing: BillingSubscription, chosen: Choice | null, next: NextPayment | null) =>
  chosen ? tierChangeTexts(billing, namedOf(chosen), next) : ['You won’t be charged today.']

const todayTexts = (billing: BillingSubscription, chosen: Choice | null, today: UpgradePreview | undefined) =>
  chosen && today ? upgradeTexts(billing, chosen.price.every, today) : []

const payLabels = (today: UpgradePreview | undefined) =>
  today
    ? ({
        label: today.due > 0 ? `Pay ${formatPoundsAndPence(today.due)} and start today` : 'Start today',
        busyLabel: today.due > 0 ? 'Paying…' : 'Starting…',
        icon: today.due > 0 ? 'lock' : 'tick',
      } as const)
    : null

const changeLabels = (billing: BillingSubscription, chosen: Choice | null) =>
  chosen
    ? ({
        label: `Change to ${changeNames(billing, namedOf(chosen)).to}`,
        busyLabel: 'Changing…',
        icon: 'tick',
      } as const)
    : null

function useTierChange(onClose: () => void) {
  const queryClient = useQueryClient()
  const reportDone = useReportDone()
  const action = useBillingAction<Choice>(
    (api, { tier, price }) => api['change-tier'].post({ tierSlug: tier.slug, priceId: price.id, tierPrice: price.net }),
    ({ nextPlan, ...booked }) => {
      onClose()
      if (nextPlan)
        reportDone('Change booked', `${bookedName(booked, nextPlan)} from ${formatLongDate(nextPlan.from)}.`)
    },
  )
  const reloadTiers = () => queryClient.fetchQuery({ ...tiersQuery, staleTime: 0 }).catch(() => {})
  const mutate = (choice: Choice) =>
    action.mutate(choice, {
      onError: (error) => {
        if (isChoiceOver(error)) reloadTiers()
      },
    })
  return { ...action, mutate }
}

type ChoiceProps = {
  tiers: readonly MembershipTier[]
  every: PricePeriod
  chosen: TierSlug | null
  onChoose: (slug: TierSlug) => void
}

function TierChoice({ tiers, every, chosen, onChoose }: ChoiceProps) {
  const { billing } = useBillingContext()
  const noteOf = (slug: TierSlug, price: OfferedPrice) => {
    const { plan, nextPlan } = billing
    if (slug === plan?.slug && price.every === periodOfPlan(billing)) return 'Your tier now'
    const isBooked = slug === nextPlan?.slug && everyOfPeriod(nextPlan) === price.every
    return isBooked ? `Booked from ${formatLongDate(nextPlan.from)}` : undefined
  }
  return (
    <RadioCards label="Tiers">
      {tiers.map((tier) => {
        const { slug, name } = tier
        const price = priceFor(tier, every)
        if (price === undefined) return null
        const note = noteOf(slug, price)
        return (
          <RadioCard
            key={slug}
            name="tier"
            value={slug}
            title={name}
            second={note ?? (price.every === 'year' ? besidePrice(tier, price) : undefined)}
            figure={
              <span className="billing__price">
                <b>{formatPounds(price.net)}</b> <span className="second">+ VAT/{price.every}</span>
              </span>
            }
            checked={slug === chosen}
            disabled={note !== undefined}
            onChange={() => onChoose(slug)}
          />
        )
      })}
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

/** With its period where that’s another one than now. */
const bookedName = ({ plan }: Pick<BillingSubscription, 'plan'>, nextPlan: NextPlan) =>
  changeNames({ plan }, { name: nextPlan.name, every: everyOfPeriod(nextPlan) }).to

export function BookedTierChange() {
  const { billing, actions } = useBillingContext()
  const reportDone = useReportDone()
  const undo = useBillingAction(
    (api) => api['change-tier'].delete(),
    ({ plan }) => reportDone('Change undone', plan ? `You’re staying on ${plan.name}.` : 'Your tier hasn’t changed.'),
  )
  const { nextPlan, plan } = billing
  if (nextPlan === null) return null
  const isNewPrice = nextPlan.slug === plan?.slug && everyOfPeriod(nextPlan) === everyOfPeriod(plan)
  const what = isNewPrice ? 'Your new price' : bookedName(billing, nextPlan)
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
