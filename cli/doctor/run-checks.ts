import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { billingOffset } from '#api/billing-clock.ts'
import { closeIfWhole } from '#api/db/damage.ts'
import { assertDatabaseThere, assertIsFile, databaseFile } from '#api/db/data-dir.ts'
import type { Db } from '#api/db/open.ts'
import { openDatabase, openReadOnly } from '#api/db/open.ts'
import { assertLogThere } from '#api/db/server-lock.ts'
import { noteChecked } from '#api/features/media/store-service.ts'
import { findRefusal } from '#api/features/notices/refusal-service.ts'
import { checkNightlyBackup } from '#api/features/operations/doctor/backup-rules.ts'
import { type Check, failed, ok, runCheck, shows, warning } from '#api/features/operations/doctor/check-rules.ts'
import { checkCopies } from '#api/features/operations/doctor/copies-rules.ts'
import { checkDashboard } from '#api/features/operations/doctor/dashboard-rules.ts'
import { checkFailedPayments } from '#api/features/operations/doctor/failed-payments-rules.ts'
import { checkFolder } from '#api/features/operations/doctor/folder-rules.ts'
import { checkInvoices } from '#api/features/operations/doctor/invoices-rules.ts'
import { checkMailAndJobs } from '#api/features/operations/doctor/mail-and-jobs-rules.ts'
import { checkMediaAndStore } from '#api/features/operations/doctor/media-rules.ts'
import { checkDeletions, checkPayments } from '#api/features/operations/doctor/payments-rules.ts'
import { checkPush } from '#api/features/operations/doctor/push-rules.ts'
import { checkMoneyBack } from '#api/features/operations/doctor/refunds-rules.ts'
import { checkRenewals } from '#api/features/operations/doctor/renewals-rules.ts'
import { checkSearch } from '#api/features/operations/doctor/search-rules.ts'
import {
  checkContent,
  checkMailServer,
  checkProxies,
  checkSeller,
  checkStripeMails,
} from '#api/features/operations/doctor/settings-rules.ts'
import { checkSums } from '#api/features/operations/doctor/sums-rules.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { describeRefusal, findUnfinished, refusalsOfLiveStart } from '#api/features/site/content/check-service.ts'
import { type ReadFiles, readFiles } from '#api/features/videos/shelf/check-service.ts'
import { errorMessage } from '#api/log.ts'
import { migrationsFolder } from '#api/project.ts'
import { assertSetUp } from '#api/release.ts'
import { unknownProxies } from '#api/serving/unknown-proxies.ts'
import { isSampleSender, readSettings, type Settings, StartupError } from '#api/settings.ts'
import { readSiteSettings, sellerProblem } from '#api/site/settings.ts'
import { type Io, projectPath } from '#cli/io.ts'
import { findHttpsProblem } from '#cli/machine/setup-checks.ts'
import { openLocalContext } from '#cli/transport-local.ts'
import { checkDatabase } from './database-check.ts'
import { checkProviderAccount, type ProviderKey } from './provider-account-check.ts'

/** Called with the bytes of each file that was read. */
type OnRead = (bytes: number) => unknown

/** Every check the settings allow. Without safe settings or a database there's nothing else to check. */
export async function runChecks(io: Io, onRead?: OnRead): Promise<Check[]> {
  try {
    assertSetUp(io.env, projectPath(io, '.env'))
    const settings = readSettings(io.env)
    return [
      ok('settings', 'The options fit together.'),
      await checkMail(settings),
      ...(await checkDomain(settings)),
      ...(await checkDataFolder(io, settings, onRead)),
    ]
  } catch (error) {
    if (error instanceof StartupError) return [failed('settings', error.message)]
    throw error
  }
}

async function checkMail(settings: Settings): Promise<Check> {
  const { isSandbox, smtpUrl } = settings
  return checkMailServer({ isSandbox, smtpUrl, isSampleSender: isSampleSender(settings) })
}

/** On a new server setup leaves it out: the proxy comes after it. */
async function checkDomain({ isProduction, publicUrl }: Settings): Promise<Check[]> {
  if (!isProduction || !publicUrl.startsWith('https://')) return []
  const name = 'domain'
  const problem = await findHttpsProblem(publicUrl)
  if (problem === null) return [ok(name, `${publicUrl} responds.`)]
  return [warning(name, `${publicUrl} ${problem} Is its DNS set, and does the proxy run?`)]
}

const checkSellerOf = (db: Db, settings: Settings): Check =>
  runCheck('seller', () => {
    const site = readSiteSettings({ db, settings })
    const problem = settings.isLive ? sellerProblem(site) : null
    const message = `The server won’t start with this live key. ${problem}`
    if (problem !== null) return failed('seller', message, shows('settings check'))
    const { seller, sampleSellerOptions: samples } = site
    return checkSeller({ isSandbox: settings.isSandbox, vatNumber: seller.vatNumber, samples })
  })

