import { invalid } from '#api/sandbox/errors.ts'
import type { Schedule, SchedulePhase } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { DiscountParams } from './discounts.ts'
import { mergeMetadata } from './metadata.ts'
import { nextBoundary } from './periods.ts'
import { anchorOf, applyPhase, type BillingMode, isOtherInterval, unusedPhaseFields } from './schedule-phases.ts'
import { changeSchedule, currentPhase } from './schedule-state.ts'
import { recurringPrice, taxRatesOf } from './subscription-draft.ts'
import { changeSubscription } from './subscription-state.ts'

export type PhaseParams = {
  items: {
    price: string
    quantity?: number | undefined
    tax_rates?: string[] | null | undefined
    discounts?: DiscountParams
    metadata?: Record<string, string> | null | undefined
  }[]
  billing_cycle_anchor?: 'automatic' | 'phase_start' | undefined
  start_date?: number | undefined
  end_date?: number | undefined
  duration?: { interval: string; interval_count: number } | undefined
  default_payment_method?: string | undefined
  default_tax_rates?: string[] | null | undefined
  description?: string | null | undefined
  discounts?: DiscountParams
  metadata?: Record<string, string> | null | undefined
  proration_behavior?: string | undefined
  trial_end?: number | undefined
}

export type ScheduleChange = {
  end_behavior?: 'cancel' | 'release' | undefined
  metadata?: Record<string, string> | null | undefined
  phases?: PhaseParams[] | undefined
  proration_behavior?: string | undefined
}

function itemOf(ctx: Context, item: PhaseParams['items'][number], param: string): SchedulePhase['items'][number] {
  const price = getObject(ctx, 'price', item.price, `${param}[price]`)
  return {
    billing_thresholds: null,
    discounts: discountsOf(ctx, item.discounts, param),
    metadata: item.metadata ?? {},
    plan: price.id,
    price: price.id,
    quantity: item.quantity ?? 1,
    tax_rates: taxRatesOf(ctx, item.tax_rates, `${param}[tax_rates]`),
  }
}

function endOf(ctx: Context, params: PhaseParams, start: number): number {
  if (params.end_date !== undefined) return params.end_date
  const { recurring } = recurringPrice(ctx, params.items[0]?.price ?? '', 'phases')
  if (recurring === null) throw new Error('a phase has a price that does not recur')
  return nextBoundary(start, params.duration ?? recurring, start)
}

function discountsOf(ctx: Context, discounts: DiscountParams, owner: string): SchedulePhase['discounts'] {
  return (discounts ?? []).map(({ coupon, discount }, entry) => {
    const param = `${owner}[discounts][${entry}]`
    if (coupon !== undefined) getObject(ctx, 'coupon', coupon, `${param}[coupon]`)
    else getObject(ctx, 'discount', discount ?? '', `${param}[discount]`)
    return { coupon: coupon ?? null, discount: discount ?? null, promotion_code: null }
  })
}

/** A phase begins where the one before it ends, which is `start`. */
function phaseOf(ctx: Context, params: PhaseParams, start: number, place: number): SchedulePhase {
  if (params.start_date !== undefined && params.start_date !== start) {
    throw invalid(
      place === 0
        ? 'You can not modify the start date of the current phase.'
        : 'The start date of a phase must be equal to the end date of the phase before it.',
      { param: `phases[${place}][start_date]` },
    )
  }
  const end_date = endOf(ctx, params, start)
  if (end_date <= Math.max(start, ctx.now)) {
    throw invalid('The end date of a phase must be after its start date and in the future.', {
      param: `phases[${place}][end_date]`,
    })
  }
  const items = params.items.map((item, at) => itemOf(ctx, item, `phases[${place}][items][${at}]`))
  return {
    ...unusedPhaseFields,
    billing_cycle_anchor: params.billing_cycle_anchor ?? null,
    currency: getObject(ctx, 'price', items[0]?.price ?? '').currency,
    default_payment_method: params.default_payment_method ?? null,
    default_tax_rates: taxRatesOf(ctx, params.default_tax_rates, `phases[${place}][default_tax_rates]`),
    description: params.description ?? null,
    discounts: discountsOf(ctx, params.discounts, `phases[${place}]`),
    end_date,
    items,
    metadata: params.metadata ?? {},
    proration_behavior: params.proration_behavior ?? 'create_prorations',
    start_date: start,
    trial_end: params.trial_end ?? null,
  }
}

