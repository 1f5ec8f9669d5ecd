import { join } from 'node:path'
import { recordTerms } from '#api/site/content-queries.ts'
import { createApp } from './app.ts'
import { type Context, openContext } from './context.ts'
import { isReplaced, joinStore } from './copies/replaced.ts'
import { shortenWaits } from './db/busy.ts'
import { isDamaged, recordIfDamage } from './db/damage.ts'
import { assertDatabaseThere, closeFilesBelow, databaseFile } from './db/data-dir.ts'
import { generationOf } from './db/generation.ts'
import { checkAtStart } from './db/integrity.ts'
import type { OpenOptions } from './db/open.ts'
import { sweepRestores } from './db/restore-leftovers.ts'
import { describeServer, lockDataDir, recordServing } from './db/server-lock.ts'
import { toStartupError } from './db/startup-error.ts'
import { closeDatabase } from './db/storage.ts'
import { markForEdge } from './edge/marks.ts'
import { startPurging } from './edge/purge.ts'
import { ensureOwners } from './features/accounts/owners/service.ts'
import { pushKeysOf } from './features/notices/keys-service.ts'
import { recordHeartbeat } from './features/operations/health/service.ts'
import { jobs } from './features/operations/jobs/list-service.ts'
import { openSandbox } from './features/sandbox/provider-service.ts'
import { seedClips } from './features/sandbox/sample-service.ts'
import { seedSandbox } from './features/sandbox/seed-service.ts'
import { describeRefusal, refusalsOfLiveStart } from './features/site/content/check-service.ts'
import { ensureTiers } from './features/tiers/service.ts'
import { stopReadingApart } from './http/apart.ts'
import { keepAssets } from './http/kept-assets.ts'
import type { Site } from './http/page-cache.ts'
import { readBuiltSite } from './http/pages.ts'
import { unlessReplaced } from './http/replaced-response.ts'
import { type Respond, respondInTurns } from './http/request-turns.ts'
import { afterBody } from './http/rest-of-body.ts'
import { startJobs } from './jobs/timers.ts'
import { errorCodeOf, errorMessage } from './log.ts'
import type { OpenMeter } from './metrics/prometheus.ts'
import { listenForScrapes, openMetrics, watchRequests } from './metrics/serve.ts'
import { openReadyPages } from './page-source.ts'
import { assertProviderAccount } from './provider-account.ts'
import { thisRelease } from './release.ts'
import { forgetUnknownProxies, noteUnknownProxy } from './serving/unknown-proxies.ts'
import { portTaken, type Settings, StartupError } from './settings.ts'
import { contentOf } from './site/content.ts'
import { ContentError } from './site/content-files.ts'
import { siteSettings } from './site/settings.ts'

/** `seededPassword` belongs to the sandbox accounts this start made. Null if it made none. */
export type Server = { ctx: Context; seededPassword: string | null; stop(): Promise<void> }

/** How long a stop waits for requests and jobs. Service managers kill after 10 seconds, and a checkpoint follows. */
const drainMs = 9_000

type StartOptions = Pick<OpenOptions, 'busyMs'>

/** Opens a data folder and serves it. Throws a one-line `StartupError` if it mustn't start. */
export async function startServer(settings: Settings, options: StartOptions = {}): Promise<Server> {
  try {
    return await openAndServe(settings, options)
  } catch (error) {
    throw toStartupError(error, databaseFile(settings.dataDir))
  }
}

async function openAndServe(settings: Settings, { busyMs }: StartOptions): Promise<Server> {
  const lock = await holdFolder(settings.dataDir)
  // If both are wrong, report the missing database: it's worse.
  assertDatabaseThere(settings.dataDir)
  assertPortsFree(settings)
  sweepRestores(databaseFile(settings.dataDir))
  const meter = await openMetrics(settings)
  const ctx = openContext(settings, { busyMs, ...(meter === null ? {} : { meter }) })
  assertReadyForMoney(ctx)
  assertContentValid(ctx)
  checkAtStart(ctx)
  await joinStore(ctx)
  if (!isReplaced(ctx)) await assertProviderAccount(ctx)
  const seededPassword = await prepareRows(ctx)
  warnOfMissingSettings(ctx)
  shortenWaits(ctx)
  const sandbox = settings.isSandbox ? await openSandbox(ctx) : null
  const site = readBuiltSite()
  const listening = listen(ctx, site, meter)
  const scraped = listenForScrapes(ctx, meter)
  const work = startWork(ctx)
  void closeFilesBelow(settings.dataDir)
  void keepAssetsOf(ctx, site)
  return {
    ctx,
    seededPassword,
    async stop() {
      const isDone = Promise.all([listening.stop(), work.stop()]).then(() => true)
      const isLate = Bun.sleep(drainMs).then(() => false)
      if (!(await Promise.race([isDone, isLate]))) await listening.stop(true)
      await scraped?.stop(true)
      await sandbox?.stop()
      await stopReadingApart(ctx)
      closeDatabase(ctx)
      lock.release()
    },
  }
}

function listen(ctx: Context, site: Site | undefined, meter: OpenMeter | null): Bun.Server<undefined> {
  const readyPages = openReadyPages(ctx)
  const app = createApp(ctx, { site, readyPages })
  const respondToRest = afterBody(respondInTurns(ctx, () => listening, app.fetch))
  const respond = unlessReplaced(ctx, (request) => {
    noteUnknownProxy(ctx, { request, server: listening })
    return readyPages.respond(request) ?? respondToRest(request)
  })
  const listening = openPort(ctx.settings, watchRequests(ctx, { meter, routes: app.routes }, markForEdge(ctx, respond)))
  app.server = listening
  return listening
}

