import * as v from 'valibot'
import { nextBoundary } from '#api/sandbox/billing/periods.ts'
import { endSubscription, itemOf } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects, listPage } from '#api/sandbox/store/lists.ts'
import type { TestClock } from '#api/sandbox/store/objects.ts'
import { insertObject, markDeleted, saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { paging, text, whole } from './params.ts'
import { type Route, route } from './route.ts'

const clockKind = 'test_helpers.test_clock'
const clocksPath = '/v1/test_helpers/test_clocks'
const lifetimeSeconds = 30 * 86_400

function create(ctx: Context, params: { frozen_time: number; name?: string | undefined }): TestClock {
  const clock = insertObject(ctx.store, {
    id: newId('clock'),
    object: clockKind,
    created: ctx.now,
    deletes_after: ctx.now + lifetimeSeconds,
    frozen_time: params.frozen_time,
    livemode: false,
    name: params.name ?? null,
    status: 'ready',
    status_details: {},
  })
  emitEvent(ctx, 'test_helpers.test_clock.created', clock)
  return clock
}

/** As at Stripe, a clock advances by at most two intervals of its shortest subscription. */
function latestAdvance(ctx: Context, clock: TestClock): number | null {
  const ends = allObjects(ctx, 'subscription', { test_clock: clock.id }).flatMap((subscription) => {
    const { recurring } = itemOf(subscription).price
    if (subscription.ended_at !== null || recurring === null) return []
    const twice = { interval: recurring.interval, interval_count: recurring.interval_count * 2 }
    return nextBoundary(clock.frozen_time, twice, clock.frozen_time)
  })
  return ends.length === 0 ? null : Math.min(...ends)
}

/** The response says `advancing`. The engine then advances the clock step by step. */
function advance(ctx: Context, to: number, id: string): TestClock {
  const clock = getObject(ctx, clockKind, id)
  if (clock.status !== 'ready') throw invalid('Test clock advancement underway - cannot perform modifications.')
  if (to <= clock.frozen_time) {
    throw invalid('The time to advance to must be later than the time of the test clock.', { param: 'frozen_time' })
  }
  const limit = latestAdvance(ctx, clock)
  if (limit !== null && to > limit) {
    throw invalid('You can only advance a test clock up to two intervals of its shortest subscription at a time.', {
      param: 'frozen_time',
    })
  }
  const advancing = saveObject(ctx.store, {
    ...clock,
    status: 'advancing' as const,
    status_details: { advancing: { target_frozen_time: to } },
  })
  emitEvent(ctx, 'test_helpers.test_clock.advancing', advancing)
  return advancing
}

function remove(ctx: Context, id: string): object {
  const clock = getObject(ctx, clockKind, id)
  for (const subscription of allObjects(ctx, 'subscription', { test_clock: id })) {
    if (subscription.ended_at === null) endSubscription(ctx, subscription, { status: 'canceled', reason: null })
  }
  for (const customer of allObjects(ctx, 'customer', { test_clock: id })) {
    emitEvent(ctx, 'customer.deleted', customer)
    markDeleted(ctx.store, 'customer', customer.id)
  }
  emitEvent(ctx, 'test_helpers.test_clock.deleted', clock)
  return markDeleted(ctx.store, clockKind, id)
}

export const testClockRoutes: Route[] = [
  route(`POST ${clocksPath}`, { frozen_time: whole, name: v.optional(v.pipe(text, v.maxLength(300))) }, create),
  route(`GET ${clocksPath}/:id`, {}, (ctx, _params, id) => getObject(ctx, clockKind, id)),
  route(`POST ${clocksPath}/:id/advance`, { frozen_time: whole }, (ctx, params, id) =>
    advance(ctx, params.frozen_time, id),
  ),
  route(`DELETE ${clocksPath}/:id`, {}, (ctx, _params, id) => remove(ctx, id)),
  route(`GET ${clocksPath}`, paging, (ctx, params) =>
    listPage(ctx, { kind: clockKind, url: clocksPath, filters: {}, paging: params }),
  ),
]
