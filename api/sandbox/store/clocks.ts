import { findObject, findPublic, type Store } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'

/** The test clock by which an object lives, by itself or by its customer; null for billing time. */
export function clockOf(store: Store, id: string): string | null {
  const object = findPublic(store, id)
  if (object === null || object.deleted === true) return null
  if (object.object === 'test_helpers.test_clock') return id
  if (typeof object.test_clock === 'string') return object.test_clock
  return typeof object.customer === 'string' ? clockOf(store, object.customer) : null
}

/** Work on these objects, at the time of the test clock that the first of them lives by. */
export function atTheirTime(work: Work, ids: string[]): Work {
  for (const id of ids) {
    const clock = findObject(work.store, 'test_helpers.test_clock', clockOf(work.store, id) ?? '')
    if (clock !== null) return { ...work, now: clock.frozen_time }
  }
  return work
}
