import type { Sqlite } from '#api/db/open.ts'
import { oncePer } from '#api/db/query.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { type LookedAt, lookAtCopies } from './copy-store.ts'
import { type Copied, inTime } from './replaced.ts'

const lastLookOf = oncePer((_: Sqlite): { found: LookedAt | null } => ({ found: null }))

/**
 * How long ago what’s in the newest copy was written, in seconds. While the store can’t be read it’s counted from the last look, so it
 * grows. Null if there’s no copy, or none was seen yet.
 */
export async function copyAgeSeconds(ctx: Copied): Promise<number | null> {
  const { store, machine } = ctx.settings.copies
  if (store === null) return null
  const last = lastLookOf(ctx.sqlite)
  try {
    last.found = await inTime(lookAtCopies(openObjectStore(store), machine, last.found))
  } catch {}
  return last.found === null ? null : Math.max(0, (ctx.now().getTime() - last.found.at.getTime()) / 1000)
}
