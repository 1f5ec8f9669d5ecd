import { readSettings } from '#api/settings.ts'
import { readContent } from '#api/site/content.ts'
import { tierSeeds } from '#data/seed/tiers.ts'
import type { PageData } from '#shared/contract/page.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { withVat } from '#shared/rules/money.ts'

const at = '2026-06-12T07:40:00.000Z'

export const tiers: MembershipTier[] = tierSeeds
  .filter(({ isShown }) => isShown)
  .map((tier, orderIndex) => ({
    ...tier,
    orderIndex,
    id: tier.slug,
    prices: [{ id: `${tier.slug}-month`, every: 'month', ...withVat(tier.price) }],
    stripeProductId: null,
    stripePriceId: null,
    createdAt: at,
    updatedAt: at,
  }))

const { site, pages } = readContent({ ...readSettings({}), publicUrl: 'http://localhost' })

export const siteContent = site

export const pageTexts = pages

export const pageData: PageData = {
  content: site,
  texts: pages,
  tiers,
  posts: [],
  postBySlug: () => null,
  health: {
    status: 'ok',
    timestamp: at,
    services: { database: 'connected', payments: 'configured', email: 'configured', jobs: 'alive' },
  },
}
