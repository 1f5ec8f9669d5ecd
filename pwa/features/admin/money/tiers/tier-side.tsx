import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { type RowFormParts, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { TierCard } from '#pwa/features/tiers/tier-card.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { CommissionRateList } from '#shared/contract/commission.ts'
import { CardColour, type MembershipTier, type OfferedPrice } from '#shared/contract/tier.ts'
import { defaultCommissionRate } from '#shared/rules/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { priceFor } from '#shared/rules/tier-prices.ts'
import { FalseSentences } from './false-sentences.tsx'
import { linesTyped, pricesTyped } from './tier-fields.tsx'
import { offeredOf, periodText } from './tier-texts.ts'
import { TierUsesText } from './tier-uses.tsx'

type Props = { parts: RowFormParts; tier: AdminTier | null }

/** Beside the form: the card as typed so far, and what saving touches. */
export function TierSide({ parts, tier }: Props) {
  const typed = useTyped(parts)
  const prices: readonly Priced[] = tier === null ? pricesTyped(typed) : offeredOf(tier)
  const isShown = typed.isShown === 'on'
  return (
    <div className="tierform__side">
      <section aria-label="Preview">
        <h3>As visitors see it</h3>
        <CardPreview typed={typed} prices={prices} />
        {!isShown && <p className="second">It’s not among the cards.</p>}
      </section>
      {tier && (
        <section aria-label="Prices">
          <h3>Prices</h3>
          <ul className="plain">
            {prices.map(({ every, net }) => (
              <li key={every}>{periodText(net, every)}</li>
            ))}
          </ul>
          <p className="second">Change them with “Change price” in the list.</p>
        </section>
      )}
      <Commission tier={tier} />
      {tier && <TierUsesText slug={tier.slug} />}
      <FalseSentences
        also={{
          slug: tier?.slug ?? null,
          isCard: isShown && (tier?.isActive ?? true),
          every: isShown && prices.some(({ every }) => every === 'year') ? 'year' : undefined,
        }}
      />
    </div>
  )
}

/** Follows the form, which keeps its values in the page. */
function useTyped({ formRef, values }: RowFormParts): FormValues {
  const [typed, setTyped] = useState(values)
  useEffect(() => {
    const form = formRef.current
    const read = () => setTyped(valuesIn(formRef))
    form?.addEventListener('input', read)
    return () => form?.removeEventListener('input', read)
  }, [formRef])
  return typed
}

type Priced = Pick<OfferedPrice, 'every' | 'net'>

function CardPreview({ typed, prices }: { typed: FormValues; prices: readonly Priced[] }) {
  const card = cardOf(typed, prices)
  const price = priceFor(card, 'month')
  if (price === undefined) return <p className="second">Enter a price to see its card.</p>
  return (
    <div inert className="tierform__card">
      <TierCard tier={card} price={price} isSelected={false} onSelect={() => {}} />
    </div>
  )
}

const cardOf = (typed: FormValues, prices: readonly Priced[]): MembershipTier => ({
  id: '',
  slug: '',
  name: typed.name || 'Name',
  description: typed.description ?? '',
  features: linesTyped(typed),
  price: prices[0]?.net ?? 0,
  prices: prices.map((price) => ({ ...price, id: price.every, vat: 0, total: 0 })),
  hasWeeklyAccountability: false,
  callDuration: null,
  callsPerMonth: 0,
  hasMonthlyCoaching: false,
  hasVideoAccess: false,
  hasCommunityAccess: false,
  hasWhatsApp: false,
  isShown: true,
  isByInvitation: typed.isByInvitation === 'on',
  isPreselected: false,
  isHighlighted: typed.isHighlighted === 'on',
  badge: typed.badge?.trim() || null,
  cardColour: v.is(CardColour, typed.cardColour) ? typed.cardColour : 'paper',
  rejoinsNow: true,
  rejoinsLater: true,
  isActive: true,
  isDefault: false,
  orderIndex: 0,
  stripeProductId: null,
  stripePriceId: null,
  createdAt: '',
  updatedAt: '',
})

const ratesQuery = queryOptions({
  queryKey: [adminKey, 'tier-rates'],
  queryFn: () => parseResponse(CommissionRateList, api.api.admin['commission-rates'].get()),
})

function Commission({ tier }: Pick<Props, 'tier'>) {
  const { data } = useQuery({ ...ratesQuery, enabled: tier !== null })
  const today = londonDay(new Date())
  const rate = data?.findLast(
    ({ tierSlug, validFrom }) => tierSlug === tier?.slug && (validFrom === null || validFrom <= today),
  )
  if (tier !== null && data === undefined) return null
  return (
    <p>
      Commission: {tier === null ? 'starts at ' : ''}
      {rate?.rate ?? defaultCommissionRate}%. <PlaceLink place="rates">Commission rates</PlaceLink>
    </p>
  )
}
