import type * as v from 'valibot'
import { audit } from '#api/audit.ts'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { lockDataDir, transact } from '#api/db/open.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import { receiveEvent } from '#api/stripe/webhook.ts'
import type { SandboxAdvanceAnswer } from '#shared/contract/admin.ts'
import { openSandbox } from './provider.ts'

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }

/**
 * Moves the billing clock: renewals, retries and ends of trials between then and now happen in their order, and their
 * webhooks arrive. Works on the running server's sandbox, or on the data folder's own while no server runs.
 */
export async function advanceSandbox(
  ctx: Context,
  owner: Owner,
  by: string,
): Promise<v.InferOutput<typeof SandboxAdvanceAnswer>> {
  if (!ctx.settings.isSandbox) throw notFound('The sandbox')
  const to = new Date(ctx.billingNow().getTime() + Number(by.slice(0, -1)) * unitMs[unitOf(by)])
  if (!(await askRunningSandbox(ctx, to))) await advanceOwnSandbox(ctx, to)
  return transact(ctx, () => {
    raiseBillingOffset(ctx, to.getTime() - ctx.now().getTime())
    audit(ctx, owner.actor, 'sandbox.advance', { detail: { by } })
    const billingNow = ctx.billingNow()
    return { billingNow: billingNow.toISOString(), offsetMs: billingNow.getTime() - ctx.now().getTime() }
  })
}

const unitOf = (by: string): keyof typeof unitMs => (by.endsWith('d') ? 'd' : by.endsWith('h') ? 'h' : 'm')

/** False where no server holds this data folder: whatever listens on the port then is another folder's. */
async function askRunningSandbox(ctx: Context, to: Date): Promise<boolean> {
  const free = lockDataDir(ctx.settings.dataDir)
  free?.release()
  if (free !== null) return false
  const address = `http://127.0.0.1:${ctx.settings.sandboxPort}/_sandbox/advance`
  const headers = { authorization: `Bearer ${ctx.settings.stripe.secretKey}`, 'content-type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ to }) }).catch(() => null)
  if (!answer?.ok) throw new AppError('payment_provider_unavailable', 'The sandbox could not move its clock.')
  return true
}

async function advanceOwnSandbox(ctx: Context, to: Date): Promise<void> {
  const sandbox = await openSandbox(ctx, {
    deliver: async (request) => {
      await receiveEvent(ctx, await request.text(), request.headers.get('stripe-signature'))
      return new Response()
    },
  })
  try {
    await sandbox.advance(to)
  } finally {
    await sandbox.stop()
  }
}
