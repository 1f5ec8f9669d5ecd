import type { Schedule, SchedulePhase, Subscription } from '#api/sandbox/store/billing-objects.ts'
import type { Work } from '#api/sandbox/store/context.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emit, emitChange } from '#api/sandbox/webhooks/events.ts'

/** While a schedule is active, one phase is always the current one. */
function timersOf({ status, current_phase, phases: [first] }: Schedule): Timer[] {
  if (status === 'not_started' && first !== undefined) return [{ kind: 'schedule_start', at: first.start_date }]
  return status === 'active' && current_phase !== null ? [{ kind: 'phase_end', at: current_phase.end_date }] : []
}

export function storeSchedule(work: Work, schedule: Schedule): Schedule {
  insertObject(work.store, schedule)
  setTimers(work.store, schedule.id, timersOf(schedule))
  emit(work, 'subscription_schedule.created', schedule)
  return schedule
}

export function changeSchedule(work: Work, before: Schedule, change: Partial<Schedule>): Schedule {
  const after = saveObject(work.store, { ...before, ...change })
  setTimers(work.store, after.id, timersOf(after))
  emitChange(work, 'subscription_schedule.updated', before, after)
  return after
}

type Ending = 'released' | 'canceled' | 'completed'

/** The schedule is over. What becomes of its subscription is the caller's business. */
export function closeSchedule(work: Work, before: Schedule, status: Ending): Schedule {
  const released = status === 'released'
  const after = saveObject(work.store, {
    ...before,
    status,
    current_phase: null,
    canceled_at: status === 'canceled' ? work.now : null,
    completed_at: status === 'completed' ? work.now : null,
    released_at: released ? work.now : null,
    released_subscription: released ? before.subscription : null,
    subscription: released ? null : before.subscription,
  })
  setTimers(work.store, after.id, [])
  emit(work, `subscription_schedule.${status}`, after)
  return after
}

/** The schedule that steers the subscription right now. */
export function scheduleOf(work: Work, { schedule }: Subscription): Schedule | null {
  const found = findObject(work.store, 'subscription_schedule', schedule ?? '')
  return found?.status === 'active' ? found : null
}

/** A subscription that ends takes its schedule with it. */
export function cancelScheduleOf(work: Work, subscription: Subscription): void {
  const schedule = scheduleOf(work, subscription)
  if (schedule !== null) closeSchedule(work, schedule, 'canceled')
}

export function currentPhase(schedule: Schedule): SchedulePhase {
  const phase = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.start_date)
  if (phase === undefined) throw new Error(`schedule ${schedule.id} has no current phase`)
  return phase
}
