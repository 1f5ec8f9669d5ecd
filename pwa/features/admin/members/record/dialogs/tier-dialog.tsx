import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import type { DialogProps } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { nextBillText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { BillingSubscription } from '#shared/contract/billing.ts'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { UpgradePreview, UpgradeResult } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { nextText, priceText } from '#shared/rules/payment-words.ts'
import { everyOfPeriod, priceText as priceOf } from '#shared/rules/tier-prices.ts'
import { useNextPayment } from './use-next-payment.ts'

type Offer = { tier: MembershipTier; price: OfferedPrice }

/** Every price they don’t pay now, and those of other tiers first. */
function offersFor({ plan }: BillingSubscription, tiers: readonly MembershipTier[]): Offer[] {
  const isSame = ({ tier }: Offer) => tier.slug === plan?.slug
  const all = tiers.flatMap((tier) => tier.prices.map((price) => ({ tier, price })))
  const others = all.filter((offer) => !(isSame(offer) && plan && everyOfPeriod(plan) === offer.price.every))
  return others.toSorted((a, b) => Number(isSame(a)) - Number(isSame(b)))
}

export function TierDialog(props: DialogProps) {
  const { record } = props
  const { tiers } = useTiers()
  const offers = offersFor(record.billing, tiers)
  const [priceId, setPriceId] = useState<string>()
  const [when, setWhen] = useState<'next' | 'today'>('next')
  const offer = offers.find(({ price }) => price.id === priceId) ?? offers[0]
  if (offer === undefined) return null
  const choice = (
    <>
      <SelectField label="Tier" value={offer.price.id} onChange={({ target }) => setPriceId(target.value)}>
        {offers.map(({ tier, price }) => (
          <option key={price.id} value={price.id}>
            {tier.name}, {priceOf(price)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="From"
        value={when}
        onChange={({ target }) => setWhen(target.value === 'today' ? 'today' : 'next')}
      >
        <option value="next">the next bill</option>
        <option value="today">today</option>
      </SelectField>
    </>
  )
  return when === 'next' ? (
    <NextBill {...props} {...offer} choice={choice} />
  ) : (
    <Today key={offer.price.id} {...props} {...offer} choice={choice} />
  )
}

type ChoiceProps = DialogProps & Offer & { choice: React.ReactNode }

const asked = ({ tier, price }: Offer) => ({ tierSlug: tier.slug, priceId: price.id, tierPrice: price.net })

function NextBill({ record, name, onClose, tier, price, choice }: ChoiceProps) {
  const next = useNextPayment(record, { change: 'tier', tierSlug: tier.slug, priceId: price.id })
  const { subscription } = api.api.admin.members({ memberId: record.member.id })
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => subscription.tier.post(asked({ tier, price })),
    failure: 'We couldn’t change the tier',
    done: { title: 'Tier change booked', description: `${name}: ${tier.name}` },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Change ${name}’s tier?`}
      button="Book tier change"
      busy="Booking…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      {choice}
      <p>{nextBillText(record, next)}</p>
    </ActionDialog>
  )
}

function Today({ record, name, onClose, tier, price, choice }: ChoiceProps) {
  const { upgrade } = api.api.admin.members({ memberId: record.member.id })
  const preview = useQuery({
    queryKey: [`${adminKey}-upgrade`, record.member.id, price.id],
    queryFn: () => parseResponse(UpgradePreview, upgrade.preview.post(asked({ tier, price }))),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const action = useAdminAction({
    schema: UpgradeResult,
    send: () => upgrade.post({ attemptId: preview.data?.attemptId ?? '' }),
    failure: 'We couldn’t change the tier',
    done: { title: 'Tier changed', description: `${name}: ${tier.name}` },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Change ${name}’s tier?`}
      button={preview.data?.due === 0 ? 'Upgrade today' : 'Charge them and upgrade today'}
      busy="Changing…"
      isDisabled={preview.data === undefined}
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      {choice}
      {preview.data ? (
        <PreviewText {...preview.data} />
      ) : preview.error ? (
        <Banner tone="bad" role="alert" title={messageOf(preview.error, 'We couldn’t work out the price.')} />
      ) : (
        <Skeleton size="line" />
      )}
    </ActionDialog>
  )
}

const PreviewText = ({ charge, credit, card, nextBill, ...today }: UpgradePreview) => (
  <>
    <p>
      {today.due > 0 ? (
        <>
          We’ll take <b>{formatPoundsAndPence(today.due)}</b> from {methodLabel(card)} today:{' '}
        </>
      ) : (
        'Their credit pays for it: '
      )}
      {priceText(charge)} until {formatLongDate(nextBill.on)}, less {priceText(credit)} they’ve already paid.{' '}
      {balanceText(today)}
    </p>
    <p>{nextText(nextBill, 'Their')}</p>
  </>
)

function balanceText({ total, due, fromCredit }: Pick<UpgradePreview, 'total' | 'due' | 'fromCredit'>): string {
  if (fromCredit > 0) return `${formatPoundsAndPence(fromCredit)} comes from their credit.`
  return due > total ? `${formatPoundsAndPence(due - total)} of it is owed from before.` : ''
}
