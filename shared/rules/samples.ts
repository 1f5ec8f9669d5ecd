import type { AllContent, SiteContent } from '#shared/contract/site-content.ts'
import type { AboutText } from '#shared/contract/texts/about.ts'
import type { HomeText } from '#shared/contract/texts/home.ts'
import type { Claim } from '#shared/contract/texts/parts.ts'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

type Shown = Pick<AllContent, 'site' | 'pages'>

/**
 * The content without the samples that come with the software. Outside the sandbox a site only shows claims, reviews and stories
 * its owners have written.
 */
export function withoutSamples({ site, pages }: Shown): Shown {
  const year = site.claims.founded.isSample === true ? site.brand.founded : null
  return {
    site: withRealClaims(site, year),
    pages: {
      ...pages,
      about: withRealStory(pages.about, year),
      home: withRealReviews(pages.home),
      podcast: withRealEpisodes(pages.podcast),
      quotient: { ...pages.quotient, stats: pages.quotient.stats.map(withoutSample) },
      'sales-lion': withRealOffer(pages['sales-lion']),
      'website-builds': {
        ...pages['website-builds'],
        reasons: { ...pages['website-builds'].reasons, list: pages['website-builds'].reasons.list.filter(isReal) },
      },
    },
  }
}

const isReal = ({ isSample }: { isSample?: boolean | undefined }) => isSample !== true

function withRealClaims(site: SiteContent, sampleYear: number | null): SiteContent {
  const { coached, rating, guarantee, founded, revenue } = site.claims
  return {
    ...site,
    coaches: site.coaches.map((coach) => (isReal(coach) ? coach : { ...coach, trade: undefined, town: undefined })),
    brand: { ...site.brand, copyright: withoutYear(site.brand.copyright, sampleYear) },
    claims: {
      coached: withoutSample(coached),
      rating: withoutSample(rating),
      guarantee: withoutSample(guarantee),
      founded: withoutSample(founded),
      revenue: withoutSample(revenue),
    },
  }
}

function withRealStory({ story, ...about }: AboutText, sampleYear: number | null): AboutText {
  const description = withoutYear(about.description, sampleYear)
  return { ...about, description, ...(story !== undefined && isReal(story) ? { story } : {}) }
}

const withoutYear = (text: string, year: number | null): string =>
  year === null
    ? text
    : text
        .split(/(?<=[.!?]) /)
        .filter((sentence) => !sentence.includes(String(year)))
        .join(' ')

const withRealReviews = (home: HomeText): HomeText => ({
  ...home,
  reviews: { ...home.reviews, items: home.reviews.items.filter(isReal) },
})

const withRealEpisodes = (podcast: PodcastText): PodcastText => ({
  ...podcast,
  episodes: { ...podcast.episodes, list: podcast.episodes.list.filter(isReal) },
})

function withRealOffer(page: SalesLionText): SalesLionText {
  const { access, priceRise } = page.offer
  return { ...page, offer: { ...page.offer, access: withoutSample(access), priceRise: withoutSample(priceRise) } }
}

const withoutSample = (claim: Claim): Claim => ({ ...claim, isOn: claim.isOn && isReal(claim) })

/** The reviews as visitors get them: without their proof, and only those that have it. */
export const withProvenReviews = (home: HomeText): HomeText => ({
  ...home,
  reviews: {
    ...home.reviews,
    items: home.reviews.items.map(({ proof, ...review }) => ({
      ...review,
      verified: review.verified && (review.isSample === true || proof !== undefined),
    })),
  },
})
