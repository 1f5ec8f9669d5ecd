import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { followUpKinds } from '#shared/contract/follow-up.ts'
import { leftOutReasons, mailingPurposes, Segment, storedMailingStatuses } from '#shared/contract/mailing.ts'
import { checkedJson, id, instant, oneOf, oneOfOrNull } from './columns.ts'
import { users } from './people.ts'
import { tierReference } from './tiers.ts'

const StoredSegment = v.omit(Segment, ['tiers'])

/** Notices on the members' dashboard. Their times use the billing clock. */
export const announcements = sqliteTable(
  'announcements',
  {
    id: id(),
    title: text().notNull(),
    /** Markdown. */
    text: text().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('announcements_end').on(table.endsAt),
    check('announcements_time', sql.raw('"startsAt" < "endsAt"')),
    check('announcements_version', sql.raw('"version" >= 1')),
  ],
)

/** Whom an announcement is for. Without a row it's for everyone. */
export const announcementTiers = sqliteTable(
  'announcement_tiers',
  {
    announcementId: text()
      .notNull()
      .references(() => announcements.id, { onDelete: 'cascade' }),
    tierSlug: tierReference().notNull(),
  },
  (table) => [primaryKey({ columns: [table.announcementId, table.tierSlug] })],
)

/** The table keeps its first name, so that going back to an older release needs no restore. */
export const announcementDismissals = sqliteTable(
  'announcements_put_away',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    announcementId: text()
      .notNull()
      .references(() => announcements.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.announcementId] }),
    index('announcements_put_away_of').on(table.announcementId),
  ],
)

export const mailings = sqliteTable(
  'mailings',
  {
    id: id(),
    subject: text().notNull(),
    /** Markdown. */
    text: text().notNull(),
    purpose: text({ enum: mailingPurposes }).notNull(),
    /** Its tiers are in `mailing_tiers`. */
    segment: checkedJson(StoredSegment).notNull(),
    perMinute: integer().notNull(),
    /** Identifies an automatic mailing, such as `legal:terms:3`, so it's sent once. Null if an owner wrote it. */
    cause: text().unique(),
    status: text({ enum: storedMailingStatuses }).notNull().default('draft'),
    /** When a draft starts being sent; null if it isn't scheduled. */
    sendAt: instant(),
    /** How many people it was sent to. Accounts deleted later stay in this count. */
    people: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (table) => [
    index('mailings_status').on(table.status),
    check('mailings_purpose', sql.raw(oneOf('purpose', mailingPurposes))),
    check('mailings_status', sql.raw(oneOf('status', storedMailingStatuses))),
    check('mailings_rate', sql.raw('"perMinute" >= 1')),
  ],
)

/** The tiers of a mailing's segment. Without a row it's for all of them. */
export const mailingTiers = sqliteTable(
  'mailing_tiers',
  {
    mailingId: text()
      .notNull()
      .references(() => mailings.id, { onDelete: 'cascade' }),
    tierSlug: tierReference().notNull(),
  },
  (table) => [primaryKey({ columns: [table.mailingId, table.tierSlug] })],
)

/** `queued`: the email is in the outbox, which has its status. */
export const recipientStatuses = ['waiting', 'queued', 'left_out', 'stopped'] as const

/** A mailing's recipients, fixed when it was sent. */
export const mailingRecipients = sqliteTable(
  'mailing_recipients',
  {
    mailingId: text()
      .notNull()
      .references(() => mailings.id, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: recipientStatuses }).notNull().default('waiting'),
    reason: text({ enum: leftOutReasons }),
    queuedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.mailingId, table.userId] }),
    index('mailing_recipients_status').on(table.mailingId, table.status, table.queuedAt),
    index('mailing_recipients_user').on(table.userId),
    check('mailing_recipients_status', sql.raw(oneOf('status', recipientStatuses))),
    check('mailing_recipients_reason', sql.raw(oneOfOrNull('reason', leftOutReasons))),
  ],
)

/** Automatic emails people have had, once per occasion. Times use the wall clock. */
export const followUps = sqliteTable(
  'follow_ups',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: followUpKinds }).notNull(),
    /** What prompted it: a membership's start or end, the last visit, the card. */
    occasion: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    uniqueIndex('follow_ups_once').on(table.userId, table.kind, table.occasion),
    index('follow_ups_kind').on(table.kind, table.at),
    check('follow_ups_kind', sql.raw(oneOf('kind', followUpKinds))),
  ],
)
