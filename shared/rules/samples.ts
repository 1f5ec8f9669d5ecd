import type { AllContent, SiteContent } from '#shared/contract/site-content.ts'
import type { HomeText } from '#shared/contract/texts/home.ts'
import type { Claim } from '#shared/contract/texts/parts.ts'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

/**
 * The content without the samples that come with the software. A site that takes real money shows only claims and reviews
 * that its owners have written.
 */
export const withoutSamples = ({ site, pages }: AllContent): AllContent => ({
  site: withRealClaims(site),
  pages: { ...pages, home: withRealReviews(pages.home), 'sales-lion': withRealOffer(pages['sales-lion']) },
})

function withRealClaims(site: SiteContent): SiteContent {
  const { coached, rating, guarantee, founded, revenue } = site.claims
  return {
    ...site,
    claims: {
      coached: withoutSample(coached),
      rating: withoutSample(rating),
      guarantee: withoutSample(guarantee),
      founded: withoutSample(founded),
      revenue: withoutSample(revenue),
    },
  }
}

const withRealReviews = (home: HomeText): HomeText => ({
  ...home,
  reviews: { ...home.reviews, items: home.reviews.items.filter(({ isSample }) => isSample !== true) },
})

function withRealOffer(page: SalesLionText): SalesLionText {
  const { access, priceRise } = page.offer
  return { ...page, offer: { ...page.offer, access: withoutSample(access), priceRise: withoutSample(priceRise) } }
}

const withoutSample = (claim: Claim): Claim => ({ ...claim, isOn: claim.isOn && claim.isSample !== true })
