import type { QueryClient } from '@tanstack/react-query'
import { productFacts } from '#pwa/lib/product-facts.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { tiersQuery } from './queries.ts'

/** For search engines: the questions with their answers, and each tier at the price that the server charges. */
export const tiersFacts = ({ faq }: MembershipTiersText, site: SiteContent, cache: QueryClient) => [
  {
    '@type': 'FAQPage',
    mainEntity: faq.map(({ topic, answer }) => ({
      '@type': 'Question',
      name: topic,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  },
  ...(cache.getQueryData<MembershipTier[]>(tiersQuery.queryKey) ?? []).map(({ name, description, price }) =>
    productFacts({ name, description, ...everyTier, net: price }, site),
  ),
]

const everyTier = { image: '/social/tiers.png', address: '/membership-tiers', isMonthly: true }
