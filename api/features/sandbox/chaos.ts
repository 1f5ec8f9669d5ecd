import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import { SandboxChaosResponse } from '#shared/contract/admin.ts'
import { openOwnSandbox } from './advance.ts'
import { type Levers, leversAt, runningLevers } from './provider.ts'

const settingsAnswer = v.object({ webhooks: v.pick(SandboxChaosResponse, ['copies', 'order', 'seed']) })
const waitingAnswer = v.object({ pending: v.array(v.unknown()) })

const disorder = { copies: 2, order: 'shuffled' }
const order = { copies: 1, order: 'sent' }

/** Whether webhooks come twice and out of order. */
export function readChaos(ctx: Context): Promise<SandboxChaosResponse> {
  return withLevers(ctx, (pull) => apply(pull, {}))
}

export async function changeChaos(ctx: Context, owner: Owner, on: boolean): Promise<SandboxChaosResponse> {
  const seed = Math.floor(Math.random() * 1_000_000)
  const answer = await withLevers(ctx, (pull) => apply(pull, { webhooks: on ? { ...disorder, seed } : order }))
  transact(ctx, () => audit(ctx, owner.actor, 'sandbox.chaos', { detail: { on } }))
  return answer
}

async function apply(pull: Levers, settings: object): Promise<SandboxChaosResponse> {
  const { webhooks } = v.parse(settingsAnswer, await pull('POST settings', settings))
  const { pending } = v.parse(waitingAnswer, await pull('GET webhooks'))
  return { on: webhooks.copies > 1 || webhooks.order !== 'sent', ...webhooks, waiting: pending.length }
}

/** Of the running server's sandbox, or while none runs, of the data folder's own. */
async function withLevers<T>(ctx: Context, run: (pull: Levers) => Promise<T>): Promise<T> {
  if (!ctx.settings.isSandbox) throw notFound('The sandbox')
  const running = runningLevers(ctx)
  if (running !== null) return run(running)
  const sandbox = await openOwnSandbox(ctx)
  try {
    return await run(leversAt(ctx, sandbox.url))
  } finally {
    await sandbox.stop()
  }
}
