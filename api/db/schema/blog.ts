import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant } from './columns.ts'

export const blogPosts = sqliteTable(
  'blog_posts',
  {
    id: id(),
    title: text().notNull(),
    slug: text().notNull().unique(),
    excerpt: text(),
    /** HTML, cleaned before it is stored. */
    content: text().notNull(),
    author: text().notNull().default('The coaches'),
    isPublished: flag(false),
    featuredImage: text(),
    publishedAt: instant(),
    /** Goes up with each change by an owner. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index('blog_posts_published').on(table.isPublished, table.publishedAt)],
)
