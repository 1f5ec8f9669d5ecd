import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, json, oneOf, pence } from './columns.ts'

/** The price list: we charge no other prices. `price` is pence a month excluding VAT. */
export const membershipTiers = sqliteTable(
  'membership_tiers',
  {
    id: id(),
    slug: text({ enum: tierSlugs }).notNull().unique(),
    name: text().notNull().unique(),
    description: text().notNull(),
    price: pence().notNull(),
    features: json<string[]>().notNull(),
    hasWeeklyAccountability: flag(false),
    /** Minutes. */
    callDuration: integer(),
    hasMonthlyCoaching: flag(false),
    hasVideoAccess: flag(true),
    hasCommunityAccess: flag(true),
    isActive: flag(true),
    /** Shown as by invitation. People who choose it anyway are told so first. */
    isByInvitation: flag(false),
    orderIndex: integer().notNull().default(0),
    stripeProductId: text(),
    stripePriceId: text(),
    /** Goes up with each change by an owner. A change sends the version it started from. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  () => [
    check('membership_tiers_slug', sql.raw(oneOf('slug', tierSlugs))),
    check('membership_tiers_price', sql.raw('"price" >= 0')),
  ],
)
