import type { AllContent, Claim, SiteContent } from '#shared/contract/site-content.ts'
import type { HomeText } from '#shared/contract/texts/home.ts'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

/** With a live key nothing is claimed, and nobody quoted, that came with the software as an example. */
export function leaveOutSamples({ site, pages }: AllContent, isLive: boolean): AllContent {
  if (!isLive) return { site, pages }
  const home = withRealReviews(pages.home)
  const salesLion = withRealOffer(pages['sales-lion'])
  return { site: withRealClaims(site), pages: { ...pages, home, 'sales-lion': salesLion } }
}

const withRealClaims = (site: SiteContent): SiteContent => {
  const { coached, rating, guarantee, founded, revenue } = site.claims
  return {
    ...site,
    claims: {
      coached: real(coached),
      rating: real(rating),
      guarantee: real(guarantee),
      founded: real(founded),
      revenue: real(revenue),
    },
  }
}

const real = (claim: Claim): Claim => ({ ...claim, isOn: claim.isOn && claim.isSample !== true })

const withRealReviews = (home: HomeText): HomeText => ({
  ...home,
  reviews: { ...home.reviews, items: home.reviews.items.filter(({ isSample }) => isSample !== true) },
})

const withRealOffer = (page: SalesLionText): SalesLionText => {
  const { access, priceRise } = page.offer
  return { ...page, offer: { ...page.offer, access: real(access), priceRise: real(priceRise) } }
}
