import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { Owner } from '#api/identity/person.ts'
import { SandboxChaosResponse } from '#shared/contract/sandbox.ts'
import { type SandboxControl, withSandboxControl } from './provider-service.ts'

const SettingsResponse = v.object({ webhooks: v.pick(SandboxChaosResponse, ['copies', 'order', 'seed']) })
const WebhooksResponse = v.object({ pending: v.array(v.unknown()) })

const shuffledTwice = { copies: 2, order: 'shuffled' }
const onceInOrder = { copies: 1, order: 'sent' }

export const readChaos = (ctx: Context): Promise<SandboxChaosResponse> =>
  withSandboxControl(ctx, (control) => applySettings(control, {}))

export async function changeChaos(ctx: Context, owner: Owner, on: boolean): Promise<SandboxChaosResponse> {
  const webhooks = on ? { ...shuffledTwice, seed: Math.floor(Math.random() * 1_000_000) } : onceInOrder
  const chaos = await withSandboxControl(ctx, (control) => applySettings(control, { webhooks }))
  transact(ctx, () => audit(ctx, owner.actor, 'sandbox.chaos', { detail: { on } }))
  return chaos
}

async function applySettings(control: SandboxControl, settings: object): Promise<SandboxChaosResponse> {
  const { webhooks } = v.parse(SettingsResponse, await control('POST settings', settings))
  const { pending } = v.parse(WebhooksResponse, await control('GET webhooks'))
  return { on: webhooks.copies > 1 || webhooks.order !== 'sent', ...webhooks, waiting: pending.length }
}
