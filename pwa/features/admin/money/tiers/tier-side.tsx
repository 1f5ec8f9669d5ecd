import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { type RowFormParts, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { TierCard } from '#pwa/features/tiers/tier-card.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { CommissionRateList } from '#shared/contract/commission.ts'
import { CardColour, type MembershipTier, type OfferedPrice, type TierSlug } from '#shared/contract/tier.ts'
import { defaultCommissionRate } from '#shared/rules/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { shownOnText } from '#shared/rules/tier-consequences.ts'
import { exactPriceText, priceFor } from '#shared/rules/tier-prices.ts'
import { FalseSentences } from './false-sentences.tsx'
import { linesTyped, pricesTyped } from './tier-fields.tsx'
import { offeredOf } from './tier-texts.ts'
import { TierChanges, TierUsesText, tierUsesQuery } from './tier-uses.tsx'

type Props = { parts: RowFormParts; tier: AdminTier | null }

/** Beside the form: the card as typed so far, and what saving touches. */
export function TierSide({ parts, tier }: Props) {
  const typed = useTyped(parts)
  const prices: readonly Priced[] = tier === null ? pricesTyped(typed) : offeredOf(tier)
  const isShown = typed.isShown === 'on'
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const videos = useVideosOf(tier === null ? typed.videosLike : undefined)
  const preselected = tiers.find((one) => one.isPreselected && one.slug !== tier?.slug)?.name ?? null
  const after = {
    ...cardOf(typed, prices),
    name: typed.name?.trim() || (tier?.name ?? 'it'),
    isActive: tier?.isActive ?? true,
  }
  return (
    <div className="tierform__side">
      <section aria-label="Preview">
        <h3>As visitors see it</h3>
        <CardPreview typed={typed} prices={prices} />
      </section>
      {tier && (
        <section aria-label="Prices">
          <h3>Prices</h3>
          <ul className="plain">
            {prices.map(({ every, net }) => (
              <li key={every}>{exactPriceText({ net, every })}</li>
            ))}
          </ul>
          <p className="second">To change or add one, use the list of tiers.</p>
        </section>
      )}
      <Commission tier={tier} />
      {tier && <TierUsesText slug={tier.slug} />}
      {tier && <p className="second">{shownOnText(tier)}</p>}
      <TierChanges
        changes={[
          tier,
          after,
          tier === null ? { members: 0, preselected, prices, videos } : { members: tier.members, preselected },
        ]}
      />
      <FalseSentences
        then={{
          slug: tier?.slug ?? null,
          isCard: isShown && (tier?.isActive ?? true),
          every: prices.map(({ every }) => every),
        }}
      />
    </div>
  )
}

const noTiers: readonly AdminTier[] = []

/** How many videos a new tier begins with; undefined until that’s known. */
function useVideosOf(slug: TierSlug | undefined) {
  const { data } = useQuery({ ...tierUsesQuery(slug ?? ''), enabled: Boolean(slug) })
  return slug ? data?.videos : 0
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
  hasWeeklyAccountability: typed.hasWeeklyAccountability === 'on',
  callDuration: typed.callDuration ? Number(typed.callDuration) : null,
  callsPerMonth: Number(typed.callsPerMonth || 0),
  questionsPerMonth: typed.questionsPerMonth ? Number(typed.questionsPerMonth) : null,
  hasMonthlyCoaching: typed.hasMonthlyCoaching === 'on',
  hasVideoAccess: typed.hasVideoAccess === 'on',
  hasCommunityAccess: typed.hasCommunityAccess === 'on',
  hasWhatsApp: typed.hasWhatsApp === 'on',
  isShown: typed.isShown === 'on',
  isByInvitation: typed.isByInvitation === 'on',
  isPreselected: typed.isPreselected === 'on',
  isHighlighted: typed.isHighlighted === 'on',
  badge: typed.badge?.trim() || null,
  cardColour: v.is(CardColour, typed.cardColour) ? typed.cardColour : 'paper',
  rejoinsNow: typed.rejoinsNow === 'on',
  rejoinsLater: typed.rejoinsLater === 'on',
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
