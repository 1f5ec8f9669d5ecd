import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import { videoTypes } from '#shared/contract/video.ts'
import { day, flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/** `videoId` is the host's id (once called wistiaId), `duration` minutes. */
export const memberVideos = sqliteTable(
  'member_videos',
  {
    id: id(),
    /** Of the video's own page, made of the title it was added with. The default is for the migration alone: it fits one row. */
    slug: text().notNull().default(''),
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
    /** Members see it from this day on; null: at once. */
    availableFrom: day(),
    /** Goes up with each change by an owner. */
    version: integer().notNull().default(1),
    /** Goes up with every change, also one made by hand: a trigger of the database sees to it. */
    revision: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('member_videos_slug').on(table.slug),
    index('member_videos_order').on(table.isPublished, table.category, table.orderIndex),
    index('member_videos_first_day').on(table.isPublished, table.availableFrom),
    check('member_videos_type', sql.raw(oneOf('videoType', videoTypes))),
    check('member_videos_tiers', sql.raw(`json_type("tierAccess") = 'array'`)),
    check('member_videos_order_index', sql.raw('"orderIndex" >= 0')),
  ],
)

/** What a lesson's page has to read. Apart from the video: the list is read at every opening, and this is ten times as long. */
export const videoTexts = sqliteTable('video_texts', {
  videoId: text()
    .primaryKey()
    .references(() => memberVideos.id, { onDelete: 'cascade' }),
  notes: text(),
  /** What is said, in paragraphs. */
  transcript: text(),
  /** WebVTT. */
  captions: text(),
  /**
   * The captions file of the media store that they are a copy of, and follow; null once they were edited. No foreign key: that
   * schema reads this one.
   */
  captionsFrom: text(),
  /** Goes up with each change by an owner. */
  version: integer().notNull().default(1),
  updatedAt: instant().notNull(),
})

/** Where a member stopped in a video: of all positions that their devices sent, the one with the latest stamp (`at`, `deviceId`). */
export const videoPositions = sqliteTable(
  'video_positions',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    seconds: integer().notNull(),
    at: instant().notNull(),
    deviceId: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.videoId] }),
    // When somebody last played anything, without a look at each of their lessons.
    index('video_positions_played').on(table.userId, table.at),
    check('video_positions_seconds', sql.raw('"seconds" >= 0')),
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
  (table) => [
    primaryKey({ columns: [table.userId, table.videoId] }),
    // A lesson's members are counted without reading their rows; a lesson that is deleted finds its own.
    index('video_progress_video').on(table.videoId, table.completed),
  ],
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
