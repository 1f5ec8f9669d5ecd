import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** What a customer said. One that came with the software is a sample: with a live key it is left out. */
export type Review = {
  id: string
  author: string
  /** Out of five. */
  rating: number
  text: string
  /** A day, or where it was written, such as "Google Review". */
  date: string
  verified: boolean
  trade?: string | undefined
  isSample?: boolean | undefined
}

export type MotivationQuote = { id: string; text: string; author: string; category: string }

/** As the pad's calendar names them. */
export const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

export type ReviewsText = SectionText & { items: Review[] }

export type QuotesText = { name: string; heading: string; items: MotivationQuote[] }

/** What owners edit of this page. */
export type HomeText = PageText & {
  hero: { promises: string[]; callNote: string }
  benefits: SectionText & { trades: string; jobs: ItemText[] }
  /** In this order: the free call, joining, taking action. */
  journey: SectionText & { steps: ItemText[] }
  tiers: SectionText
  snags: SectionText & { items: { advice: string; putRight: string }[] }
  video: { label: string; before: string; after: string; text: string }
  reviews: ReviewsText
  /** `hours` is when support is there, in large figures. */
  join: SectionText & { callDay: (typeof weekDays)[number]; hours: string; calls: ItemText; support: ItemText }
  quotes: QuotesText
  lastCall: { heading: string; lead: string; action: string }
}
