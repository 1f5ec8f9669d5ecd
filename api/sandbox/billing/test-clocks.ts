import { happen } from '#api/sandbox/billing/happenings.ts'
import { get } from '#api/sandbox/store/get.ts'
import type { TestClock } from '#api/sandbox/store/objects.ts'
import { type Store, saveObject, selectObjects } from '#api/sandbox/store/store.ts'
import { nextTimer } from '#api/sandbox/store/timers.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit } from '#api/sandbox/webhooks/emit.ts'

export function advancingClocks(store: Store): string[] {
  const selection = { where: "status = 'advancing'", values: [], order: 'ASC' as const, limit: -1 }
  return selectObjects(store, 'test_helpers.test_clock', selection).map(({ id }) => id)
}

function finish(work: Work, clock: TestClock, to: number): void {
  const ready = saveObject(work.store, {
    ...clock,
    frozen_time: to,
    status: 'ready' as const,
    status_details: {},
  })
  emit(work, 'test_helpers.test_clock.ready', ready)
}

/** Lets the next thing happen that is due on the clock's way; at its end the clock is ready. True while there is more. */
export function stepClock(work: Work, id: string): boolean {
  const clock = get(work, 'test_helpers.test_clock', id)
  const target = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time
  const timer = nextTimer(work.store, target, id)
  if (timer === null) {
    finish({ ...work, now: target }, clock, target)
    return false
  }
  const at = Math.max(timer.at, clock.frozen_time)
  saveObject(work.store, { ...clock, frozen_time: at })
  happen({ ...work, now: timer.at }, timer)
  return true
}
