import * as v from 'valibot'
import type { AboutText } from './texts/about.ts'
import type { BlogText } from './texts/blog.ts'
import type { BookCoachingCallText } from './texts/book-coaching-call.ts'
import type { CoachCallText } from './texts/coach-call.ts'
import type { CoachingText } from './texts/coaching.ts'
import type { CoachingApplicationText } from './texts/coaching-application.ts'
import type { ContactText } from './texts/contact.ts'
import type { HealthText } from './texts/health.ts'
import type { HomeText } from './texts/home.ts'
import type { MembershipTiersText } from './texts/membership-tiers.ts'
import type { PodcastText } from './texts/podcast.ts'
import type { QuotientText } from './texts/quotient.ts'
import type { SalesLionText } from './texts/sales-lion.ts'
import type { Servicem8Text } from './texts/servicem8.ts'
import type { WebsiteBuildsText } from './texts/website-builds.ts'

/** What owners edit of each page, by the name of its file in `data/content/pages`. */
export type PageTexts = {
  home: HomeText
  about: AboutText
  podcast: PodcastText
  coaching: CoachingText
  'coaching-application': CoachingApplicationText
  'book-coaching-call': BookCoachingCallText
  'membership-tiers': MembershipTiersText
  contact: ContactText
  blog: BlogText
  'sales-lion': SalesLionText
  servicem8: Servicem8Text
  quotient: QuotientText
  'website-builds': WebsiteBuildsText
  'book-call': CoachCallText
  'catch-up': CoachCallText
  health: HealthText
}

export type PageName = keyof PageTexts

export const pageNames = [
  'home',
  'about',
  'podcast',
  'coaching',
  'coaching-application',
  'book-coaching-call',
  'membership-tiers',
  'contact',
  'blog',
  'sales-lion',
  'servicem8',
  'quotient',
  'website-builds',
  'book-call',
  'catch-up',
  'health',
] as const satisfies readonly PageName[]

/** `AllContent`, or one page's texts: checked in full when the server reads the files. */
export const SiteContentResponse = v.record(v.string(), v.unknown())

/** Query of `GET /api/site-content`. */
export const SiteContentQuery = v.object({ page: v.optional(v.picklist(pageNames, 'There is no page of this name.')) })
