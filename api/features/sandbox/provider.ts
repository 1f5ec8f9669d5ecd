import { join } from 'node:path'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { webhookPath } from '#api/http/entrance.ts'
import type { Sandbox, SandboxOptions } from '#api/stripe/sandbox/server.ts'

/** Where the sandbox's pages and card calls are reached by browsers: through our own origin. */
export const sandboxProxyPath = '/sandbox/stripe'

/** The payment sandbox's own state. */
export const sandboxFile = ({ settings }: Context) => join(settings.dataDir, 'sandbox.sqlite')

type Extra = { deliver?: NonNullable<SandboxOptions['webhook']['deliver']>; clock?: SandboxOptions['clock'] }

/** The payment sandbox of a data folder, on the context's billing clock. */
export async function openSandbox(ctx: Context, { deliver, clock }: Extra = {}): Promise<Sandbox> {
  const { settings } = ctx
  // Only a server or a moved clock needs it, and it is large.
  const { startSandbox } = await import('#api/stripe/sandbox/server.ts')
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
