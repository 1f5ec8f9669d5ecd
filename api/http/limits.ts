import { and, desc, eq, gt, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { limitHits } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import { keyedHash } from '#api/secrets.ts'

export type Limit = {
  /** What is counted, such as `login-address`. */
  name: string
  /** For whom; stored as a keyed hash. */
  key: string
  max: number
  windowMs: number
}

const bucketOf = (ctx: Context, limit: Limit) => `${limit.name}:${keyedHash(ctx, 'limit', limit.key)}`

/** The hit whose leaving the window opens the limit again; there is none while fewer were counted. */
const hitsInWindow = preparedQuery<{ bucket: string; since: string; offset: number }>()(
  (db, { bucket, since, offset }) =>
    db
      .select({ at: limitHits.at })
      .from(limitHits)
      .where(and(eq(limitHits.bucket, bucket), gt(limitHits.at, since)))
      .orderBy(desc(limitHits.at))
      .limit(1)
      .offset(offset),
)

/** Seconds until this limit opens again, or null while it is open. At least 60, so that nobody is told to hammer. */
export function secondsUntilOpen(ctx: Context, limit: Limit): number | null {
  const now = ctx.now().getTime()
  const since = new Date(now - limit.windowMs).toISOString()
  const deciding = hitsInWindow.get(ctx, { bucket: bucketOf(ctx, limit), since, offset: limit.max - 1 })
  if (deciding === undefined) return null
  return Math.max(60, Math.ceil((Date.parse(deciding.at) + limit.windowMs - now) / 1000))
}

export function countHit(ctx: Context, limit: Limit): void {
  insertRow(ctx, limitHits, { bucket: bucketOf(ctx, limit), at: ctx.now().toISOString() })
}

/** Refuses with 429 while any of the limits is used up. */
export function refuseOverLimit(ctx: Context, limits: readonly Limit[], message: string): void {
  const waits = limits.map((limit) => secondsUntilOpen(ctx, limit) ?? 0)
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter > 0) throw new AppError('rate_limited', message, { retryAfter })
}

const hour = 60 * 60 * 1000

/** 60 an hour per address. */
export const hourly = (name: string, address: string): Limit => ({ name, key: address, max: 60, windowMs: hour })

/** Public forms: 60 an hour per address, each use counted. */
export function limitPublicForm(ctx: Context, form: string, address: string): void {
  const limit = hourly(`form-${form}`, address)
  refuseOverLimit(ctx, [limit], 'That is a lot of tries from here. Please wait a little and send it again.')
  countHit(ctx, limit)
}

/** Deletes hits that are older than any window. */
export function deleteOldHits(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - 24 * hour).toISOString()
  return ctx.db.delete(limitHits).where(lt(limitHits.at, before)).run().changes
}
