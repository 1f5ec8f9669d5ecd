import { audit } from '#api/audit.ts'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import { acquireLease, type Lease } from '#api/jobs/lease.ts'
import type { SandboxAdvanceResponse } from '#shared/contract/sandbox.ts'
import { findRunningSandbox, openSandboxInProcess } from './provider-service.ts'

/**
 * Moves the billing clock: renewals, retries and ends of trials between then and now happen in their order, and their
 * webhooks arrive. Works on the running server's sandbox, or on the data folder's own while no server runs. Several calls at
 * once, in any process, run one after the other.
 */
export const advanceSandbox = (ctx: Context, owner: Owner, by: string): Promise<SandboxAdvanceResponse> =>
  withClockHeld(ctx, by, () => moveHeldClock(ctx, owner, by))

/** Runs work while nobody else, in any process, moves the clock. */
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

/** Waits until nobody else is moving the clock. */
async function waitForLease(ctx: Context): Promise<Lease> {
  for (;;) {
    const lease = acquireLease(ctx, { name: 'sandbox-clock' })
    if (lease !== null) return lease
    await Bun.sleep(retryMs)
  }
}

export async function moveHeldClock(ctx: Context, owner: Owner, by: string): Promise<SandboxAdvanceResponse> {
  const to = new Date(ctx.billingNow().getTime() + toMs(by))
  const control = findRunningSandbox(ctx)
  if (control === null) await advanceInProcess(ctx, to)
  else await control('POST advance', { to })
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
    await sandbox.advance(to)
  } finally {
    await sandbox.stop()
  }
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/** A span such as `3d`, `12h` or `30m`, as the contract has checked it. */
function toMs(by: string): number {
  const unit = by.endsWith('d') ? 'd' : by.endsWith('h') ? 'h' : 'm'
  return Number(by.slice(0, -1)) * unitMs[unit]
}
