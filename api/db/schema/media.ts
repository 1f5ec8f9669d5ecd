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
    /** When its content took the place of another one, at the same address. */
    replacedAt: instant(),
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

/** The documents that members get beside a video, in their order. */
export const videoHandouts = sqliteTable(
  'video_handouts',
  {
    videoId: text()
      .notNull()
      .references(() => memberVideos.id, { onDelete: 'cascade' }),
    mediaId: text()
      .notNull()
      .references(() => media.id),
    position: integer().notNull(),
    title: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.videoId, table.position] }),
    index('video_handouts_media').on(table.mediaId),
  ],
)

/**
 * An upload that has begun. Its bytes lie in `DATA_DIR/media/uploads` under its id: how many there are says the file alone, so
 * that a server which dies between the two leaves nothing that contradicts itself.
 */
export const mediaUploads = sqliteTable(
  'media_uploads',
  {
    id: id(),
    name: text().notNull(),
    /** Of the whole file, as the browser announced it. */
    bytes: integer().notNull(),
    /** What the browser made of the file, to know it again when it is chosen once more. */
    fingerprint: text().notNull(),
    isPublic: flag(false),
    /** The file whose place it takes. */
    replacesId: text().references(() => media.id, { onDelete: 'cascade' }),
    /** What it has become: a repeat of the last call gets the same response. */
    mediaId: text().references(() => media.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('media_uploads_fingerprint').on(table.fingerprint),
    check('media_uploads_bytes', sql.raw(`"bytes" between 1 and ${maxMediaBytes}`)),
  ],
)
