import * as v from 'valibot'
import { createSchedule } from '#api/sandbox/billing/schedule-create.ts'
import { createScheduleFromSubscription, releaseSchedule } from '#api/sandbox/billing/schedule-phases.ts'
import { closeSchedule, scheduleOf } from '#api/sandbox/billing/schedule-state.ts'
import { updateSchedule } from '#api/sandbox/billing/schedule-update.ts'
import { endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Schedule } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { amount, clearable, clearableText, flag, metadata, paging, range, text, whole } from './params.ts'
import { type Route, route } from './route.ts'
import { discounts } from './subscription-params.ts'

const taxRates = v.optional(clearable(v.array(text)))
const proration = v.optional(v.picklist(['none', 'create_prorations', 'always_invoice']))

export const schedulePhase = v.strictObject({
  billing_cycle_anchor: v.optional(v.picklist(['automatic', 'phase_start'])),
  collection_method: v.optional(v.literal('charge_automatically')),
  currency: v.optional(text),
  default_payment_method: v.optional(text),
  default_tax_rates: taxRates,
  description: v.optional(clearableText),
  discounts,
  duration: v.optional(
    v.strictObject({
      interval: v.picklist(['day', 'week', 'month', 'year']),
      interval_count: v.optional(v.pipe(whole, v.minValue(1)), '1'),
    }),
  ),
  end_date: v.optional(whole),
  items: v.pipe(
    v.array(v.strictObject({ price: text, quantity: v.optional(amount), tax_rates: taxRates, discounts, metadata })),
    v.minLength(1),
    v.maxLength(20),
  ),
  metadata,
  proration_behavior: proration,
  start_date: v.optional(whole),
  trial_end: v.optional(whole),
})

const creation = {
  customer: v.optional(text),
  default_settings: v.optional(
    v.strictObject({
      billing_cycle_anchor: v.optional(v.literal('automatic')),
      collection_method: v.optional(v.literal('charge_automatically')),
      default_payment_method: v.optional(text),
      description: v.optional(text),
    }),
  ),
  end_behavior: v.optional(v.picklist(['release', 'cancel'])),
  from_subscription: v.optional(text),
  metadata,
  phases: v.optional(v.pipe(v.array(schedulePhase), v.maxLength(10, 'a schedule has at most 10 phases'))),
  start_date: v.optional(v.union([v.literal('now'), whole])),
}

const creationSchema = v.strictObject(creation)
type Creation = v.InferOutput<typeof creationSchema>

function create(ctx: Context, params: Creation): Schedule {
  const { from_subscription, metadata, ...rest } = params
  if (from_subscription === undefined) return createFromPhases(ctx, params)
  const [other] = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (other === undefined) return createFrom(ctx, { from_subscription, metadata })
  throw invalid(`You cannot set \`${other}\` if \`from_subscription\` is set.`, { param: other })
}

function createFromPhases(
  ctx: Context,
  { customer, end_behavior = 'release', phases = [], start_date, ...rest }: Creation,
) {
  if (customer === undefined) {
    throw invalid('Missing required param: customer.', { code: 'parameter_missing', param: 'customer' })
  }
  if (start_date === undefined) {
    throw invalid('Missing required param: start_date.', { code: 'parameter_missing', param: 'start_date' })
  }
  return createSchedule(ctx, { ...rest, customer, end_behavior, phases, start_date })
}

function createFrom(
  ctx: Context,
  params: { from_subscription: string; metadata?: Record<string, string> | null | undefined },
): Schedule {
  const subscription = getObject(ctx, 'subscription', params.from_subscription, 'from_subscription')
  const schedule = scheduleOf(ctx, subscription)
  if (schedule !== null) {
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule: \`${schedule.id}\`. To update the schedule, use the update subscription schedule endpoint.`,
      { param: 'from_subscription' },
    )
  }
  if (!['trialing', 'active', 'past_due', 'unpaid'].includes(subscription.status)) {
    throw invalid(`You cannot migrate a subscription that is currently in the \`${subscription.status}\` status.`, {
      param: 'from_subscription',
    })
  }
  return createScheduleFromSubscription(ctx, subscription, params.metadata ?? {})
}

function requireLive(ctx: Context, id: string, done: 'updated' | 'released' | 'canceled'): Schedule {
  const schedule = getObject(ctx, 'subscription_schedule', id)
  if (schedule.status === 'active' || schedule.status === 'not_started') return schedule
  const verb = { updated: 'update', released: 'release', canceled: 'cancel' }[done]
  throw invalid(
    `You cannot ${verb} a subscription schedule that is currently in the \`${schedule.status}\` status. It must be in \`not_started\`, \`active\` status to be ${done}.`,
  )
}

function cancel(ctx: Context, id: string): Schedule {
  const schedule = closeSchedule(ctx, requireLive(ctx, id, 'canceled'), 'canceled')
  if (schedule.subscription !== null) {
    const subscription = getObject(ctx, 'subscription', schedule.subscription)
    endSubscription(ctx, subscription, { status: 'canceled', reason: 'cancellation_requested' })
  }
  return schedule
}

export const scheduleRoutes: Route[] = [
  route('POST /v1/subscription_schedules', creation, create),
  route('GET /v1/subscription_schedules/:id', {}, (ctx, _params, id) => getObject(ctx, 'subscription_schedule', id)),
  route(
    'POST /v1/subscription_schedules/:id',
    {
      end_behavior: v.optional(v.picklist(['release', 'cancel'])),
      metadata,
      phases: v.optional(v.pipe(v.array(schedulePhase), v.maxLength(10, 'a schedule has at most 10 phases'))),
      proration_behavior: proration,
    },
    (ctx, params, id) => updateSchedule(ctx, requireLive(ctx, id, 'updated'), params),
  ),
  route(
    'POST /v1/subscription_schedules/:id/release',
    { preserve_cancel_date: v.optional(flag, 'false') },
    (ctx, params, id) => releaseSchedule(ctx, requireLive(ctx, id, 'released'), params.preserve_cancel_date),
  ),
  route(
    'POST /v1/subscription_schedules/:id/cancel',
    { invoice_now: v.optional(flag), prorate: v.optional(v.literal('false')) },
    (ctx, _params, id) => cancel(ctx, id),
  ),
  route(
    'GET /v1/subscription_schedules',
    {
      ...paging,
      canceled_at: v.optional(range),
      completed_at: v.optional(range),
      created: v.optional(range),
      customer: v.optional(text),
      released_at: v.optional(range),
      scheduled: v.optional(flag),
    },
    (ctx, params) => {
      const { canceled_at, completed_at, created, customer, released_at, scheduled } = params
      const status = scheduled === true ? 'not_started' : undefined
      const test_clock = customer === undefined ? null : undefined
      const filters = { canceled_at, completed_at, created, customer, released_at, status, test_clock }
      return listPage(ctx, {
        kind: 'subscription_schedule',
        url: '/v1/subscription_schedules',
        filters,
        paging: params,
      })
    },
  ),
]
