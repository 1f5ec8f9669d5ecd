import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { OutsideLinks, SiteContent } from '#shared/contract/site-content.ts'

const text = z.string().min(1)
const claim = z.strictObject({ isOn: z.boolean(), figure: text, label: text })
const link = z.strictObject({ label: text, path: z.string().startsWith('/') })

const SiteFile = z.strictObject({
  brand: z.strictObject({ name: text, tagline: text, trades: text, copyright: text, founded: z.int() }),
  coaches: z.array(z.strictObject({ name: text, chat: z.url({ protocol: /^https$/ }), email: z.email() })),
  claims: z.strictObject({ coached: claim, rating: claim, guarantee: claim, founded: claim, revenue: claim }),
  prices: z.strictObject({
    lowest: text,
    mastermind: text,
    guarantee: text,
    terms: text,
    notice: text,
    programme: text,
    programmeInstalments: text,
  }),
  mastermind: z.strictObject({ name: text, badge: text, text }),
  navigation: z.array(z.union([link, z.strictObject({ label: text, items: z.array(link) })])),
  quickLinks: z.array(link),
  faq: z.array(z.strictObject({ topic: text, answer: text })),
})

/** The rating belongs to real reviews: with a live key it stays off until an owner has entered some. */
type Facts = { links: OutsideLinks; isLive: boolean; hasRealReviews: boolean }

const siteFile = join(import.meta.dirname, '../../../data/content/site.json')

/** Changes when an owner has edited the file. */
export const siteContentVersion = (file: string | URL = siteFile): number => statSync(file).mtimeMs

/** What owners edit, read from its file and checked; throws a sentence naming the first wrong entry. */
export function readSiteContent({ links, isLive, hasRealReviews }: Facts, file = siteFile): SiteContent {
  const parsed = SiteFile.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`data/content/site.json, ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
  }
  const { claims, ...site } = parsed.data
  const rating = { ...claims.rating, isOn: claims.rating.isOn && (!isLive || hasRealReviews) }
  const { booking, community, podcastPlayer, podcastMusic, podcastDirectory, facebook, instagram } = links
  return {
    ...site,
    claims: { ...claims, rating },
    links: { booking, community, podcastPlayer, podcastMusic, podcastDirectory, facebook, instagram },
  }
}
