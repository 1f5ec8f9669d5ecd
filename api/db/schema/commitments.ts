import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { agreementAuthors } from '#shared/values/column-values.ts'
import { commitmentStates } from '#shared/values/commitment-values.ts'
import { day, id, instant, oneOf } from './columns.ts'
import { coachingBookings } from './forms.ts'
import { users } from './people.ts'
import { memberVideos } from './videos.ts'

/** What members promised to do by a day. Text, day and state carry a stamp each. */
export const commitments = sqliteTable(
  'commitments',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    madeBy: text({ enum: agreementAuthors }).notNull(),
    videoId: text().references(() => memberVideos.id, { onDelete: 'set null' }),
    callId: text().references(() => coachingBookings.id, { onDelete: 'set null' }),
    text: text().notNull(),
    textAt: instant().notNull(),
    textCounter: integer().notNull(),
    textDeviceId: text().notNull(),
    textChangeId: text().notNull(),
    /** The last agreed day, in Europe/London. */
    day: day().notNull(),
    dayAt: instant().notNull(),
    dayCounter: integer().notNull(),
    dayDeviceId: text().notNull(),
    dayChangeId: text().notNull(),
    state: text({ enum: commitmentStates }).notNull(),
    stateAt: instant().notNull(),
    stateCounter: integer().notNull(),
    stateDeviceId: text().notNull(),
    stateChangeId: text().notNull(),
    /** London day on which it was done, by the stamp that says so, never later than it was received. */
    doneOn: day(),
    /** The day a reminder was sent for, so that each day is reminded of once. */
    remindedFor: day(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('commitments_user').on(table.userId, table.day),
    index('commitments_open').on(table.day, table.userId).where(sql.raw(`"state" = 'open'`)),
    index('commitments_video').on(table.videoId),
    index('commitments_call').on(table.callId),
    check('commitments_made_by', sql.raw(oneOf('madeBy', agreementAuthors))),
    check('commitments_state', sql.raw(oneOf('state', commitmentStates))),
  ],
)

/** Changes of the last 18 months, so that a repeat is acknowledged and ignored. */
export const appliedCommitmentChanges = sqliteTable(
  'applied_commitment_changes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    changeId: text().notNull(),
    receivedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.changeId] }),
    index('applied_commitment_changes_received').on(table.receivedAt),
  ],
)
