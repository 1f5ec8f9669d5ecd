import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { callKinds } from '#shared/contract/call-kind.ts'
import {
  agreementAuthors,
  applicationStatuses,
  bookingStatuses,
  bookingTimeZones,
  businessStages,
  inboxKinds,
  inboxNoteKinds,
} from '#shared/contract/column-values.ts'
import {
  bookingTrades,
  coachingCommitments,
  coachingInvestments,
  coachingRevenues,
  coachingSources,
  coachingTrades,
} from '#shared/contract/form-labels.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { day, flag, id, instant, json, oneOf, oneOfOrNull, requiredFlag } from './columns.ts'
import { users } from './people.ts'
import { termsVersions } from './terms.ts'

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

/** A call of the calendar has all of these, and any other booking none. */
const wholeCall =
  '("kind" is null) = ("startsAt" is null) and ("kind" is null) = ("coach" is null) and ("kind" is null) = ("endsAt" is null)'

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
    bookingDate: day().notNull(),
    /** Minutes. */
    duration: integer().notNull().default(30),
    timeZone: text({ enum: bookingTimeZones }).notNull().default('Europe/London'),
    status: text({ enum: bookingStatuses }).notNull().default('scheduled'),
    notes: text(),
    reminderSent: flag(false),
    salesLionBookingId: text(),
    isSpam: isSpam(),
    /** From here on, of a call with a time in our calendar; null for what the form without a time sent. */
    kind: text({ enum: callKinds }),
    /** The id of a coach of the content. */
    coach: text(),
    startsAt: instant(),
    endsAt: instant(),
    /** A member's call goes with the member. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** Until when a visitor may confirm it; null once it is booked. */
    heldUntil: instant(),
    /** The network that the visitor's provider may have given one customer whole, and their address in it: keyed hashes, a full stop between them. */
    heldFrom: text(),
    /** How often it was moved; a calendar program takes over the highest. */
    moves: integer().notNull().default(0),
    /** What coach and member agreed on, who wrote it last and when; it goes up with each change by either. */
    agreed: text(),
    agreedBy: text({ enum: agreementAuthors }),
    agreedAt: instant(),
    agreedVersion: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('coaching_bookings_date').on(table.bookingDate),
    // Whatever else goes wrong: nobody is promised a time that somebody else has.
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
    agreeTerms: requiredFlag(),
    selectedTier: text({ enum: tierSlugs }).notNull().default('standard'),
    status: text({ enum: applicationStatuses }).notNull().default('pending'),
    /** The terms that were agreed to. */
    termsVersion: text().references(() => termsVersions.version, { onDelete: 'restrict' }),
    /** What was sent before for the same address while it was pending, the oldest first. */
    earlier: json<Record<string, unknown>[]>().notNull().default([]),
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

/** What owners wrote about something that came in, or to its sender. It goes with what it is about, and outlives its author. */
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
    /** Of a mail: names what the owner asked for once, however often it was sent. */
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
