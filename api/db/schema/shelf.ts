import { sql } from 'drizzle-orm'
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { skipReasons, versionForms } from '#shared/contract/video-versions.ts'
import { instant, oneOf } from './columns.ts'
import { media } from './media.ts'
import { sessions } from './sessions.ts'
import { memberVideos } from './videos.ts'

/** What each login's phone says it keeps. Owners only see how many phones keep a video. */
export const keptVideos = sqliteTable(
  'kept_videos',
  {
    sid: text()
      .notNull()
      .references(() => sessions.sid, { onDelete: 'cascade' }),
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    keptAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sid, table.videoId] }), index('kept_videos_video').on(table.videoId)],
)

const whichVersion = () => ({
  videoId: text()
    .notNull()
    .references(() => memberVideos.id, { onDelete: 'cascade' }),
  form: text({ enum: versionForms }).notNull(),
})

/** A video's light version and its sound. They're open to the same members as the video. */
export const videoVersions = sqliteTable(
  'video_versions',
  {
    ...whichVersion(),
    mediaId: text()
      .notNull()
      .references(() => media.id),
    /** SHA-256 of the file we made it from. Null if an owner uploaded it, so we never replace it. */
    madeFrom: text(),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.form] }),
    index('video_versions_media').on(table.mediaId),
    check('video_versions_form', sql.raw(oneOf('form', versionForms))),
  ],
)

/** Versions we don't make of this file. A new file, or an owner who asks, gets another attempt. */
export const skippedVersions = sqliteTable(
  'skipped_versions',
  {
    ...whichVersion(),
    /** SHA-256 of the file. */
    film: text().notNull(),
    reason: text({ enum: skipReasons }).notNull(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.form] }),
    check('skipped_versions_form', sql.raw(oneOf('form', versionForms))),
    check('skipped_versions_reason', sql.raw(oneOf('reason', skipReasons))),
  ],
)
