import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { wordsTarget } from '#pwa/features/admin/kit/content-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { TierSentences } from '#shared/contract/found-text.ts'
import { type CardFacts, cardFacts, type TierToBe } from '#shared/rules/tier-sentences.ts'
import { offeredOf } from './tier-texts.ts'

/** A tier as its act or price leaves it. */
export const tierToBe = (tier: AdminTier, isCard: boolean): TierToBe => ({
  slug: tier.slug,
  isCard,
  every: offeredOf(tier).map(({ every }) => every),
})

const noTiers: readonly AdminTier[] = []

/** What’s true of every tier as it is. */
const asItIs: TierToBe = { slug: null, isCard: false, every: [] }

const untrueQuery = (facts: CardFacts) =>
  queryOptions({
    queryKey: [adminKey, 'tier-sentences', facts],
    queryFn: () => parseResponse(TierSentences, api.api.admin['tier-sentences'].get({ query: facts })),
  })

/** What the site says that’s untrue now, or will be once this is saved. Shows nothing if there’s nothing untrue. */
export function FalseSentences({ then = asItIs }: { then?: TierToBe }) {
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const [now, will] = [cardFacts(tiers, asItIs), cardFacts(tiers, then)]
  const isKnown = tiers.length > 0
  const { data: before } = useQuery({ ...untrueQuery(now), enabled: isKnown, placeholderData: keepPreviousData })
  const { data: after } = useQuery({ ...untrueQuery(will), enabled: isKnown, placeholderData: keepPreviousData })
  if (before === undefined || after === undefined) return null
  const known = new Set(before.map(keyOf))
  return (
    <>
      <Sentences title="These won’t be true any more" found={after.filter((one) => !known.has(keyOf(one)))} />
      <Sentences title="These aren’t true now" found={after.filter((one) => known.has(keyOf(one)))} />
    </>
  )
}

/** Sentences of the site that name the tier, which stay when it goes. */
export function TierMentions({ tier: { slug, name } }: { tier: AdminTier }) {
  const { data = [] } = useQuery({
    queryKey: [adminKey, 'tier-mentions', slug],
    queryFn: () => parseResponse(TierSentences, api.api.admin['tier-mentions'].get({ query: { tier: slug } })),
  })
  return <Sentences title={`These still mention ${name}`} found={data} />
}

type Props = { title: string; found: TierSentences }

const Sentences = ({ title, found }: Props) =>
  found.length > 0 && (
    <Banner role="status" icon="warn" title={title}>
      <ul>
        {found.map((one) => (
          <li key={keyOf(one)}>
            <PlaceLink {...placeOf(one)}>{one.text}</PlaceLink>
          </li>
        ))}
      </ul>
    </Banner>
  )

const keyOf = (one: TierSentences[number]) => JSON.stringify(one)

const placeOf = (found: TierSentences[number]) =>
  found.in === 'post' ? { place: 'blog', search: { post: found.id } } : wordsTarget(found)
