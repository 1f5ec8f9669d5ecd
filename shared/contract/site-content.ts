import type { PageName, PageTexts } from './page-texts.ts'

/**
 * A figure that owners vouch for; `isOn` false leaves it out everywhere. One that came with the software is a sample:
 * with a live key it stays off until an owner has put his own in its place.
 */
export type Claim = { isOn: boolean; isSample?: boolean | undefined; figure: string; label: string }

export type ClaimName = 'coached' | 'rating' | 'guarantee' | 'founded' | 'revenue'

/** A coach whom visitors can reach directly. */
export type CoachContact = { name: string; chat: string; email: string }

export type NavigationLink = { label: string; path: string }
export type NavigationEntry = NavigationLink | { label: string; items: NavigationLink[] }

/** Prices as the marketing pages say them. They are words: what is charged is the tier's own price. */
export type PriceReadings = {
  lowest: string
  mastermind: string
  guarantee: string
  terms: string
  notice: string
  programme: string
  programmeInstalments: string
}

/** Addresses of other people's sites; an empty one is not configured. */
export type OutsideLinks = {
  booking: string
  /** One calendar for each coach and kind of call, in the order of `coaches`. */
  coachCalls: readonly string[]
  catchUps: readonly string[]
  community: string
  podcastPlayer: string
  podcastMusic: string
  podcastDirectory: string
  facebook: string
  instagram: string
  transformationVideo: string
  websiteBuilds: string
  salesCall: string
  salesPricing: string
  salesPayment: string
  salesReminder: string
  salesDemoVideo: string
  salesCaseVideo: string
  salesTrainingVideos: readonly string[]
}

/** Addresses of outside scripts that measure visits and adverts; an empty one is not configured. */
export type Measuring = { analytics: string; pixel: string }

/** What every page shows, from `data/content/site.json`: it reaches the browser inside every page. */
export type SiteContent = {
  /** Where this site is, without a slash at the end. */
  url: string
  brand: { name: string; tagline: string; trades: string; copyright: string; founded: number }
  coaches: CoachContact[]
  claims: Record<ClaimName, Claim>
  prices: PriceReadings
  mastermind: { name: string; badge: string; text: string }
  navigation: NavigationEntry[]
  quickLinks: NavigationLink[]
  links: OutsideLinks
  measuring: Measuring
}

/** All that owners edit, the answer of `GET /api/site-content`; `?page=about` gives that page's texts alone. */
export type AllContent = { site: SiteContent; pages: { [Name in PageName]: PageTexts[Name] } }
