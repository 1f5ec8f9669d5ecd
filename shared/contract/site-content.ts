/** A figure that owners vouch for; `isOn` false leaves it out everywhere. */
export type Claim = { isOn: boolean; figure: string; label: string }

export type ClaimName = 'coached' | 'rating' | 'guarantee' | 'founded' | 'revenue'

/** A coach whom visitors can reach directly. */
export type CoachContact = { name: string; chat: string; email: string }

export type NavigationLink = { label: string; path: string }
export type NavigationEntry = NavigationLink | { label: string; items: NavigationLink[] }

export type FaqEntry = { topic: string; answer: string }

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
  community: string
  podcastPlayer: string
  podcastMusic: string
  podcastDirectory: string
  facebook: string
  instagram: string
}

/** What owners edit: it reaches the browser inside every page. */
export type SiteContent = {
  brand: { name: string; tagline: string; trades: string; copyright: string; founded: number }
  coaches: CoachContact[]
  claims: Record<ClaimName, Claim>
  prices: PriceReadings
  mastermind: { name: string; badge: string; text: string }
  navigation: NavigationEntry[]
  quickLinks: NavigationLink[]
  faq: FaqEntry[]
  links: OutsideLinks
}
