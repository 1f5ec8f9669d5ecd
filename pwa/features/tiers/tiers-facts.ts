import type { QueryClient } from '@tanstack/react-query'
import { productFacts } from '#pwa/lib/product-facts.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { tiersQuery } from './queries.ts'

/** The questions with their answers, and each tier with the price that the server charges. */
export const tiersFacts = ({ faq }: MembershipTiersText, site: SiteContent, known: QueryClient) => [
  {
    '@type': 'FAQPage',
    mainEntity: faq.map(({ topic, answer }) => ({
      '@type': 'Question',
      name: topic,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  },
  ...(known.getQueryData<MembershipTier[]>(tiersQuery.queryKey) ?? []).map(({ name, description, price }) =>
    productFacts({ name, description, ...ofAllTiers, net: price }, site),
  ),
]

const ofAllTiers = { image: '/social/tiers.png', address: '/membership-tiers', isMonthly: true }
