import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { pushKeys } from '#api/db/schema/notices.ts'
import { newPushKeys, type PushKeys } from '#api/push/request.ts'

const storedKeys = preparedQuery()((db) =>
  db
    .select({ publicKey: pushKeys.publicKey, privateKey: pushKeys.privateKey })
    .from(pushKeys)
    .where(eq(pushKeys.id, 1)),
)

/** The site's push keys, made once: phones' subscriptions are tied to them. */
export function pushKeysOf(ctx: Context): PushKeys {
  const known = storedKeys.get(ctx)
  if (known !== undefined) return known
  insertIfAbsent(ctx, pushKeys, { id: 1, ...newPushKeys(), createdAt: ctx.now().toISOString() })
  // Another process may have been first.
  const stored = storedKeys.get(ctx)
  if (stored === undefined) throw new Error('The push keys couldn’t be stored.')
  return stored
}
