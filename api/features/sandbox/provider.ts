import { join } from 'node:path'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { lockDataDir } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { webhookPath } from '#api/http/entrance.ts'
import type { Sandbox, SandboxOptions } from '#api/sandbox/server.ts'

/** Where the sandbox's pages and card calls are reached by browsers: through our own origin. */
export const sandboxProxyPath = '/sandbox/stripe'

/** The payment sandbox's own state. */
export const sandboxFile = ({ settings }: Context) => join(settings.dataDir, 'sandbox.sqlite')

type Extra = { deliver?: NonNullable<SandboxOptions['webhook']['deliver']>; clock?: SandboxOptions['clock'] }

/** The payment sandbox of a data folder, on the context's billing clock. */
export async function openSandbox(ctx: Context, { deliver, clock }: Extra = {}): Promise<Sandbox> {
  const { settings } = ctx
  // Only a server or a moved clock needs it, and it is large.
  const { startSandbox } = await import('#api/sandbox/server.ts')
  return startSandbox({
    file: sandboxFile(ctx),
    port: settings.sandboxPort,
    clock: clock ?? {
      now: ctx.billingNow,
      moveTo: (at) => raiseBillingOffset(ctx, at.getTime() - ctx.now().getTime()),
    },
    webhook: {
      url: () => `http://127.0.0.1:${settings.port}${webhookPath}`,
      secret: settings.stripe.webhookSecret,
      ...(deliver === undefined ? {} : { deliver }),
    },
    pagesUrl: () => `${settings.publicUrl}${sandboxProxyPath}`,
    log: (message) => ctx.log.info(`sandbox: ${message}`),
  })
}

/** Pulls a lever of the sandbox, such as `POST settings`, and answers what it says. */
export type Levers = (lever: string, body?: unknown) => Promise<unknown>

export function leversAt({ settings }: Context, url: string): Levers {
  return async (lever, body) => {
    const [method = '', path] = lever.split(' ')
    const headers = { authorization: `Bearer ${settings.stripe.secretKey}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await fetch(`${url}/_sandbox/${path}`, init).catch(() => null)
    if (!answer?.ok) throw new AppError('payment_provider_unavailable', 'The sandbox could not do that.')
    return answer.json()
  }
}

/** Null where no server holds this data folder: whatever listens on the port then is another folder's. */
export function runningLevers(ctx: Context): Levers | null {
  const free = lockDataDir(ctx.settings.dataDir)
  free?.release()
  return free === null ? leversAt(ctx, `http://127.0.0.1:${ctx.settings.sandboxPort}`) : null
}
