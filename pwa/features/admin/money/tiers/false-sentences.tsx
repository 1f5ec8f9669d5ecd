import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { wordsTarget } from '#pwa/features/admin/kit/content-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { TierSentences } from '#shared/contract/found-text.ts'
import { cardFacts, type TierToBe } from '#shared/rules/tier-sentences.ts'
import { offeredOf } from './tier-texts.ts'

/** A tier as its act or price leaves it. */
export const tierToBe = (tier: AdminTier, isCard: boolean): TierToBe => ({
  slug: tier.slug,
  isCard,
  every: offeredOf(tier).map(({ every }) => every),
})

const noTiers: readonly AdminTier[] = []

/** Sentences of the site that are untrue once it’s saved, each with its place in Words or its post. Nothing without one. */
export function FalseSentences({ then }: { then: TierToBe }) {
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const own = tiers.find(({ slug }) => slug === then.slug)
  const facts = cardFacts(tiers, then)
  const before = cardFacts(tiers, { slug: then.slug, every: own ? offeredOf(own).map(({ every }) => every) : [] })
  const { data } = useQuery({
    queryKey: [adminKey, 'tier-sentences', facts],
    queryFn: () => parseResponse(TierSentences, api.api.admin['tier-sentences'].get({ query: facts })),
    enabled: tiers.length > 0,
    placeholderData: keepPreviousData,
  })
  if (!data?.length) return null
  const isSame = JSON.stringify(facts) === JSON.stringify(before)
  return (
    <Banner role="status" icon="warn" title={isSame ? 'These aren’t true' : 'These won’t be true any more'}>
      <ul>
        {data.map((found) => (
          <li key={JSON.stringify(found)}>
            <PlaceLink {...placeOf(found)}>{found.text}</PlaceLink>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

const placeOf = (found: TierSentences[number]) =>
  found.in === 'post' ? { place: 'blog', search: { post: found.id } } : wordsTarget(found)
