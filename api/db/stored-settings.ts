import { eq } from 'drizzle-orm'
import { upsert } from './insert.ts'
import { type HasDb, preparedQuery } from './query.ts'
import { settings } from './schema/system.ts'

const settingByKey = preparedQuery<{ key: string }>()((db, { key }) =>
  db.select({ value: settings.value, updatedAt: settings.updatedAt }).from(settings).where(eq(settings.key, key)),
)

/** The JSON stored under a key, of unknown shape, and when it was written. Undefined if it never was. */
export const readSetting = (ctx: HasDb, key: string) => settingByKey.get(ctx, { key })

export function writeSetting(ctx: HasDb & { now(): Date }, key: string, value: unknown): void {
  upsert(ctx, settings, { key, value, updatedAt: ctx.now().toISOString() })
}
