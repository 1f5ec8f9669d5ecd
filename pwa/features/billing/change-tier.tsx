import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatMonthlyPrice, formatPounds, withVat } from '#shared/rules/money.ts'
import { tierChangeWords } from './charge-words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useBillingCall, useDesk, useSayDone } from './desk.ts'
import { Refused } from './refused.tsx'

/** Chooses the tier that the next payment is for. */
export function ChangeTier() {
  const [isOpen, setOpen] = useState(false)
  const [chosen, choose] = useState<TierSlug | null>(null)
  const open = () => {
    choose(null)
    setOpen(true)
  }
  return (
    <>
      <Button look="line" aria-haspopup="dialog" onClick={open}>
        Change tier
      </Button>
      <TierDialog isOpen={isOpen} onClose={() => setOpen(false)} chosen={chosen} onChoose={choose} />
    </>
  )
}

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  chosen: TierSlug | null
  onChoose: (slug: TierSlug) => void
}

function TierDialog({ isOpen, onClose, chosen, onChoose }: DialogProps) {
  const { billing } = useDesk()
  const { tiers, isLoading, retry } = useTiers()
  const queryClient = useQueryClient()
  const sayDone = useSayDone()
  const tier = tiers.find(({ slug }) => slug === chosen)
  const call = useBillingCall<MembershipTier>(
    (api, { slug, price }) => api['change-tier'].post({ tierSlug: slug, tierPrice: price }),
    ({ nextPlan }) => {
      onClose()
      if (nextPlan) sayDone('Tier changed', `${nextPlan.name} from ${formatLongDate(nextPlan.from)}.`)
    },
  )
  const change = (to: MembershipTier) =>
    call.mutate(to, {
      onError: (error) => {
        // What is shown here is out of date.
        if (error instanceof RequestError && error.code === 'price_changed')
          queryClient.fetchQuery(stale).catch(() => {})
      },
    })
  const lines = tier
    ? tierChangeWords(billing, { name: tier.name, ...withVat(tier.price) })
    : ['Nothing is taken today.']
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Change tier"
      lines={lines}
      confirm={tier ? { label: `Change to ${tier.name}`, busyLabel: 'Changing…', icon: 'tick' } : null}
      keep={billing.plan ? `Keep ${billing.plan.name}` : 'Keep it as it is'}
      refused="Tier not changed"
      call={call}
      onConfirm={() => tier && change(tier)}
    >
      {isLoading && <Skeleton size="block" />}
      {!isLoading && tiers.length === 0 && <NoTiers onRetry={retry} />}
      <TierChoice tiers={tiers} chosen={chosen} onChoose={onChoose} />
    </ConfirmDialog>
  )
}

const stale = { ...tiersQuery, staleTime: 0 }

type ChoiceProps = { tiers: readonly MembershipTier[]; chosen: TierSlug | null; onChoose: (slug: TierSlug) => void }

function TierChoice({ tiers, chosen, onChoose }: ChoiceProps) {
  const { billing } = useDesk()
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

const NoTiers = ({ onRetry }: { onRetry: () => void }) => (
  <p>
    The tiers could not be loaded.{' '}
    <Button look="bare" isSmall onClick={onRetry}>
      Retry
    </Button>
  </p>
)

/** The change that is booked, and the way back. */
export function BookedTier() {
  const { billing, actions, hasSignal } = useDesk()
  const sayDone = useSayDone()
  const call = useBillingCall(
    (api) => api['change-tier'].delete(),
    ({ plan }) => sayDone('Change undone', plan ? `You stay with ${plan.name}.` : 'Your tier stays as it is.'),
  )
  const { nextPlan } = billing
  if (nextPlan === null) return null
  return (
    <div className="billing__booked">
      <p>
        <b>
          {nextPlan.name} from {formatLongDate(nextPlan.from)}
        </b>
        <span className="second">{formatMonthlyPrice(nextPlan.net)}</span>
      </p>
      {actions.undoTier && (
        <Button
          look="line"
          isSmall
          icon={hasSignal ? 'undo' : 'nosignal'}
          disabled={!hasSignal}
          isBusy={call.isPending}
          busyLabel="Undoing…"
          onClick={() => call.mutate()}
        >
          {hasSignal ? 'Undo' : 'Needs signal'}
        </Button>
      )}
      <Refused title="Not undone" error={call.error} />
    </div>
  )
}
