import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { callKinds } from '#shared/contract/call-kind.ts'
import {
  bookingTrades,
  coachingCommitments,
  coachingInvestments,
  coachingRevenues,
  coachingSources,
  coachingTrades,
} from '#shared/contract/form-labels.ts'
import {
  agreementAuthors,
  applicationStatuses,
  bookingStatuses,
  bookingTimeZones,
  businessStages,
  inboxKinds,
  inboxNoteKinds,
} from '#shared/values/column-values.ts'
import { day, flag, id, instant, json, oneOf, oneOfOrNull, personLine, requiredFlag } from './columns.ts'
import { users } from './people.ts'
import { termsVersions } from './terms.ts'
import { tierReference } from './tiers.ts'

/** The honeypot field was filled in. We keep it for the owners to judge, as a password manager may have done it. */
const isSpam = () => flag(false)

export const contacts = sqliteTable('contacts', {
  id: id(),
  name: personLine().notNull(),
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
    name: personLine().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    trade: text({ enum: coachingTrades }).notNull(),
    businessName: personLine(),
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

/** A call from the calendar has all of these columns. Any other booking has none. */
const wholeCall =
  '("kind" is null) = ("startsAt" is null) and ("kind" is null) = ("coach" is null) and ("kind" is null) = ("endsAt" is null)'

export const coachingBookings = sqliteTable(
  'coaching_bookings',
  {
    id: id(),
    name: personLine().notNull(),
    email: text().notNull(),
    phone: text(),
    businessName: personLine(),
    trade: text({ enum: bookingTrades }),
    /** The day in `timeZone`, YYYY-MM-DD. */
    bookingDate: day().notNull(),
    /** Minutes. */
    duration: integer().notNull().default(30),
    timeZone: text({ enum: bookingTimeZones }).notNull().default('Europe/London'),
    status: text({ enum: bookingStatuses }).notNull().default('scheduled'),
    notes: text(),
    reminderSent: flag(false),
    salesLionBookingId: text(),
    isSpam: isSpam(),
    /** From here on, columns of calls in our calendar. Null for the form without a time. */
    kind: text({ enum: callKinds }),
    /** A coach's id in the content. */
    coach: text(),
    startsAt: instant(),
    endsAt: instant(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** The visitor must confirm by then. Null once it's booked. */
    heldUntil: instant(),
    /** Keyed hashes of the network a provider may give one customer, and of the address, with a full stop between. */
    heldFrom: text(),
    /** How often it was moved: the iCalendar sequence, as calendar programs keep the highest. */
    moves: integer().notNull().default(0),
    /** What coach and member agreed on, who last changed it and when. The version counts both sides' changes. */
    agreed: text(),
    agreedBy: text({ enum: agreementAuthors }),
    agreedAt: instant(),
    agreedVersion: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('coaching_bookings_date').on(table.bookingDate),
    // The last guard against booking one slot twice.
    uniqueIndex('coaching_bookings_slot')
      .on(table.coach, table.startsAt)
      .where(sql.raw(`"status" = 'scheduled' and "coach" is not null`)),
    index('coaching_bookings_starts').on(table.startsAt),
    index('coaching_bookings_user').on(table.userId),
    check('coaching_bookings_status', sql.raw(oneOf('status', bookingStatuses))),
    check('coaching_bookings_kind', sql.raw(oneOfOrNull('kind', callKinds))),
    check('coaching_bookings_whole', sql.raw(wholeCall)),
  ],
)

export const membershipApplications = sqliteTable(
  'membership_applications',
  {
    id: id(),
    firstName: personLine().notNull(),
    lastName: personLine().notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    businessName: personLine().notNull(),
    trade: text().notNull(),
    businessStage: text({ enum: businessStages }).notNull(),
    yearsInTrade: text().notNull(),
    currentChallenges: text().notNull(),
    goals: text().notNull(),
    whyJoin: text().notNull(),
    hearAboutUs: text().notNull(),
    agreeTerms: requiredFlag(),
    selectedTier: tierReference().notNull(),
    status: text({ enum: applicationStatuses }).notNull().default('pending'),
    termsVersion: text().references(() => termsVersions.version, { onDelete: 'restrict' }),
    /** Earlier applications from the same address while this one was pending, oldest first. */
    earlier: json<Record<string, unknown>[]>().notNull().default([]),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('membership_applications_email').on(table.email, table.status),
    index('membership_applications_created').on(table.createdAt),
    check('membership_applications_stage', sql.raw(oneOf('businessStage', businessStages))),
    check('membership_applications_status', sql.raw(oneOf('status', applicationStatuses))),
  ],
)

/** Owners' notes on incoming messages, and their replies. They're deleted with the message, and outlive their author. */
export const inboxNotes = sqliteTable(
  'inbox_notes',
  {
    id: id(),
    about: text({ enum: inboxKinds }).notNull(),
    aboutId: text().notNull(),
    kind: text({ enum: inboxNoteKinds }).notNull(),
    text: text().notNull(),
    authorId: text().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    /** For a reply: identifies the owner's request, so repeats of it send one email. */
    wish: text(),
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('inbox_notes_wish').on(table.wish, table.aboutId),
    index('inbox_notes_about').on(table.aboutId, table.id),
    check('inbox_notes_about_kind', sql.raw(oneOf('about', inboxKinds))),
    check('inbox_notes_kind', sql.raw(oneOf('kind', inboxNoteKinds))),
  ],
)
