import { eq } from 'drizzle-orm'
import { cachedRead } from './db/cached-read.ts'
import { upsert } from './db/insert.ts'
import { type Db, type Sqlite, transact } from './db/open.ts'
import { type HasDb, preparedQuery } from './db/query.ts'
import { settings } from './db/schema/system.ts'
import type { Settings } from './settings.ts'

const key = 'billing_clock_offset_ms'

const storedOffset = preparedQuery()((db) =>
  db.select({ value: settings.value }).from(settings).where(eq(settings.key, key)),
)

const readOffset = cachedRead((ctx): number => Number(storedOffset.get(ctx)?.value ?? 0))

/** How far the sandbox's billing clock is ahead of the wall clock, in ms. Another process may move it at any time. */
export const billingOffset = (ctx: HasDb, { isSandbox }: Settings): (() => number) =>
  isSandbox ? () => readOffset(ctx, key) : () => 0

/** Moves the billing clock to `offsetMs` ahead of the wall clock, and never back. */
export function raiseBillingOffset(ctx: { db: Db; sqlite: Sqlite; now(): Date }, offsetMs: number): void {
  const value = Math.max(0, Math.round(offsetMs))
  transact(ctx, () => {
    if (storedOffset.get(ctx) === undefined || value > readOffset(ctx, key)) {
      upsert(ctx, settings, { key, value, updatedAt: ctx.now().toISOString() })
    }
  })
}
