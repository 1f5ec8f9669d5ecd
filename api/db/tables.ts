import { drizzle } from 'drizzle-orm/better-sqlite3'
import { perDatabase } from './query.ts'
import * as relations from './relations.ts'
import * as analytics from './schema/analytics.ts'
import * as audit from './schema/audit.ts'
import * as blog from './schema/blog.ts'
import * as calendar from './schema/calendar.ts'
import * as commission from './schema/commission.ts'
import * as commitments from './schema/commitments.ts'
import * as content from './schema/content.ts'
import * as customers from './schema/customers.ts'
import * as forms from './schema/forms.ts'
import * as imports from './schema/imports.ts'
import * as invitations from './schema/invitations.ts'
import * as invoices from './schema/invoices.ts'
import * as mail from './schema/mail.ts'
import * as media from './schema/media.ts'
import * as notices from './schema/notices.ts'
import * as orders from './schema/orders.ts'
import * as outreach from './schema/outreach.ts'
import * as people from './schema/people.ts'
import * as podcast from './schema/podcast.ts'
import * as priceMoves from './schema/price-moves.ts'
import * as provider from './schema/provider.ts'
import * as questions from './schema/questions.ts'
import * as renewalNotices from './schema/renewal-notices.ts'
import * as revenue from './schema/revenue.ts'
import * as sessions from './schema/sessions.ts'
import * as shelf from './schema/shelf.ts'
import * as signIn from './schema/sign-in.ts'
import * as siteSettings from './schema/site-settings.ts'
import * as subscriptions from './schema/subscriptions.ts'
import * as system from './schema/system.ts'
import * as terms from './schema/terms.ts'
import * as tiers from './schema/tiers.ts'
import * as videos from './schema/videos.ts'

export const tables = {
  ...analytics,
  ...audit,
  ...blog,
  ...calendar,
  ...commission,
  ...commitments,
  ...content,
  ...customers,
  ...forms,
  ...imports,
  ...invitations,
  ...invoices,
  ...mail,
  ...media,
  ...notices,
  ...orders,
  ...people,
  ...podcast,
  ...priceMoves,
  ...provider,
  ...questions,
  ...renewalNotices,
  ...revenue,
  ...sessions,
  ...shelf,
  ...signIn,
  ...siteSettings,
  ...subscriptions,
  ...system,
  ...outreach,
  ...terms,
  ...tiers,
  ...videos,
  ...relations,
}

/**
 * Reads rows with their relations: `relational(ctx.db).query.users.findFirst({ with: { customer: true } })`. Built on first use,
 * because building the relations takes longer than most commands' own queries.
 */
export const relational = perDatabase((db) => drizzle(db.$client, { schema: tables }))
