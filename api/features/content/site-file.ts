import { z } from 'zod'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { claim, ownPath, words } from './words.ts'

const link = z.strictObject({ label: words, path: ownPath })

/** What `data/content/site.json` must hold; addresses of other sites come from the environment. */
export const SiteFile: z.ZodType<Omit<SiteContent, 'url' | 'links' | 'measuring'>> = z.strictObject({
  brand: z.strictObject({ name: words, tagline: words, trades: words, copyright: words, founded: z.int() }),
  coaches: z.array(z.strictObject({ name: words, chat: z.url({ protocol: /^https$/ }), email: z.email() })),
  claims: z.strictObject({ coached: claim, rating: claim, guarantee: claim, founded: claim, revenue: claim }),
  prices: z.strictObject({
    lowest: words,
    mastermind: words,
    guarantee: words,
    terms: words,
    notice: words,
    programme: words,
    programmeInstalments: words,
  }),
  mastermind: z.strictObject({ name: words, badge: words, text: words }),
  navigation: z.array(z.union([link, z.strictObject({ label: words, items: z.array(link) })])),
  quickLinks: z.array(link),
})
