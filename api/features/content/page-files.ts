import type { z } from 'zod'
import type { PageName, PageTexts } from '#shared/contract/page-texts.ts'
import { AboutFile } from './about-file.ts'
import { BlogFile } from './blog-file.ts'
import { BookCoachingCallFile } from './book-coaching-call-file.ts'
import { CoachCallFile } from './coach-call-file.ts'
import { CoachingApplicationFile } from './coaching-application-file.ts'
import { CoachingFile } from './coaching-file.ts'
import { ContactFile } from './contact-file.ts'
import { HealthFile } from './health-file.ts'
import { HomeFile } from './home-file.ts'
import { MembershipTiersFile } from './membership-tiers-file.ts'
import { PodcastFile } from './podcast-file.ts'
import { QuotientFile } from './quotient-file.ts'
import { SalesLionFile } from './sales-lion-file.ts'
import { Servicem8File } from './servicem8-file.ts'
import { WebsiteBuildsFile } from './website-builds-file.ts'

/** What each file of `data/content/pages` must hold. */
export const pageFiles: { [Name in PageName]: z.ZodType<PageTexts[Name]> } = {
  home: HomeFile,
  about: AboutFile,
  podcast: PodcastFile,
  coaching: CoachingFile,
  'coaching-application': CoachingApplicationFile,
  'book-coaching-call': BookCoachingCallFile,
  'membership-tiers': MembershipTiersFile,
  contact: ContactFile,
  blog: BlogFile,
  'sales-lion': SalesLionFile,
  servicem8: Servicem8File,
  quotient: QuotientFile,
  'website-builds': WebsiteBuildsFile,
  'book-call': CoachCallFile,
  'catch-up': CoachCallFile,
  health: HealthFile,
}