const pricesAndQuantities = ({ items }: SchedulePhase) =>
  items
    .map(({ price, quantity }) => `${price} ${quantity}`)
    .sort()
    .join()

/** Whether the phase begins with a billing period, so nothing is prorated. Periods count from `anchor`. */
function isPeriodStart(ctx: Context, anchor: number, { start_date, items: [item] }: SchedulePhase): boolean {
  const { recurring } = getObject(ctx, 'price', item?.price ?? '')
  return recurring !== null && nextBoundary(anchor, recurring, start_date - 1) === start_date
}

function assertNotProrated(before: SchedulePhase, phase: SchedulePhase, isFree: boolean): void {
  if (pricesAndQuantities(before) === pricesAndQuantities(phase) || isFree) return
  throw invalid('The sandbox does not prorate: pass proration_behavior=none.', { param: 'proration_behavior' })
}

/** Another interval can only begin where a period of the old one ends. `anchor` is the one that `before` counts from. */
function assertComparablePrice(
  ctx: Context,
  before: SchedulePhase,
  phase: SchedulePhase,
  { anchor, mode }: { anchor: number; mode: BillingMode },
): void {
  const [old, now] = [before, phase].map(({ items }) => getObject(ctx, 'price', items[0]?.price ?? ''))
  const isSameInterval = !isOtherInterval(ctx, before, phase)
  const isBetweenPeriods =
    phase.start_date > before.start_date && isPeriodStart(ctx, anchor, { ...before, start_date: phase.start_date })
  if (old?.currency !== now?.currency || !(isSameInterval || isBetweenPeriods)) {
    throw invalid('The sandbox changes the interval between two periods only, and never the currency.', {
      param: 'phases',
    })
  }
  if (!isPeriodStart(ctx, anchorOf(ctx, before, phase, { anchor, mode }), phase) && !isSameInterval) {
    throw invalid('In flexible billing the sandbox begins another interval with billing_cycle_anchor=phase_start.', {
      param: 'phases',
    })
  }
}

/** All phases after the update. Keeps past phases even if the request leaves them out. */
function phasesOf(ctx: Context, schedule: Schedule, change: ScheduleChange): SchedulePhase[] {
  const current = currentPhase(schedule)
  const past = schedule.phases.filter(({ end_date }) => end_date <= current.start_date)
  const isPast = ({ start_date }: PhaseParams) => past.some((phase) => phase.start_date === start_date)
  const subscription = getObject(ctx, 'subscription', schedule.subscription ?? '')
  const mode = subscription.billing_mode
  let anchor = subscription.billing_cycle_anchor
  const coming: SchedulePhase[] = []
  for (const params of (change.phases ?? []).filter((each) => !isPast(each))) {
    const place = coming.length
    const before = coming[place - 1] ?? current
    const phase = phaseOf(ctx, params, place === 0 ? current.start_date : before.end_date, place)
    // The current phase's price may be archived by now. Later phases need an active one.
    for (const [at, { price }] of phase.items.entries()) {
      const isRunning = current.items.some((item) => item.price === price)
      if (!isRunning) recurringPrice(ctx, price, `phases[${place}][items][${at}][price]`)
    }
    assertComparablePrice(ctx, before, phase, { anchor, mode })
    if (place > 0) anchor = anchorOf(ctx, before, phase, { anchor, mode })
    const behaviour = place === 0 ? change.proration_behavior : phase.proration_behavior
    assertNotProrated(before, phase, behaviour === 'none' || (place > 0 && isPeriodStart(ctx, anchor, phase)))
    if (phase.trial_end !== (place === 0 ? current.trial_end : null)) {
      throw invalid('The sandbox neither begins, moves nor ends a trial by a schedule.', {
        param: `phases[${place}][trial_end]`,
      })
    }
    coming.push(phase)
  }
  if (coming.length === 0) throw invalid('You must pass the current phase as well.', { param: 'phases' })
  return [...past, ...coming]
}

