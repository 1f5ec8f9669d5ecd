import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, json, oneOf, pence } from './columns.ts'

/** Pence a month excluding VAT, at a price of its own at Stripe, from a day of Europe/London. */
export type NextTierPrice = { price: number; stripePriceId: string; from: string }

/** The price list: we charge no other prices. `price` is pence a month excluding VAT. */
export const membershipTiers = sqliteTable(
  'membership_tiers',
  {
    id: id(),
    slug: text().notNull().unique(),
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
    /**
     * A price that's waiting for its day, 00:00 in London by the billing clock. From then on it's the tier's price, whether or not
     * the row has been rewritten: read tiers through `tiers/service.ts`, which knows.
     */
    nextPrice: json<NextTierPrice>(),
    /** Goes up with each change by an owner. A change sends the version it started from. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  () => [
    check('membership_tiers_slug', sql.raw(oneOf('slug', shippedTierSlugs))),
    check('membership_tiers_price', sql.raw('"price" >= 0')),
  ],
)
