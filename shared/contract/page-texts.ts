import * as v from 'valibot'
import { AboutText } from './texts/about.ts'
import { BlogText } from './texts/blog.ts'
import { BookCoachingCallText } from './texts/book-coaching-call.ts'
import { CoachCallText } from './texts/coach-call.ts'
import { CoachingText } from './texts/coaching.ts'
import { CoachingApplicationText } from './texts/coaching-application.ts'
import { ContactText } from './texts/contact.ts'
import { HealthText } from './texts/health.ts'
import { HomeText } from './texts/home.ts'
import { LegalText } from './texts/legal.ts'
import { MembershipTiersText } from './texts/membership-tiers.ts'
import { PodcastText } from './texts/podcast.ts'
import { QuotientText } from './texts/quotient.ts'
import { SalesLionText } from './texts/sales-lion.ts'
import { Servicem8Text } from './texts/servicem8.ts'
import { WebsiteBuildsText } from './texts/website-builds.ts'

/**
 * The schema of each page's file in `data/content/pages`, by the file's name. To add a page, register it here; anyone can then read
 * it.
 */
export const pageTextSchemas = {
  home: HomeText,
  about: AboutText,
  podcast: PodcastText,
  coaching: CoachingText,
  'coaching-application': CoachingApplicationText,
  'book-coaching-call': BookCoachingCallText,
  'membership-tiers': MembershipTiersText,
  contact: ContactText,
  blog: BlogText,
  'sales-lion': SalesLionText,
  servicem8: Servicem8Text,
  quotient: QuotientText,
  'website-builds': WebsiteBuildsText,
  'book-call': CoachCallText,
  'catch-up': CoachCallText,
  health: HealthText,
  privacy: LegalText,
  terms: LegalText,
  cookies: LegalText,
  cancellation: LegalText,
  accessibility: LegalText,
}

export type PageTexts = { [Name in keyof typeof pageTextSchemas]: v.InferOutput<(typeof pageTextSchemas)[Name]> }

export const PageName = v.keyof(v.object(pageTextSchemas), 'There’s no page with this name.')
export type PageName = v.InferOutput<typeof PageName>

/** The shared texts with every page's, or one page's. The server checked them in full when it read the files. */
export const SiteContentResponse = v.record(v.string(), v.unknown())

export const SiteContentQuery = v.object({ page: v.optional(PageName) })
