import type { Schedule, SchedulePhase, Subscription } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'

/** An active schedule always has a current phase. */
function timersOf({ status, current_phase, phases: [first] }: Schedule): Timer[] {
  if (status === 'not_started' && first !== undefined) return [{ kind: 'schedule_start', at: first.start_date }]
  return status === 'active' && current_phase !== null ? [{ kind: 'phase_end', at: current_phase.end_date }] : []
}

type ScheduleFields = Pick<
  Schedule,
  | 'billing_mode'
  | 'current_phase'
  | 'customer'
  | 'default_settings'
  | 'end_behavior'
  | 'metadata'
  | 'phases'
  | 'status'
  | 'subscription'
  | 'test_clock'
>

export function insertSchedule(ctx: Context, fields: ScheduleFields): Schedule {
  const schedule: Schedule = insertObject(ctx.store, {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    canceled_at: null,
    completed_at: null,
    created: ctx.now,
    customer_account: null,
    livemode: false,
    pause_schedules: [],
    released_at: null,
    released_subscription: null,
    ...fields,
  })
  setTimers(ctx.store, schedule.id, timersOf(schedule))
  emitEvent(ctx, 'subscription_schedule.created', schedule)
  return schedule
}

export function changeSchedule(ctx: Context, before: Schedule, change: Partial<Schedule>): Schedule {
  const after = saveObject(ctx.store, { ...before, ...change })
  setTimers(ctx.store, after.id, timersOf(after))
  emitChange(ctx, 'subscription_schedule.updated', before, after)
  return after
}

type Ending = 'released' | 'canceled' | 'completed'

/** Ends the schedule. The caller decides what happens to its subscription. */
export function closeSchedule(ctx: Context, before: Schedule, status: Ending): Schedule {
  const released = status === 'released'
  const after = saveObject(ctx.store, {
    ...before,
    status,
    current_phase: null,
    canceled_at: status === 'canceled' ? ctx.now : null,
    completed_at: status === 'completed' ? ctx.now : null,
    released_at: released ? ctx.now : null,
    released_subscription: released ? before.subscription : null,
    subscription: released ? null : before.subscription,
  })
  setTimers(ctx.store, after.id, [])
  emitEvent(ctx, `subscription_schedule.${status}`, after)
  return after
}

export function scheduleOf(ctx: Context, { schedule }: Subscription): Schedule | null {
  const found = findObject(ctx.store, 'subscription_schedule', schedule ?? '')
  return found?.status === 'active' ? found : null
}

export function cancelScheduleOf(ctx: Context, subscription: Subscription): void {
  const schedule = scheduleOf(ctx, subscription)
  if (schedule !== null) closeSchedule(ctx, schedule, 'canceled')
}

export function currentPhase(schedule: Schedule): SchedulePhase {
  const phase = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.start_date)
  if (phase === undefined) throw new Error(`schedule ${schedule.id} has no current phase`)
  return phase
}
