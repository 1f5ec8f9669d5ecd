import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PostRequest } from '#shared/contract/admin-post.ts'
import { flag, id, instant, json } from './columns.ts'

export const blogPosts = sqliteTable(
  'blog_posts',
  {
    id: id(),
    title: text().notNull(),
    slug: text().notNull().unique(),
    excerpt: text(),
    /** Sanitised HTML. */
    content: text().notNull(),
    author: text().notNull().default('The coaches'),
    isPublished: flag(false),
    featuredImage: text(),
    /** What it shows, for people who can't see it. */
    featuredImageAlt: text(),
    /** The picture social networks show with a link. The default is the picture above. */
    shareImage: text(),
    publishedAt: instant(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index('blog_posts_published').on(table.isPublished, table.publishedAt)],
)

/** A post as it was after each change, so an owner can restore it. */
export const blogVersions = sqliteTable(
  'blog_versions',
  {
    postId: text()
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    post: json<PostRequest>().notNull(),
    /** Who wrote it, as the audit log names them. Null if that's unknown. */
    actor: text(),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.version] })],
)

/** A published post's earlier addresses, which redirect. */
export const blogRedirects = sqliteTable(
  'blog_redirects',
  {
    slug: text().primaryKey(),
    postId: text()
      .notNull()
      .references(() => blogPosts.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
  },
  (table) => [index('blog_redirects_post').on(table.postId)],
)

/** Paths of the site before this one. They lead to a post or to another path, and never cover a page of ours. */
export const oldAddresses = sqliteTable(
  'old_addresses',
  {
    /** Decoded, without a slash at its end. */
    path: text().primaryKey(),
    postId: text().references(() => blogPosts.id, { onDelete: 'cascade' }),
    to: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('old_addresses_post').on(table.postId),
    check('old_addresses_target', sql.raw('("postId" is null) <> ("to" is null)')),
  ],
)
