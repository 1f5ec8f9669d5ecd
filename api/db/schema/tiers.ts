import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cardColours, pricePeriods } from '#shared/contract/tier.ts'
import { flag, id, instant, json, oneOf, pence } from './columns.ts'

/** The tiers there are. What code asks of one is a column here, never its slug. What it costs is in `tier_prices`. */
export const membershipTiers = sqliteTable(
  'membership_tiers',
  {
    id: id(),
    /** Set once. A trigger keeps every slug in `tier_slugs`, so that a deleted tier's is never given again. */
    slug: text().notNull().unique(),
    name: text().notNull().unique(),
    description: text().notNull(),
    features: json<string[]>().notNull(),
    hasWeeklyAccountability: flag(false),
    /** Minutes. */
    callDuration: integer(),
    callsPerMonth: integer().notNull().default(0),
    /** Questions to the coach in a month of Europe/London. 0: none. Null: no limit. */
    questionsPerMonth: integer(),
    hasMonthlyCoaching: flag(false),
    hasVideoAccess: flag(true),
    hasCommunityAccess: flag(true),
    hasWhatsApp: flag(false),
    /** Offered. Members of one that isn't keep it and its price; nobody joins it or changes to it. */
    isActive: flag(true),
    /** Among the cards. One that isn't is only sold through an owner's signed invitation. */
    isShown: flag(true),
    /** Shown as by invitation. People who choose it anyway are told so first. */
    isByInvitation: flag(false),
    /** Meant where nobody named a tier. Exactly one is. */
    isDefault: flag(false),
    /** Chosen on the page that returning members see, until they choose another. */
    isPreselected: flag(false),
    isHighlighted: flag(false),
    badge: text(),
    cardColour: text({ enum: cardColours }).notNull().default('paper'),
    /** Offered to people who rejoin with a payment today, or on a later day. */
    rejoinsNow: flag(true),
    rejoinsLater: flag(true),
    orderIndex: integer().notNull().default(0),
    stripeProductId: text(),
    /** Goes up with each change by an owner. A change sends the version it started from. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('membership_tiers_default').on(table.isDefault).where(sql.raw('"isDefault"')),
    check('membership_tiers_default_offered', sql.raw('not "isDefault" or ("isActive" and "isShown")')),
  ],
)

/** Every slug a tier ever had, and those the seeds brought: what an owner deletes isn't laid again, and no slug is given twice. */
export const tierSlugs = sqliteTable('tier_slugs', { slug: text().primaryKey() })

/** A column that names a tier. The database refuses to delete one that's named. */
export const tierReference = () => text().references(() => membershipTiers.slug, { onDelete: 'restrict' })

/** Pence of the whole period excluding VAT, at a price of its own at Stripe, from a day of Europe/London. */
export type NextTierPrice = { net: number; stripePriceId: string; from: string }

/**
 * The price list: we charge no other prices. One row for each tier and period, for ever, so that a member who pays by it can name it;
 * `isOffered` says whether anyone else may.
 */
export const tierPrices = sqliteTable(
  'tier_prices',
  {
    id: id(),
    tierSlug: text()
      .notNull()
      .references(() => membershipTiers.slug, { onDelete: 'cascade' }),
    every: text({ enum: pricePeriods }).notNull(),
    /** Pence of the whole period, excluding VAT. */
    net: pence().notNull(),
    isOffered: flag(true),
    /**
     * A price that's waiting for its day, 00:00 in London by the billing clock. From then on it's the price and on sale, whether or
     * not the row has been rewritten: read prices through `tiers/service.ts`, which knows.
     */
    nextPrice: json<NextTierPrice>(),
    stripePriceId: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('tier_prices_period').on(table.tierSlug, table.every),
    check('tier_prices_every', sql.raw(oneOf('every', pricePeriods))),
    check('tier_prices_net', sql.raw('"net" >= 0')),
  ],
)

/** A column that names a price of ours. */
export const priceReference = () => text().references(() => tierPrices.id, { onDelete: 'restrict' })