const checkMailsOfStripe = (db: Db, settings: Settings): Check =>
  runCheck('Stripe’s emails', () =>
    checkStripeMails({
      isSandbox: settings.isSandbox,
      areOff: readSiteSettings({ db, settings }).stripeMailsAreOff,
    }),
  )

/** Uses the same rule as the server's start. */
function checkLiveStart(db: Db, settings: Settings): Check[] {
  if (!settings.isLive) return []
  const name = 'live start'
  const check = runCheck(name, () => {
    const lines = refusalsOfLiveStart({ db, settings }).map(describeRefusal)
    if (lines.length === 0) return ok(name, 'The server can start with this live key.')
    const message = `The server won’t start with this live key until you fix: ${lines.join('; ')}.`
    return failed(name, message, shows('content check --live'))
  })
  return [check]
}

/** Before the first start there's no database to ask, so an empty one stands in. */
function checkFirstStart(settings: Settings): Check[] {
  const { sqlite, db } = openDatabase(':memory:')
  try {
    return checkLiveStart(db, settings)
  } finally {
    sqlite.close()
  }
}

async function checkDataFolder(io: Io, settings: Settings, onRead?: OnRead): Promise<Check[]> {
  const dataDir = projectPath(io, settings.dataDir)
  const file = databaseFile(dataDir)
  try {
    assertDatabaseThere(dataDir)
    if (!existsSync(file)) {
      const none = failed('database', `No database at ${file}. Start the server once, or set DATA_DIR.`)
      return [none, ...checkFirstStart(settings)]
    }
    assertIsFile(file)
    assertLogThere(dataDir)
  } catch (error) {
    return [failed('database', errorMessage(error))]
  }
  return [...checkFolder(dataDir, file), ...(await checkDatabaseFile(io, settings, { file, onRead }))]
}

/** Opened read-only: it reports problems the next start would repair, but doesn't repair them. Only what `--films` read is kept. */
type Opened = { file: string; onRead: OnRead | undefined }

async function checkDatabaseFile(io: Io, settings: Settings, { file, onRead }: Opened): Promise<Check[]> {
  const db = openReadOnly(file)
  try {
    const now = io.now()
    const billingNow = () => new Date(now.getTime() + billingOffset({ db }, settings)())
    const database = checkDatabase(db.$client, migrationsFolder)
    const isOlder = database.some(({ name, state }) => name === 'migrations' && state === 'failed')
    return [
      ...database,
      checkSellerOf(db, settings),
      runCheck('content', () => checkContent(settings.isSandbox, findUnfinished({ db, settings }))),
      ...checkLiveStart(db, settings),
      checkMailsOfStripe(db, settings),
      runCheck('push', () =>
        checkPush(settings, { site: readSiteSettings({ db, settings }), refusal: findRefusal({ db }) }),
      ),
      runCheck('proxies', () => checkProxies(settings, unknownProxies({ db }))),
      await checkProviderAccount(db, providerKey(settings)),
      ...checkPayments(db, now, billingNow),
      // Their tables may not be there yet.
      ...(isOlder ? [] : [checkSums(db), checkSearch(db)]),
      checkDeletions({ db, settings, now: () => now }),
      checkFailedPayments(db, billingNow),
      ...checkDashboard(db, billingNow),
      ...checkRenewals(db, billingNow),
      ...checkMoneyBack(db, now, billingNow),
      ...checkInvoices(db, billingNow),
      ...checkMailAndJobs(db, jobs, now),
      ...checkNightlyBackup({ db, settings }, now),
      ...(await checkCopies({ db, copies: settings.copies, file, now })),
      await checkMedia(io, { db, settings: { ...settings, dataDir: dirname(file) } }, onRead),
    ]
  } finally {
    db.$client.close()
  }
}

const checkMedia = (io: Io, library: { db: Db; settings: Settings }, onRead?: OnRead): Promise<Check> =>
  checkMediaAndStore(library, onRead && (async () => keepRead(io, await readFiles(library, onRead))))

/** So that the next check knows it too. If we can't write to the database, other checks name the reason. */
function keepRead(io: Io, files: ReadFiles): ReadFiles {
  try {
    const ctx = openLocalContext(io)
    try {
      for (const [sha256, isWhole] of files) noteChecked(ctx, sha256, isWhole)
    } finally {
      closeIfWhole(ctx)
    }
    return files
  } catch {
    return files
  }
}

function providerKey(settings: Settings): ProviderKey {
  return {
    mode: settings.isSandbox ? 'sandbox' : settings.isLive ? 'live' : 'test',
    async requestAccount() {
      const { createStripe } = await import('#api/stripe/client.ts')
      const account = await createStripe(settings)
        .accounts.retrieveCurrent()
        .catch(() => null)
      return account?.id ?? null
    },
  }
}
