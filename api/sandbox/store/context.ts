import { noSuchObject } from './no-such-object.ts'
import type { Kind, Kinds } from './objects.ts'
import type { Settings } from './settings.ts'
import { findObject, type Store } from './store.ts'
import { testClockOf } from './timers.ts'

export type Context = {
  store: Store
  /** Billing time in unix seconds. */
  now: number
  settings: Settings
  pagesUrl: string
  request: { id: string | null; idempotencyKey: string | null }
}

/** The object, or Stripe's "No such …" error: 404 for an id in the path, 400 if `param` names the parameter it came from. */
export function getObject<K extends Kind>(ctx: Context, kind: K, id: string, param?: string): Kinds[K] {
  const object = findObject(ctx.store, kind, id)
  if (object === null) throw noSuchObject(kind, id, param)
  return object
}

/** The context at the time of the first test clock one of these objects belongs to, if any. */
export function atClockTime(ctx: Context, ids: string[]): Context {
  for (const id of ids) {
    const clockId = testClockOf(ctx.store, id)
    const clock = clockId === null ? null : findObject(ctx.store, 'test_helpers.test_clock', clockId)
    if (clock !== null) return { ...ctx, now: clock.frozen_time }
  }
  return ctx
}
