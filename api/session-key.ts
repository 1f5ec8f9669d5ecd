import { eq } from 'drizzle-orm'
import { insertIfAbsent } from './db/insert.ts'
import type { HasDb } from './db/query.ts'
import { settings } from './db/schema/system.ts'
import { newToken } from './secrets.ts'

const key = 'session_secret'

/** Outside production the key may be left to us: made once, kept in the database, so that a restart logs nobody out. */
export function sessionKey(ctx: HasDb, now: () => Date): string {
  insertIfAbsent(ctx, settings, { key, value: newToken(), updatedAt: now().toISOString() })
  const row = ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, key)).get()
  return String(row?.value)
}
