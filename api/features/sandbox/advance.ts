import type * as v from 'valibot'
import { audit } from '#api/audit.ts'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { notFound } from '#api/errors.ts'
import { receiveEvent } from '#api/features/reconcile/webhook-service.ts'
import type { Owner } from '#api/http/session.ts'
import { type Lease, takeLease } from '#api/jobs/lease.ts'
import type { Sandbox } from '#api/sandbox/server.ts'
import type { SandboxAdvanceResponse } from '#shared/contract/admin.ts'
import { openSandbox, runningLevers } from './provider.ts'

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/**
 * Moves the billing clock: renewals, retries and ends of trials between then and now happen in their order, and their
 * webhooks arrive. Works on the running server's sandbox, or on the data folder's own while no server runs. Several at once,
 * in any process, happen one after the other.
 */
export async function advanceSandbox(
  ctx: Context,
  owner: Owner,
  by: string,
): Promise<v.InferOutput<typeof SandboxAdvanceResponse>> {
  if (!ctx.settings.isSandbox) throw notFound('The sandbox')
  const lease = await ownTurn(ctx)
  const startedAt = ctx.now()
  try {
    return await moveClock(ctx, owner, by)
  } finally {
    lease.end({ report: { by }, startedAt })
  }
}

const askAgainMs = 50

/** The right to move the clock, as soon as nobody else is moving it. */
async function ownTurn(ctx: Context): Promise<Lease> {
  const lease = takeLease(ctx, { name: 'sandbox-clock' })
  if (lease !== null) return lease
  await Bun.sleep(askAgainMs)
  return ownTurn(ctx)
}

async function moveClock(
  ctx: Context,
  owner: Owner,
  by: string,
): Promise<v.InferOutput<typeof SandboxAdvanceResponse>> {
  const to = new Date(ctx.billingNow().getTime() + Number(by.slice(0, -1)) * unitMs[unitOf(by)])
  const pull = runningLevers(ctx)
  if (pull === null) await advanceOwnSandbox(ctx, to)
  else await pull('POST advance', { to })
  return transact(ctx, () => {
    raiseBillingOffset(ctx, to.getTime() - ctx.now().getTime())
    audit(ctx, owner.actor, 'sandbox.advance', { detail: { by } })
    const billingNow = ctx.billingNow()
    return { billingNow: billingNow.toISOString(), offsetMs: billingNow.getTime() - ctx.now().getTime() }
  })
}

const unitOf = (by: string): keyof typeof unitMs => (by.endsWith('d') ? 'd' : by.endsWith('h') ? 'h' : 'm')

/** The data folder's own sandbox, for as long as no server has it; its webhooks are taken in here. */
export function openOwnSandbox(ctx: Context): Promise<Sandbox> {
  return openSandbox(ctx, {
    deliver: async (request) => {
      await receiveEvent(ctx, await request.text(), request.headers.get('stripe-signature'))
      return new Response()
    },
  })
}

async function advanceOwnSandbox(ctx: Context, to: Date): Promise<void> {
  const sandbox = await openOwnSandbox(ctx)
  try {
    await sandbox.advance(to)
  } finally {
    await sandbox.stop()
  }
}