/** A new schedule's phases. Its billing periods count from `start`. */
export function phasesFrom(ctx: Context, all: PhaseParams[], start: number, mode: BillingMode): SchedulePhase[] {
  const phases: SchedulePhase[] = []
  let anchor = start
  for (const [index, params] of all.entries()) {
    const before = phases[index - 1]
    recurringPrice(ctx, params.items[0]?.price ?? '', `phases[${index}][items][0][price]`)
    const phase = phaseOf(ctx, params, before?.end_date ?? start, index)
    if (phase.trial_end !== null) {
      throw invalid('The sandbox begins no trial by a schedule.', { param: `phases[${index}][trial_end]` })
    }
    if (before !== undefined) {
      assertComparablePrice(ctx, before, phase, { anchor, mode })
      anchor = anchorOf(ctx, before, phase, { anchor, mode })
      assertNotProrated(before, phase, phase.proration_behavior === 'none' || isPeriodStart(ctx, anchor, phase))
    }
    phases.push(phase)
  }
  if (phases.length === 0)
    throw invalid('Missing required param: phases.', { code: 'parameter_missing', param: 'phases' })
  return phases
}

function updatePlannedEnd(ctx: Context, before: Schedule, schedule: Schedule): void {
  if (before.end_behavior !== 'cancel' && schedule.end_behavior !== 'cancel') return
  const last = schedule.phases.at(-1)
  const ends = schedule.end_behavior === 'cancel' && last !== undefined
  changeSubscription(ctx, getObject(ctx, 'subscription', schedule.subscription ?? ''), {
    cancel_at: ends ? last.end_date : null,
    cancel_at_period_end: false,
    canceled_at: ends ? ctx.now : null,
  })
}

function updateNotStarted(ctx: Context, before: Schedule, change: ScheduleChange): Schedule {
  const start = change.phases?.[0]?.start_date ?? before.phases[0]?.start_date ?? ctx.now
  return changeSchedule(ctx, before, {
    end_behavior: change.end_behavior ?? before.end_behavior,
    metadata: mergeMetadata(before.metadata ?? {}, change.metadata),
    phases: change.phases === undefined ? before.phases : phasesFrom(ctx, change.phases, start, before.billing_mode),
  })
}

export function updateSchedule(ctx: Context, before: Schedule, change: ScheduleChange): Schedule {
  if (before.status === 'not_started') return updateNotStarted(ctx, before, change)
  if (change.phases?.[0] !== undefined && change.phases[0].start_date === undefined) {
    throw invalid('The first phase must have a start date.', { param: 'phases[0][start_date]' })
  }
  const start = before.current_phase?.start_date
  const phases = change.phases === undefined ? before.phases : phasesOf(ctx, before, change)
  const current = phases.find(({ start_date }) => start_date === start)
  if (current === undefined) throw new Error(`schedule ${before.id} has lost its current phase`)
  const after = changeSchedule(ctx, before, {
    current_phase: { start_date: current.start_date, end_date: current.end_date },
    end_behavior: change.end_behavior ?? before.end_behavior,
    metadata: mergeMetadata(before.metadata ?? {}, change.metadata),
    phases,
  })
  if (change.phases !== undefined) applyPhase(ctx, after, current)
  updatePlannedEnd(ctx, before, after)
  return after
}
