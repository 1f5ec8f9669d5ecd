import * as v from 'valibot'
import { type CallKind, CoachId } from './calendar.ts'
import type { PageTexts } from './page-texts.ts'
import { Claims, Copy, SitePath } from './texts/parts.ts'

/** A coach whom visitors can reach directly. */
export const CoachContact = v.strictObject({
  /** By which the calendar knows the coach; it stays when the name changes. */
  id: CoachId,
  /** Came with the software: such a contact reaches nobody, and refuses a start with a live key. */
  isSample: v.optional(v.boolean()),
  name: Copy,
  chat: v.pipe(v.string(), v.url(), v.startsWith('https://', 'must begin with https://')),
  email: v.pipe(v.string(), v.email()),
})
export type CoachContact = v.InferOutput<typeof CoachContact>

/** Prices as the marketing pages state them. They are text alone: the tier's own price is what is charged. */
const PriceTexts = v.strictObject({
  lowest: Copy,
  mastermind: Copy,
  guarantee: Copy,
  terms: Copy,
  notice: Copy,
  programme: Copy,
  programmeInstalments: Copy,
})

export const NavigationLink = v.strictObject({ label: Copy, path: SitePath })
export type NavigationLink = v.InferOutput<typeof NavigationLink>

/** A link, or a menu of links. */
export const NavigationEntry = v.union(
  [NavigationLink, v.strictObject({ label: Copy, items: v.array(NavigationLink) })],
  'needs a label and a path, or a label and items',
)
export type NavigationEntry = v.InferOutput<typeof NavigationEntry>

/** The schema of `data/content/site.json`. */
export const SiteFile = v.strictObject({
  brand: v.strictObject({
    name: Copy,
    tagline: Copy,
    trades: Copy,
    copyright: Copy,
    founded: v.pipe(v.number(), v.integer()),
  }),
  coaches: v.pipe(
    v.array(CoachContact),
    v.check((coaches) => new Set(coaches.map(({ id }) => id)).size === coaches.length, 'two coaches have the same id'),
  ),
  claims: Claims,
  prices: PriceTexts,
  mastermind: v.strictObject({ name: Copy, badge: Copy, text: Copy }),
  navigation: v.array(NavigationEntry),
  quickLinks: v.array(NavigationLink),
})

/** Addresses of other people's sites; an empty one is not configured. */
export type OutsideLinks = {
  booking: string
  /** One calendar for each coach, in the order of `coaches`. */
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

/** Addresses of other companies' scripts that count visits and measure adverts; an empty one is not configured. */
export type Measuring = { analytics: string; pixel: string }

/** What all pages share; it is embedded in every page. */
export type SiteContent = v.InferOutput<typeof SiteFile> & {
  /** The address of this site, without a slash at the end. */
  url: string
  /** Who the firm is, as far as it has said so: company, number, registered office, VAT number. */
  disclosure: string
  /** The name of the terms as they read now, such as 2026-11-21-3f9a60c1d2e4b587. */
  terms: string
  links: OutsideLinks
  measuring: Measuring
  /** The ids of the coaches whose calls of each kind can be booked in our own calendar. */
  calls: Partial<Record<CallKind, readonly string[]>>
}

/** All that owners edit, the response of `GET /api/site-content`; `?page=about` gives that page's texts alone. */
export type AllContent = { site: SiteContent; pages: PageTexts }
