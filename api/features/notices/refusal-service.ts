import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { settings } from '#api/db/schema/system.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'

const PushRefusal = v.object({ host: v.string(), says: v.string(), at: v.string() })

/** A push service that doesn't take our messages, in its own words. The phones can't help it. */
export type PushRefusal = v.InferOutput<typeof PushRefusal>

const key = 'push_refusal'

export function findRefusal(ctx: HasDb): PushRefusal | null {
  const stored = v.safeParse(PushRefusal, readSetting(ctx, key)?.value)
  return stored.success ? stored.output : null
}

/** Written once, and again only if another service says something else: each push would write it. */
export function noteRefusal(ctx: Context, { host, says }: Omit<PushRefusal, 'at'>): void {
  const known = findRefusal(ctx)
  if (known?.host === host && known.says === says) return
  writeSetting(ctx, key, { host, says, at: ctx.now().toISOString() })
  ctx.log.error('push refused', { host, says })
}

export function forgetRefusal(ctx: Context, host: string): void {
  if (findRefusal(ctx)?.host === host) ctx.db.delete(settings).where(eq(settings.key, key)).run()
}
