import { and, isNotNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { type Context, perContext } from '#api/context.ts'
import { filled, isOneOf } from '#api/db/expressions.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { notFound } from '#api/errors.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { listOpenMoves } from '#api/features/tiers/price-move-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { acquireLease, type Lease } from '#api/jobs/lease.ts'
import { errorName } from '#api/log.ts'
import type { SandboxAdvanceResponse } from '#shared/contract/sandbox.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { findRunningSandbox, openSandboxInProcess } from './provider-service.ts'

/**
 * Renewals, retries and trial ends happen in order, and their webhooks arrive. Uses the running server's sandbox, or else opens the
 * data folder's own. Concurrent calls, from any process, run one after the other.
 */
export const advanceSandbox = (ctx: Context, owner: Owner, by: string): Promise<SandboxAdvanceResponse> =>
  withClockHeld(ctx, by, () => moveHeldClock(ctx, owner, by))

/** Holds the clock while `work` runs, so that no other process moves it. */
export async function withClockHeld<Result>(ctx: Context, by: string, work: () => Promise<Result>): Promise<Result> {
  if (!ctx.settings.isSandbox) throw notFound('The sandbox')
  const lease = await waitForLease(ctx)
  const startedAt = ctx.now()
  try {
    return await work()
  } finally {
    lease.end({ report: { by }, startedAt })
  }
}

const retryMs = 50

async function waitForLease(ctx: Context): Promise<Lease> {
  for (;;) {
    const lease = acquireLease(ctx, { name: 'sandbox-clock' })
    if (lease !== null) return lease
    await Bun.sleep(retryMs)
  }
}

type Move = { from: Date; to: Date }

/** The move that goes on in this process. The billing clock says how far it is. */
export const moveIn = perContext((): { move: Move | null } => ({ move: null }))

export async function moveHeldClock(ctx: Context, owner: Owner, by: string): Promise<SandboxAdvanceResponse> {
  const from = ctx.billingNow()
  const to = new Date(from.getTime() + toMs(by))
  moveIn(ctx).move = { from, to }
  try {
    const control = findRunningSandbox(ctx)
    if (control === null) await advanceInProcess(ctx, to)
    else await advanceInOrder(ctx, to, (at) => control('POST advance', { to: at }))
  } finally {
    moveIn(ctx).move = null
  }
  return transact(ctx, () => {
    raiseBillingOffset(ctx, to.getTime() - ctx.now().getTime())
    audit(ctx, owner.actor, 'sandbox.advance', { detail: { by } })
    const billingNow = ctx.billingNow()
    return { billingNow: billingNow.toISOString(), offsetMs: billingNow.getTime() - ctx.now().getTime() }
  })
}

async function advanceInProcess(ctx: Context, to: Date): Promise<void> {
  const sandbox = await openSandboxInProcess(ctx)
  try {
    await advanceInOrder(ctx, to, sandbox.advance)
  } finally {
    await sandbox.stop()
  }
}

/** The jobs that depend only on the billing clock, in the order an hour runs them. */
const jobsOfClock = ['price-moves', 'month-end', 'free-access']

/** Runs those jobs in order of time on the way, as if each hour had passed. */
async function advanceInOrder(ctx: Context, to: Date, advance: (at: Date) => Promise<unknown>): Promise<void> {
  for (const at of momentsUntil(ctx, to)) {
    await advance(at)
    raiseBillingOffset(ctx, at.getTime() - ctx.now().getTime())
    for (const name of jobsOfClock) await runOnTheWay(ctx, name)
  }
}

/** If one fails, the next moment tries it again, and later its timer does. `alliance jobs list` shows why. */
async function runOnTheWay(ctx: Context, name: string): Promise<void> {
  try {
    await runJob(ctx, name)
  } catch (error) {
    ctx.log.warn('job failed while the clock was moved', { job: name, name: errorName(error) })
  }
}

/** Every moment with something to do: months and free accesses that end, and each day while a price move is pending. */
function momentsUntil(ctx: Context, to: Date): Date[] {
  const from = ctx.billingNow()
  const moments = endsOfFreeAccess.all(ctx).map(({ end }) => Date.parse(end))
  for (let month = nextMonth(londonMonth(from)); startOfMonth(month) < to; month = nextMonth(month)) {
    moments.push(startOfMonth(month).getTime())
  }
  if (listOpenMoves(ctx).length > 0) {
    for (let at = from.getTime() + unitMs.d; at < to.getTime(); at += unitMs.d) moments.push(at)
  }
  const onTheWay = moments.filter((at) => from.getTime() < at && at < to.getTime())
  return [...new Set([...onTheWay, to.getTime()])].sort((one, other) => one - other).map((at) => new Date(at))
}

const endsOfFreeAccess = preparedQuery()((db) =>
  db
    .select({ end: filled(users.accessUntil) })
    .from(users)
    .where(and(isOneOf(users.accessOverride, 'granted'), isNotNull(users.accessUntil))),
)

const unitMs = { d: dayMs, h: 3_600_000, m: 60_000 }

/** A span such as `3d`, `12h` or `30m`, already validated by the contract. */
function toMs(by: string): number {
  const unit = by.endsWith('d') ? 'd' : by.endsWith('h') ? 'h' : 'm'
  return Number(by.slice(0, -1)) * unitMs[unit]
}
