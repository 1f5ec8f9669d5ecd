import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant } from './columns.ts'
import { media } from './media.ts'

/** Episodes of the podcast that owners have put up; those that come with the software are the page's own words. */
export const podcastEpisodes = sqliteTable(
  'podcast_episodes',
  {
    id: id(),
    title: text().notNull(),
    /** One or two sentences, for lists and directories. */
    summary: text().notNull(),
    /** Plain text. */
    notes: text(),
    number: integer(),
    /** The sound: a public file of the media store. */
    mediaId: text()
      .notNull()
      .references(() => media.id),
    /** The episode's own picture, a public file too; without one apps show that of the podcast. */
    pictureId: text().references(() => media.id),
    seconds: integer().notNull(),
    isExplicit: flag(false),
    isPublished: flag(false),
    publishedAt: instant(),
    /** Goes up with each change by an owner. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index('podcast_episodes_published').on(table.isPublished, table.publishedAt),
    index('podcast_episodes_media').on(table.mediaId),
    index('podcast_episodes_picture').on(table.pictureId),
  ],
)
