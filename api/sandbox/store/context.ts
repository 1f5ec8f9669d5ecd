import { noSuchObject } from '#api/sandbox/errors.ts'
import type { Kind, Kinds } from './objects.ts'
import type { Settings } from './settings.ts'
import { findObject, type Store } from './store.ts'
import { testClockOf } from './timers.ts'

/** One request, or one due happening: all that its code may know of the world outside. */
export type Context = {
  store: Store
  /** Billing time in unix seconds. */
  now: number
  settings: Settings
  pagesUrl: string
  request: { id: string | null; idempotencyKey: string | null }
}

/** The object, or Stripe's "No such …" error: 404 for the path's id, 400 when `param` names where the id came from. */
export function getObject<K extends Kind>(ctx: Context, kind: K, id: string, param?: string): Kinds[K] {
  const object = findObject(ctx.store, kind, id)
  if (object === null) throw noSuchObject(kind, id, param)
  return object
}

/** Work on these objects, at the time of the test clock that the first of them lives by. */
export function atClockTime(ctx: Context, ids: string[]): Context {
  for (const id of ids) {
    const clock = findObject(ctx.store, 'test_helpers.test_clock', testClockOf(ctx.store, id) ?? '')
    if (clock !== null) return { ...ctx, now: clock.frozen_time }
  }
  return ctx
}
