import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { applicationStatuses, businessStages } from '#shared/contract/application.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, oneOf, pence } from './columns.ts'

export const contacts = sqliteTable('contacts', {
  id: id(),
  name: text().notNull(),
  email: text().notNull(),
  trade: text(),
  message: text().notNull(),
  createdAt: instant().notNull(),
})

export const coachingTrades = [
  'plumber',
  'electrician',
  'builder',
  'carpenter',
  'painter',
  'roofer',
  'heating',
  'landscaper',
  'other',
] as const
export const coachingRevenues = ['under-50k', '50k-100k', '100k-200k', '200k-500k', 'over-500k'] as const
export const coachingCommitments = ['1-2', '3-5', '5-10', '10+'] as const
export const coachingInvestments = ['under-1k', '1k-3k', '3k-5k', '5k+'] as const
export const coachingSources = ['podcast', 'youtube', 'social-media', 'google', 'referral', 'other'] as const

export const coachingApplications = sqliteTable(
  'coaching_applications',
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    trade: text({ enum: coachingTrades }).notNull(),
    businessName: text(),
    yearsInBusiness: integer(),
    currentRevenue: text({ enum: coachingRevenues }),
    biggestChallenge: text().notNull(),
    goals: text().notNull(),
    timeCommitment: text({ enum: coachingCommitments }).notNull(),
    investment: text({ enum: coachingInvestments }).notNull(),
    heardAbout: text({ enum: coachingSources }),
    additionalInfo: text(),
    status: text({ enum: applicationStatuses }).notNull().default('pending'),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('coaching_applications_created').on(table.createdAt),
    check('coaching_applications_trade', sql.raw(oneOf('trade', coachingTrades))),
    check(
      'coaching_applications_revenue',
      sql.raw(`"currentRevenue" is null or ${oneOf('currentRevenue', coachingRevenues)}`),
    ),
    check('coaching_applications_time', sql.raw(oneOf('timeCommitment', coachingCommitments))),
    check('coaching_applications_investment', sql.raw(oneOf('investment', coachingInvestments))),
    check('coaching_applications_heard', sql.raw(`"heardAbout" is null or ${oneOf('heardAbout', coachingSources)}`)),
    check('coaching_applications_status', sql.raw(oneOf('status', applicationStatuses))),
  ],
)

const bookingStatuses = ['scheduled', 'completed', 'cancelled', 'no-show'] as const

export const coachingBookings = sqliteTable(
  'coaching_bookings',
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    businessName: text(),
    trade: text(),
    /** Day in `timeZone`, YYYY-MM-DD. */
    bookingDate: text().notNull(),
    /** Minutes. */
    duration: integer().notNull().default(30),
    timeZone: text().notNull().default('Europe/London'),
    status: text({ enum: bookingStatuses }).notNull().default('scheduled'),
    notes: text(),
    reminderSent: flag(false),
    salesLionBookingId: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('coaching_bookings_date').on(table.bookingDate),
    check('coaching_bookings_status', sql.raw(oneOf('status', bookingStatuses))),
  ],
)

export const membershipApplications = sqliteTable(
  'membership_applications',
  {
    id: id(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    businessName: text().notNull(),
    trade: text().notNull(),
    businessStage: text({ enum: businessStages }).notNull(),
    yearsInTrade: text().notNull(),
    currentChallenges: text().notNull(),
    goals: text().notNull(),
    whyJoin: text().notNull(),
    hearAboutUs: text().notNull(),
    agreeTerms: integer({ mode: 'boolean' }).notNull(),
    selectedTier: text({ enum: tierSlugs }).notNull().default('standard'),
    status: text({ enum: applicationStatuses }).notNull().default('pending'),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('membership_applications_email').on(table.email, table.status),
    index('membership_applications_created').on(table.createdAt),
    check('membership_applications_stage', sql.raw(oneOf('businessStage', businessStages))),
    check('membership_applications_tier', sql.raw(oneOf('selectedTier', tierSlugs))),
    check('membership_applications_status', sql.raw(oneOf('status', applicationStatuses))),
  ],
)

export const quotientPackages = ['professional', 'master'] as const
export const quotientTrades = ['heating', 'plumbing', 'gas', 'electrical', 'bathroom', 'general', 'other'] as const
export const quotientManufacturers = ['worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'] as const

/** Orders of the quoting-system set-up, bought without an account. Amounts are pence. */
export const quotientOrders = sqliteTable(
  'quotient_orders',
  {
    id: id(),
    packageType: text({ enum: quotientPackages }).notNull().default('professional'),
    firstName: text().notNull(),
    lastName: text().notNull(),
    email: text().notNull(),
    phone: text(),
    businessName: text().notNull(),
    tradeType: text({ enum: quotientTrades }),
    preferredManufacturer: text({ enum: quotientManufacturers }),
    warrantyBoostPrice: text(),
    cheapestCarePlanPrice: text(),
    generalHourlyRate: text(),
    generalInstallRate: text(),
    generalDayRate: text(),
    vatRegistered: text({ enum: ['yes', 'no'] }),
    additionalRequirements: text(),
    agreeToTerms: integer({ mode: 'boolean' }).notNull(),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    stripePaymentIntentId: text().unique(),
    status: text({ enum: ['pending', 'paid', 'refunded'] })
      .notNull()
      .default('pending'),
    createdAt: instant().notNull(),
    paidAt: instant(),
  },
  () => [
    check('quotient_orders_package', sql.raw(oneOf('packageType', quotientPackages))),
    check('quotient_orders_trade', sql.raw(`"tradeType" is null or ${oneOf('tradeType', quotientTrades)}`)),
    check(
      'quotient_orders_maker',
      sql.raw(`"preferredManufacturer" is null or ${oneOf('preferredManufacturer', quotientManufacturers)}`),
    ),
  ],
)
