import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import { videoTypes } from '#shared/contract/video.ts'
import { day, flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/** `videoId` is the host's id (once called wistiaId), `duration` minutes. */
export const memberVideos = sqliteTable(
  'member_videos',
  {
    id: id(),
    title: text().notNull(),
    description: text(),
    videoType: text({ enum: videoTypes }).notNull().default('wistia'),
    videoId: text().notNull(),
    embedUrl: text(),
    category: text().notNull(),
    orderIndex: integer().notNull().default(0),
    isPublished: flag(true),
    tierAccess: json<TierSlug[]>()
      .notNull()
      .default([...tierSlugs]),
    duration: integer(),
    /** Goes up with each change by an owner. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('member_videos_order').on(table.isPublished, table.category, table.orderIndex),
    check('member_videos_type', sql.raw(oneOf('videoType', videoTypes))),
    check('member_videos_tiers', sql.raw(`json_type("tierAccess") = 'array'`)),
    check('member_videos_order_index', sql.raw('"orderIndex" >= 0')),
  ],
)

/** One row per member and video: the change that won, with its stamp (`at`, `counter`, `deviceId`, `changeId`). */
export const videoProgress = sqliteTable(
  'video_progress',
  {
    id: text().notNull().unique(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    completed: flag(false),
    completedAt: instant(),
    /** Seconds. */
    watchTime: integer().notNull().default(0),
    at: instant().notNull(),
    counter: integer().notNull(),
    deviceId: text().notNull(),
    changeId: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.videoId] })],
)

/** How many changes were stored for a member on the newest day that had any; see the daily limit of the sync. */
export const progressDays = sqliteTable('progress_days', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  day: day().notNull(),
  changes: integer().notNull(),
})

/** Every change that was stored in the last 18 months, so that a repeat is acknowledged and its content ignored. */
export const appliedChanges = sqliteTable(
  'applied_changes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    changeId: text().notNull(),
    receivedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.changeId] })],
)
