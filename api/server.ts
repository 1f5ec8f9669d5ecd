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
import { createLeaving, type Leaving, type Waiting, waitForFolder } from './handover.ts'
import { idleSeconds, stopReadingApart } from './http/apart.ts'
import { keepAssets } from './http/kept-assets.ts'
import type { Site } from './http/page-cache.ts'
import { readBuiltSite } from './http/pages.ts'
import { unlessReplaced } from './http/replaced-response.ts'
import { answerAll, type Respond, respondInTurns } from './http/request-turns.ts'
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

/** `onWait`: told once, if this server waits for the one that holds the folder. */
type StartOptions = Pick<OpenOptions, 'busyMs'> & { onWait?: () => void }

/** Opens a data folder and serves it. Throws a one-line `StartupError` if it mustn't start. */
export async function startServer(settings: Settings, options: StartOptions = {}): Promise<Server> {
  try {
    return await openAndServe(settings, options)
  } catch (error) {
    throw toStartupError(error, databaseFile(settings.dataDir))
  }
}

async function openAndServe(settings: Settings, options: StartOptions): Promise<Server> {
  if (!settings.takesOver) return serve(settings, options, await holdFolder(settings.dataDir))
  assertPortsFree(settings, ['PORT'])
  const waiting = waitForFolder(settings.dataDir)
  const port = openPort(settings, waiting.hold)
  try {
    return await serve(settings, options, await holdFolder(settings.dataDir, { waiting, ...options }), {
      waiting,
      port,
    })
  } catch (error) {
    await port.stop(true)
    throw error
  }
}

type Lock = NonNullable<ReturnType<typeof lockDataDir>>

/** The port of a server that takes over, which has been open since before it held the folder. */
type Entrance = { waiting: Waiting; port: Bun.Server<undefined> }

async function serve(settings: Settings, { busyMs }: StartOptions, lock: Lock, entrance?: Entrance): Promise<Server> {
  // If both are wrong, report the missing database: it's worse.
  assertDatabaseThere(settings.dataDir)
  assertPortsFree(settings, entrance ? ['SANDBOX_PORT', 'METRICS_PORT'] : portNames)
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
  const leaving = createLeaving(settings.dataDir)
  const listening = listen(ctx, { site, meter, leaving, entrance })
  const scraped = listenForScrapes(ctx, meter)
  const work = startWork(ctx)
  void closeFilesBelow(settings.dataDir)
  void keepAssetsOf(ctx, site)
  return {
    ctx,
    seededPassword,
    async stop() {
      const began = performance.now()
      const late = (least: number) =>
        Bun.sleep(Math.max(least, drainMs - (performance.now() - began))).then(() => false)
      const worked = work.stop()
      const isWaitedFor = await leaving.handOver(Promise.race([worked, late(0)]))
      const sent = listening.stop()
      const isDone = Promise.all([isWaitedFor ? answerAll(ctx) : sent, worked]).then(() => true)
      // Jobs may have taken all the time, and requests not yet had theirs.
      if (!(await Promise.race([isDone, late(1_000)]))) await listening.stop(true)
      await scraped?.stop(true)
      await sandbox?.stop()
      await stopReadingApart(ctx)
      closeDatabase(ctx)
      lock.release()
      // A film on its way to a phone needs no database, and keeps nobody waiting.
      await Promise.race([sent, late(0)])
    },
  }
}

type Listening = { site: Site | undefined; meter: OpenMeter | null; leaving: Leaving; entrance: Entrance | undefined }

function listen(ctx: Context, { site, meter, leaving, entrance }: Listening): Bun.Server<undefined> {
  const readyPages = openReadyPages(ctx)
  const app = createApp(ctx, { site, readyPages })
  const respondInTurn = afterBody(respondInTurns(ctx, () => listening, app.fetch))
  const respondToRest: Respond = (request) => {
    // Not for kept pages: the count of their view follows.
    noteUnknownProxy(ctx, { request, server: listening })
    return respondInTurn(request)
  }
  const respond = unlessReplaced(ctx, (request) => readyPages.respond(request) ?? respondToRest(request))
  const watched = watchRequests(ctx, { meter, routes: app.routes }, markForEdge(ctx, respond))
  const all: Respond = (request) => leaving.respond(request) ?? watched(request)
  const listening = entrance?.port ?? openPort(ctx.settings, all)
  app.server = listening
  entrance?.port.reload({ fetch: all })
  entrance?.waiting.opened(all)
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

/** How long a server that takes over waits for the one before to be told to end. */
const takeoverPatienceMs = 120_000

async function holdFolder(dataDir: string, next?: { waiting: Waiting; onWait?: () => void }): Promise<Lock> {
  const until = Date.now() + (next ? takeoverPatienceMs : lockPatienceMs)
  for (let tries = 0; ; tries += 1) {
    const lock = lockDataDir(dataDir)
    if (lock !== null) return lock
    if (Date.now() >= until) throw new StartupError(`Another ${describeServer(dataDir)}`)
    if (next) await next.waiting.again()
    else await Bun.sleep(50)
    if (tries === 0) next?.onWait?.()
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
function assertPortsFree(settings: Settings, names: readonly PortName[]): void {
  const { port, host, sandboxPort, isSandbox, metrics } = settings
  if (port === 0) throw new StartupError('PORT can’t be 0, because links, emails and webhooks name it.')
  const [isAsked, hostname] = [(name: PortName) => names.includes(name), '127.0.0.1']
  if (isAsked('PORT')) assertPortFree({ port, hostname: host }, 'PORT')
  if (isSandbox && isAsked('SANDBOX_PORT')) assertPortFree({ port: sandboxPort, hostname }, 'SANDBOX_PORT')
  if (metrics.port !== undefined && isAsked('METRICS_PORT'))
    assertPortFree({ port: metrics.port, hostname }, 'METRICS_PORT')
}

type PortName = Parameters<typeof portTaken>[1]
const portNames: readonly PortName[] = ['PORT', 'SANDBOX_PORT', 'METRICS_PORT']

type Address = { port: number; hostname: string }

function assertPortFree(address: Address, name: PortName): void {
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
function openPort({ port, host }: Settings, fetch: Waiting['hold']): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port,
      hostname: host,
      reusePort: false,
      idleTimeout: idleSeconds,
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
