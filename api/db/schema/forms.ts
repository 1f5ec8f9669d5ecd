import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { applicationStatuses, businessStages } from '#shared/contract/application.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import {
  coachingCommitments,
  coachingInvestments,
  coachingRevenues,
  coachingSources,
  coachingTrades,
} from '#shared/contract/coaching.ts'
import { bookingStatuses, bookingTimeZones } from '#shared/contract/coaching-booking.ts'
import { bookingTrades } from '#shared/contract/form-words.ts'
import {
  quotientManufacturers,
  quotientOrderStatuses,
  quotientTrades,
  vatRegistrations,
} from '#shared/contract/quotient.ts'
import { quotientPackages } from '#shared/contract/quotient-setups.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, oneOf, oneOfOrNull, pence } from './columns.ts'
import { customers } from './people.ts'

/** The form's trap was filled in. Kept for the owners to judge: it may have been a password manager. */
const isSpam = () => flag(false)

export const contacts = sqliteTable('contacts', {
  id: id(),
  name: text().notNull(),
  email: text().notNull(),
  trade: text(),
  message: text().notNull(),
  isSpam: isSpam(),
  createdAt: instant().notNull(),
})

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
    isSpam: isSpam(),
    status: text({ enum: applicationStatuses }).notNull().default('pending'),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('coaching_applications_created').on(table.createdAt),
    check('coaching_applications_trade', sql.raw(oneOf('trade', coachingTrades))),
    check('coaching_applications_revenue', sql.raw(oneOfOrNull('currentRevenue', coachingRevenues))),
    check('coaching_applications_time', sql.raw(oneOf('timeCommitment', coachingCommitments))),
    check('coaching_applications_investment', sql.raw(oneOf('investment', coachingInvestments))),
    check('coaching_applications_heard', sql.raw(oneOfOrNull('heardAbout', coachingSources))),
    check('coaching_applications_status', sql.raw(oneOf('status', applicationStatuses))),
  ],
)

export const coachingBookings = sqliteTable(
  'coaching_bookings',
  {
    id: id(),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    businessName: text(),
    trade: text({ enum: bookingTrades }),
    /** Day in `timeZone`, YYYY-MM-DD. */
    bookingDate: text().notNull(),
    /** Minutes. */
    duration: integer().notNull().default(30),
    timeZone: text({ enum: bookingTimeZones }).notNull().default('Europe/London'),
    status: text({ enum: bookingStatuses }).notNull().default('scheduled'),
    notes: text(),
    reminderSent: flag(false),
    salesLionBookingId: text(),
    isSpam: isSpam(),
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
    vatRegistered: text({ enum: vatRegistrations }),
    additionalRequirements: text(),
    agreeToTerms: integer({ mode: 'boolean' }).notNull(),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    /** Where the buyer's VAT invoice goes. */
    address: text({ mode: 'json' }).$type<BillingAddress>(),
    customerId: text().references(() => customers.id, { onDelete: 'restrict' }),
    /** The provider's demand for it, in_…. */
    stripeInvoiceId: text().unique(),
    status: text({ enum: quotientOrderStatuses }).notNull().default('pending'),
    createdAt: instant().notNull(),
    paidAt: instant(),
  },
  (table) => [
    index('quotient_orders_customer').on(table.customerId),
    check('quotient_orders_package', sql.raw(oneOf('packageType', quotientPackages))),
    check('quotient_orders_vat', sql.raw(oneOfOrNull('vatRegistered', vatRegistrations))),
    check('quotient_orders_status', sql.raw(oneOf('status', quotientOrderStatuses))),
    check('quotient_orders_trade', sql.raw(oneOfOrNull('tradeType', quotientTrades))),
    check('quotient_orders_maker', sql.raw(oneOfOrNull('preferredManufacturer', quotientManufacturers))),
  ],
)
