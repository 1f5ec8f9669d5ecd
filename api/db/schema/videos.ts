import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { videoTypes } from '#shared/values/column-values.ts'
import { day, flag, id, instant, oneOf } from './columns.ts'
import { users } from './people.ts'
import { membershipTiers } from './tiers.ts'

/** `videoId` is the host's id (formerly wistiaId). `duration` is in minutes. */
export const memberVideos = sqliteTable(
  'member_videos',
  {
    id: id(),
    /** For the video's page, from its original title. The default is only for the migration: it can serve one row. */
    slug: text().notNull().default(''),
    title: text().notNull(),
    description: text(),
    videoType: text({ enum: videoTypes }).notNull().default('wistia'),
    videoId: text().notNull(),
    embedUrl: text(),
    category: text().notNull(),
    orderIndex: integer().notNull().default(0),
    isPublished: flag(true),
    duration: integer(),
    /** Members see it from this day. Null means now. */
    availableFrom: day(),
    version: integer().notNull().default(1),
    /** Goes up with every change, even one made by hand: a trigger does it. */
    revision: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('member_videos_slug').on(table.slug),
    index('member_videos_order').on(table.isPublished, table.category, table.orderIndex),
    index('member_videos_first_day').on(table.isPublished, table.availableFrom),
    check('member_videos_type', sql.raw(oneOf('videoType', videoTypes))),
    check('member_videos_order_index', sql.raw('"orderIndex" >= 0')),
  ],
)

/** Which tiers see a video. Triggers count a change as one of the video's. */
export const videoTiers = sqliteTable(
  'video_tiers',
  {
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    tierSlug: text()
      .notNull()
      .references(() => membershipTiers.slug, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.tierSlug] }),
    index('video_tiers_tier').on(table.tierSlug, table.videoId),
  ],
)

/** A video that came out at `at`: members who'd chosen by then to hear about new ones are told. `toldAt`: when all of them had a notice. */
export const videoTellings = sqliteTable(
  'video_tellings',
  {
    videoId: text()
      .primaryKey()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    toldAt: instant(),
  },
  (table) => [index('video_tellings_open').on(table.at).where(sql.raw('"toldAt" is null'))],
)

/** The texts on a video's page. In their own table because the list is read on every visit, and these are ten times as long. */
export const videoTexts = sqliteTable('video_texts', {
  videoId: text()
    .primaryKey()
    .references(() => memberVideos.id, { onDelete: 'cascade' }),
  notes: text(),
  /** The transcript, in paragraphs. */
  transcript: text(),
  /** WebVTT. */
  captions: text(),
  /**
   * The captions file in the media library these are copied from and kept in step with. Null once they've been edited. No foreign
   * key, because that schema imports this one.
   */
  captionsFrom: text(),
  version: integer().notNull().default(1),
  updatedAt: instant().notNull(),
})

/** Where a member stopped in a video. The device with the latest stamp (`at`, `deviceId`) wins. */
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
    // Finds when a member last played anything without reading all their rows.
    index('video_positions_played').on(table.userId, table.at),
    check('video_positions_seconds', sql.raw('"seconds" >= 0')),
  ],
)

/** One row per member and video: the winning change, with its stamp (`at`, `counter`, `deviceId`, `changeId`). */
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
    // A covering index to count a video's members, and to find the rows of a deleted video.
    index('video_progress_video').on(table.videoId, table.completed),
  ],
)

/** How many changes were stored for a member on the latest active day, for the sync's daily limit. */
export const progressDays = sqliteTable('progress_days', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  day: day().notNull(),
  changes: integer().notNull(),
})

/** Changes of the last 18 months, so that a repeat is acknowledged and ignored. */
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
