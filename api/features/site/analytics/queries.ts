import { and, count, eq, gte, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { total } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { type CountKind, countKinds } from '#shared/contract/analytics.ts'

export type Counted = { kind: CountKind; day: string; key: string; pence: number }

const { kind, day, key } = dailyCounts

const addToCount = preparedQuery<Counted>()((db, counted) =>
  db
    .update(dailyCounts)
    .set({ count: sql`${dailyCounts.count} + 1`, pence: sql`${dailyCounts.pence} + ${counted.pence}` })
    .where(and(eq(kind, counted.kind), eq(day, counted.day), eq(key, counted.key))),
)

const keysOfDay = preparedQuery<Pick<Counted, 'kind' | 'day'>>()((db, counted) =>
  db
    .select({ keys: count() })
    .from(dailyCounts)
    .where(and(eq(kind, counted.kind), eq(day, counted.day))),
)

/** More pages, places and videos than anyone reads about. The day's rest counts as `other`. */
export const mostKeys = 200

/** Adds one to a day's count. The number of rows per kind and day is limited, whatever is sent. */
export function addCount(ctx: Context, counted: Counted): void {
  if (addToCount.run(ctx, counted).changes > 0) return
  const isFull = (keysOfDay.get(ctx, counted)?.keys ?? 0) >= mostKeys
  const among = isFull ? { ...counted, key: 'other' } : counted
  if (!isFull || addToCount.run(ctx, among).changes === 0) insertRow(ctx, dailyCounts, { ...among, count: 1 })
}

const postWithSlug = preparedQuery<{ slug: string }>()((db, { slug }) =>
  db
    .select({ slug: blogPosts.slug })
    .from(blogPosts)
    .where(and(eq(blogPosts.slug, slug), eq(blogPosts.isPublished, true))),
)

export const hasPost = (ctx: Context, slug: string): boolean => postWithSlug.get(ctx, { slug }) !== undefined

const videoWithTitle = preparedQuery<{ title: string }>()((db, { title }) =>
  db.select({ id: memberVideos.id }).from(memberVideos).where(eq(memberVideos.title, title)).limit(1),
)

export const hasVideo = (ctx: Context, title: string): boolean => videoWithTitle.get(ctx, { title }) !== undefined

/** Deletes kind by kind, so that it uses the key. */
export const deleteCountsBefore = ({ db }: Context, before: string): number =>
  db
    .delete(dailyCounts)
    .where(and(inArray(kind, [...countKinds]), lt(day, before)))
    .run().changes

type Days = { today: string; days7: string; days30: string }

/** How often each kind was counted that day and since the two others; tests by their event. */
export const recentCounts = preparedQuery<Days>()((db, { today, days7, days30 }) => {
  const testOf = sql`iif(${kind} = 'test', ${key}, '')`.mapWith(String)
  const since = (first: SQLWrapper) => sql`coalesce(sum(iif(${day} >= ${first}, ${dailyCounts.count}, 0)), 0)`
  return db
    .select({
      kind,
      testOf,
      today: since(today).mapWith(Number),
      days7: since(days7).mapWith(Number),
      days30: total(dailyCounts.count),
    })
    .from(dailyCounts)
    .where(and(inArray(kind, [...countKinds]), gte(day, days30)))
    .groupBy(kind, testOf)
})
