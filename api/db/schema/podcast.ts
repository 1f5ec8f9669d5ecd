import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant } from './columns.ts'
import { media } from './media.ts'

/** Episodes the owners uploaded. The sample episodes are in the page's content. */
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
    /** The audio, a public file in the media library. */
    mediaId: text()
      .notNull()
      .references(() => media.id),
    /** The episode's own picture, also public. Without one, apps show the podcast's. */
    pictureId: text().references(() => media.id),
    seconds: integer().notNull(),
    isExplicit: flag(false),
    isPublished: flag(false),
    publishedAt: instant(),
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
