import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { maxMediaBytes, mediaFormats } from '#shared/values/media.ts'
import { flag, id, instant, oneOf } from './columns.ts'
import { memberVideos } from './videos.ts'

/** The files in `DATA_DIR/media`. Bytes that are stored once may have a public and a private row, which are independent. */
export const media = sqliteTable(
  'media',
  {
    id: id(),
    /** Hash of the content in hex. The file's path derives from it. */
    sha256: text().notNull(),
    bytes: integer().notNull(),
    /** Detected from the content, not the name. */
    format: text({ enum: mediaFormats }).notNull(),
    name: text().notNull(),
    /** What an MP4's pictures are in, such as `avc1` or `hvc1`. Null of other files, and of those from before we read it. */
    codec: text(),
    isPublic: flag(false),
    createdAt: instant().notNull(),
    /** When its content was last replaced, keeping the address. */
    replacedAt: instant(),
  },
  (table) => [
    uniqueIndex('media_content').on(table.sha256, table.isPublic),
    check('media_sha256', sql.raw(`length("sha256") = 64`)),
    check('media_bytes', sql.raw(`"bytes" between 1 and ${maxMediaBytes}`)),
    check('media_format', sql.raw(oneOf('format', mediaFormats))),
  ],
)

/** A video's own files, in the order browsers try them, before the host's player. */
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

/** A video's downloads for members, in order. */
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
 * An upload in progress. Its bytes are in `DATA_DIR/media/uploads` under its id. Only the file's size says how many have arrived,
 * so a crash can't leave file and row in disagreement.
 */
export const mediaUploads = sqliteTable(
  'media_uploads',
  {
    id: id(),
    name: text().notNull(),
    /** Size of the whole file, as the browser announced it. */
    bytes: integer().notNull(),
    /** The browser's fingerprint of the file, to recognise it if it's chosen again. */
    fingerprint: text().notNull(),
    isPublic: flag(false),
    /** A file to move in from. It never enters the library. */
    isImport: flag(false),
    replacesId: text().references(() => media.id, { onDelete: 'cascade' }),
    /** The finished file, so a repeat of the last call gets the same response. */
    mediaId: text().references(() => media.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('media_uploads_fingerprint').on(table.fingerprint),
    check('media_uploads_bytes', sql.raw(`"bytes" between 1 and ${maxMediaBytes}`)),
  ],
)

/**
 * The SHA-256 of each piece of a video or sound, in order, so that a phone that keeps it can check what it fetched. `file` is the
 * whole file's hash: its public and its private row share them.
 */
export const mediaPieces = sqliteTable(
  'media_pieces',
  {
    file: text().notNull(),
    index: integer().notNull(),
    sha256: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.file, table.index] }),
    check('media_pieces_sha256', sql.raw(`length("sha256") = 64`)),
  ],
)

/** When the content of a file was last read and compared with its hash, and when it last was what it should be. */
export const mediaChecks = sqliteTable('media_checks', {
  /** The file's hash: its public and its private row share it. */
  file: text().primaryKey(),
  checkedAt: instant().notNull(),
  /** Null if it never was. */
  wholeAt: instant(),
  isWhole: flag(true),
})

/** Pictures imports brought in, so each is fetched once. */
export const importedPictures = sqliteTable(
  'imported_pictures',
  {
    /** Its address, or the hash of the file it came in and its name there. */
    source: text().primaryKey(),
    mediaId: text()
      .notNull()
      .references(() => media.id, { onDelete: 'cascade' }),
    /** The library didn't have these bytes before, so undoing the import takes them out again. */
    isNew: flag(false),
    createdAt: instant().notNull(),
  },
  (table) => [index('imported_pictures_media').on(table.mediaId)],
)
