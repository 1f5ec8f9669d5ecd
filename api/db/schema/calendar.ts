import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { CallWindow } from '#shared/contract/calendar.ts'
import { callKinds, weekdays } from '#shared/contract/call-kind.ts'
import { day, flag, id, instant, json, month, oneOf } from './columns.ts'
import { users } from './people.ts'

/** A coach's weekly hours for calls. Coaches are those of the content, by id. */
export const callHours = sqliteTable(
  'call_hours',
  {
    id: id(),
    coach: text().notNull(),
    kind: text({ enum: callKinds }).notNull(),
    weekday: text({ enum: weekdays }).notNull(),
    /** Empty if owners removed all of the day's times. The row stays for its version. */
    windows: json<CallWindow[]>().notNull(),
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('call_hours_day').on(table.coach, table.kind, table.weekday),
    check('call_hours_kind', sql.raw(oneOf('kind', callKinds))),
    check('call_hours_weekday', sql.raw(oneOf('weekday', weekdays))),
  ],
)

/** Days that differ from the week: holidays and other hours. */
export const callDays = sqliteTable(
  'call_days',
  {
    id: id(),
    /** Null means every coach. */
    coach: text(),
    firstDay: day().notNull(),
    lastDay: day().notNull(),
    /** Empty means nothing can be booked. */
    windows: json<CallWindow[]>().notNull(),
    note: text(),
    createdAt: instant().notNull(),
  },
  (table) => [index('call_days_last').on(table.lastDay), check('call_days_order', sql.raw('"firstDay" <= "lastDay"'))],
)

/** Owners' settings for a kind of call. Without a row the defaults apply. */
export const callRules = sqliteTable(
  'call_rules',
  {
    kind: text({ enum: callKinds }).primaryKey(),
    minutes: integer().notNull(),
    everyMinutes: integer().notNull(),
    leadMinutes: integer().notNull(),
    bufferMinutes: integer().notNull(),
    horizonDays: integer().notNull(),
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  () => [check('call_rules_kind', sql.raw(oneOf('kind', callKinds)))],
)

/** One extra call in a month, given to a member by an owner. */
export const callAllowances = sqliteTable(
  'call_allowances',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: callKinds }).notNull(),
    month: month().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('call_allowances_user').on(table.userId, table.kind, table.month),
    check('call_allowances_kind', sql.raw(oneOf('kind', callKinds))),
  ],
)

/** Secret addresses of calendar feeds with the booked calls. Each is its owner's, and goes when they stop being one. */
export const callFeeds = sqliteTable('call_feeds', {
  id: id(),
  /** The owner who made it, or replaced its address last: only they have seen it. Null if that was at the server's own terminal. */
  ownerId: text().references(() => users.id, { onDelete: 'cascade' }),
  coach: text(),
  tokenHash: text().notNull().unique(),
  createdAt: instant().notNull(),
})

/** Who gets an email with their coach's day each morning, and when (London time). */
export const callMornings = sqliteTable('call_mornings', {
  coach: text().primaryKey(),
  email: text().notNull(),
  /** HH:MM */
  sendsAt: text().notNull(),
  isOn: flag(true),
  /** The last day we checked, with or without calls. */
  lastDay: day(),
  version: integer().notNull().default(1),
  updatedAt: instant().notNull(),
})