function startWork(ctx: Context): { stop(): Promise<void> } {
  const [timers, purging] = [startJobs(ctx, jobs), startPurging(ctx)]
  return {
    stop() {
      purging.stop()
      return timers.stop()
    },
  }
}

/** A clone's build keeps the files of the build before itself. */
async function keepAssetsOf({ settings, log }: Context, site: Site | undefined): Promise<void> {
  const release = thisRelease()
  if (release === null || site === undefined) return
  try {
    await keepAssets(settings.dataDir, { release: release.name, assets: join(site.clientFolder, 'assets') })
  } catch (error) {
    log.warn('assets not kept', { reason: errorMessage(error) })
  }
}

/** A command checking for a server, or the last server as it stops, holds the lock for a moment. */
const lockPatienceMs = 500

async function holdFolder(dataDir: string) {
  const until = Date.now() + lockPatienceMs
  for (;;) {
    const lock = lockDataDir(dataDir)
    if (lock !== null) return lock
    if (Date.now() >= until) throw new StartupError(`Another ${describeServer(dataDir)}`)
    await Bun.sleep(50)
  }
}

/** Seeds the rows every site needs, unless the database is damaged. Returns the new sandbox accounts' password, or null. */
async function prepareRows(ctx: Context): Promise<string | null> {
  if (isDamaged(ctx) || isReplaced(ctx)) return null
  try {
    recordServing(ctx)
    forgetUnknownProxies(ctx)
    generationOf(ctx)
    pushKeysOf(ctx)
    ensureTiers(ctx)
    recordTerms(ctx, contentOf(ctx).read())
    ensureOwners(ctx)
    const seededPassword = ctx.settings.isSandbox ? await seedSandbox(ctx) : null
    if (!ctx.settings.isLive) await seedClips(ctx)
    recordHeartbeat(ctx)
    return seededPassword
  } catch (error) {
    recordIfDamage(ctx, error)
    if (isDamaged(ctx)) return null
    throw error
  }
}

function assertContentValid(ctx: Context): void {
  try {
    contentOf(ctx)
  } catch (error) {
    throw error instanceof ContentError ? new StartupError(error.message) : error
  }
}

/** What a live site needs: a contact address and the seller's details. The terminal may start without, in order to set them. */
export function assertReadyForMoney(ctx: Context): void {
  if (!ctx.settings.isLive) return
  const refusals = refusalsOfLiveStart(ctx)
  if (refusals.length === 0) return
  const lines = refusals.map((refusal) => `  ${describeRefusal(refusal)}`)
  throw new StartupError(
    ['Replace these with your own before you take real money. See also: alliance content check', ...lines].join('\n'),
  )
}

/** Runs before anything is opened or seeded, so a start that's bound to fail does so early. */
function assertPortsFree({ port, host, sandboxPort, isSandbox, metrics }: Settings): void {
  if (port === 0) throw new StartupError('PORT can’t be 0, because links, emails and webhooks name it.')
  assertPortFree({ port, hostname: host }, 'PORT')
  if (isSandbox) assertPortFree({ port: sandboxPort, hostname: '127.0.0.1' }, 'SANDBOX_PORT')
  if (metrics.port !== undefined) assertPortFree({ port: metrics.port, hostname: '127.0.0.1' }, 'METRICS_PORT')
}

type Address = { port: number; hostname: string }

function assertPortFree(address: Address, name: Parameters<typeof portTaken>[1]): void {
  try {
    Bun.listen({ ...address, exclusive: true, socket: { data() {} } }).stop(true)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EADDRINUSE') throw portTaken(address.port, name)
    if (code === 'EACCES') throw new StartupError(`This user can’t open port ${address.port}. Set ${name} to another.`)
    // A hostname that doesn't resolve, or an invalid address, has no error code.
    throw new StartupError(
      `HOST (${address.hostname}) isn’t an address of this machine. Set one that is, or leave it out for all of them.`,
    )
  }
}

/**
 * Elysia's `listen` would set up all routes twice and delay the first response. With `reusePort` a second server on this port
 * would take every other request instead of failing. We reject bodies that are too large for their route before reading them,
 * because Bun's own limit would respond without our headers. The port was free a moment ago.
 */
function openPort({ port, host }: Settings, fetch: Respond): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port,
      hostname: host,
      reusePort: false,
      idleTimeout: 30,
      development: false,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch,
    })
  } catch {
    throw portTaken(port, 'PORT')
  }
}

function warnOfMissingSettings(ctx: Context): void {
  const { settings, log } = ctx
  const samples = siteSettings(ctx).sampleSellerOptions
  if (!settings.isSandbox && samples.length > 0) {
    log.warn(`VAT invoices name a sample seller: ${samples.join(', ')} must be set before real money moves`)
  }
  if (settings.ownerEmails.length === 0) log.warn('OWNER_EMAILS is empty: no one can run the business from a browser')
  if (!settings.simpleAdminEmail) log.warn('SIMPLE_ADMIN_EMAIL is empty: no one can open the simple dashboard')
  if (!settings.isSandbox && !settings.smtpUrl) log.warn('SMTP_URL is empty: email stays in the outbox')
}
