import { missing } from '#api/sandbox/errors.ts'
import type { Kind, Kinds } from './objects.ts'
import type { Settings } from './settings.ts'
import { findObject, type Store } from './store.ts'
import { clockOf } from './timers.ts'

/** One request, or one due happening: all that its code may know of the world outside. */
export type Work = {
  store: Store
  /** Billing time in unix seconds. */
  now: number
  settings: Settings
  pagesUrl: string
  request: { id: string | null; idempotencyKey: string | null }
}

/** The object, or Stripe's "No such …" error: 404 for the path's id, 400 when `param` names where the id came from. */
export function get<K extends Kind>(work: Work, kind: K, id: string, param?: string): Kinds[K] {
  const object = findObject(work.store, kind, id)
  if (object === null) throw missing(kind, id, param)
  return object
}

/** Work on these objects, at the time of the test clock that the first of them lives by. */
export function atTheirTime(work: Work, ids: string[]): Work {
  for (const id of ids) {
    const clock = findObject(work.store, 'test_helpers.test_clock', clockOf(work.store, id) ?? '')
    if (clock !== null) return { ...work, now: clock.frozen_time }
  }
  return work
}
