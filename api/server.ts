import { createApp } from './app.ts'
import { type Context, openContext } from './context.ts'
import { lockDataDir } from './db/open.ts'
import { ensureOwners } from './features/owners/service.ts'
import { openSandbox } from './features/sandbox/provider.ts'
import { seedSandbox } from './features/sandbox/seed.ts'
import { ensureTiers } from './features/tiers/seed.ts'
import { bodyLimit } from './http/entrance.ts'
import { openSite } from './http/pages.ts'
import { startJobs } from './jobs/timers.ts'
import { checkProviderAccount } from './provider-account.ts'
import { type Settings, UnsafeSettings } from './settings.ts'

export type Server = { ctx: Context; stop(): Promise<void> }

/** Longest wait for what is in flight, in ms. */
const drainMs = 10_000

/** Brings a data folder up and serves it. Throws `UnsafeSettings`, in one line, where it must not start. */
export async function startServer(settings: Settings): Promise<Server> {
  const lock = lockDataDir(settings.dataDir)
  if (lock === null) throw new UnsafeSettings(`Another server is running on ${settings.dataDir}.`)
  const ctx = openContext(settings)
  await checkProviderAccount(ctx)
  ensureTiers(ctx)
  ensureOwners(ctx)
  if (settings.isSandbox) await seedSandbox(ctx)
  warnOfGaps(ctx)
  const sandbox = settings.isSandbox ? await openSandbox(ctx) : null
  const app = createApp(ctx, { site: openSite() })
  const listening = listen(app, settings)
  const jobs = startJobs(ctx)
  return {
    ctx,
    async stop() {
      await drain(listening)
      await jobs.stop()
      await sandbox?.stop()
      ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
      ctx.sqlite.close()
      lock.release()
    },
  }
}

function listen(app: ReturnType<typeof createApp>, { port, host }: Settings): Bun.Server<unknown> {
  try {
    // Without reusePort a second server on this port fails instead of taking every other request.
    app.listen({ port, hostname: host, reusePort: false, maxRequestBodySize: 4 * bodyLimit, idleTimeout: 30 })
  } catch {
    throw new UnsafeSettings(`Port ${port} is taken. Stop what uses it, or set PORT.`)
  }
  if (app.server === null) throw new UnsafeSettings(`Port ${port} could not be opened.`)
  return app.server
}

/** Takes no new connection, and waits for the answers under way. */
async function drain(server: Bun.Server<unknown>): Promise<void> {
  const isDone = server.stop().then(() => true)
  const isLate = Bun.sleep(drainMs).then(() => false)
  if (!(await Promise.race([isDone, isLate]))) await server.stop(true)
}

function warnOfGaps({ settings, log }: Context): void {
  if (settings.ownerEmails.length === 0) log.warn('OWNER_EMAILS is empty: nobody can run the business from a browser')
  if (!settings.simpleAdminEmail) log.warn('SIMPLE_ADMIN_EMAIL is empty: nobody can open the simple dashboard')
  if (!settings.isSandbox && !settings.smtpUrl) log.warn('SMTP_URL is empty: mail stays in the outbox')
}
