import { useQuery } from '@tanstack/react-query'
import { wordsTarget } from '#pwa/features/admin/kit/content-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { FoundTextList } from '#shared/contract/found-text.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { offeredOf } from './tier-texts.ts'

/** What is about to be saved: a tier that comes among the cards or leaves them, and a price that’s then sold. */
type Also = { slug?: TierSlug | null; isCard?: boolean; every?: PricePeriod | undefined }

const counts = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

/** Three is what the shipped sentences say. */
const shippedCount = 3

const isCard = ({ isActive, isShown }: AdminTier) => isActive && isShown

/** What a sentence says that’s then untrue. */
function phrasesFor(tiers: readonly AdminTier[], { slug = null, isCard: staysCard, every }: Also): string[] {
  const cards = tiers.filter(isCard)
  const others = cards.filter((tier) => tier.slug !== slug)
  const after = staysCard === undefined ? cards.length : others.length + (staysCard ? 1 : 0)
  const kept = staysCard === false ? others : cards
  const hasYear = every === 'year' || kept.some((tier) => offeredOf(tier).some((price) => price.every === 'year'))
  const countsSaid = [...new Set([shippedCount, cards.length])].filter((count) => count !== after)
  return [
    ...countsSaid.flatMap((count) => (counts[count] ? [`${counts[count]} tiers`] : [])),
    ...(hasYear ? ['by the month', 'costs a month'] : []),
  ]
}

async function requestSentences(phrases: readonly string[]) {
  const found = await Promise.all(
    phrases.map((q) => parseResponse(FoundTextList, api.api.admin['content-texts'].get({ query: { q } }))),
  )
  return found.flat()
}

const noTiers: readonly AdminTier[] = []

/** Sentences of the site that saving makes untrue, each with its place in Words. Nothing without one. */
export function FalseSentences({ also }: { also: Also }) {
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const phrases = phrasesFor(tiers, also)
  const { data } = useQuery({
    queryKey: [adminKey, 'content-texts', phrases],
    queryFn: () => requestSentences(phrases),
    enabled: phrases.length > 0,
  })
  if (phrases.length === 0 || !data?.length) return null
  return (
    <Banner role="status" icon="warn" title="These won’t be true any more">
      <ul>
        {data.map((found) => (
          <li key={`${found.page}.${found.entry}.${found.text}`}>
            <PlaceLink {...wordsTarget(found)}>{found.text}</PlaceLink>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
