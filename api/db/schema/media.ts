import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { maxMediaBytes, mediaFormats } from '#shared/rules/media.ts'
import { flag, id, instant, oneOf } from './columns.ts'
import { memberVideos } from './videos.ts'

/**
 * What is known of the files below `DATA_DIR/media`. Bytes that are stored once may have a public and a private row, which
 * know nothing of each other.
 */
export const media = sqliteTable(
  'media',
  {
    id: id(),
    /** Of the content, in hexadecimal: where the file lies. */
    sha256: text().notNull(),
    bytes: integer().notNull(),
    /** By the content, whatever the name says. */
    format: text({ enum: mediaFormats }).notNull(),
    name: text().notNull(),
    isPublic: flag(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('media_content').on(table.sha256, table.isPublic),
    check('media_sha256', sql.raw(`length("sha256") = 64`)),
    check('media_bytes', sql.raw(`"bytes" between 1 and ${maxMediaBytes}`)),
    check('media_format', sql.raw(oneOf('format', mediaFormats))),
  ],
)

/** The files of our own that a video plays, in the order in which a browser tries them, before its host's player. */
export const videoFiles = sqliteTable(
  'video_files',
  {
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    mediaId: text()
      .notNull()
      .references(() => media.id),
    position: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.videoId, table.position] }), index('video_files_media').on(table.mediaId)],
)
