import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Settings } from '#api/settings.ts'
import type { SharedOptions } from '#cli/client.ts'
import { type Check, failed, ok } from '#cli/doctor/check.ts'
import type { KeyFacts } from '#cli/doctor/provider.ts'
import { exitCodes, Stop, wrongUsage } from '#cli/exit.ts'
import type { Io } from '#cli/io.ts'
import { print } from '#cli/output.ts'
import { doctorReport } from '#cli/reports/doctor.ts'

const migrationsFolder = join(import.meta.dirname, '../../data/migrations')

export function registerDoctor(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('Check the database and the data folder here')
    .action(async (_own, command: Command) => {
      const options: SharedOptions = command.optsWithGlobals()
      if (options.api !== undefined) throw wrongUsage('doctor checks the data folder here: it takes no --api.')
      const checks = await examine(io)
      await print(io, options, doctorReport(checks))
      if (checks.some(({ state }) => state === 'failed')) throw new Stop(exitCodes.failed)
    })
}

async function examine(io: Io): Promise<Check[]> {
  const { readSettings, UnsafeSettings } = await import('#api/settings.ts')
  try {
    const settings = readSettings(io.env)
    return [ok('settings', 'Fit to start.'), ...(await examineOptions(settings)), ...(await examineData(io, settings))]
  } catch (error) {
    if (error instanceof UnsafeSettings) return [failed('settings', error.message)]
    throw error
  }
}

async function examineOptions(settings: Settings): Promise<Check[]> {
  const [{ isSampleSender, sampleSellerOptions }, { checkMailServer, checkSeller }] = await Promise.all([
    import('#api/settings.ts'),
    import('#cli/doctor/settings.ts'),
  ])
  const { isSandbox, smtpUrl, seller } = settings
  const askServer = async () => {
    if (smtpUrl === undefined) return null
    const { askSmtp } = await import('#api/mail/smtp.ts')
    return askSmtp(smtpUrl)
  }
  return [
    checkSeller({ isSandbox, vatNumber: seller.vatNumber, samples: sampleSellerOptions(settings) }),
    await checkMailServer({
      ...{ isSandbox, hasServer: smtpUrl !== undefined, isSampleSender: isSampleSender(settings) },
      askServer,
    }),
  ]
}

async function examineData(io: Io, settings: Settings): Promise<Check[]> {
  const [{ databaseFile }, { checkFolder }] = await Promise.all([
    import('#api/db/open.ts'),
    import('#cli/doctor/folder.ts'),
  ])
  const dataDir = resolve(io.cwd, settings.dataDir)
  const file = databaseFile(dataDir)
  if (!existsSync(file))
    return [failed('database', `There is none at ${file}. Start the server once, or set DATA_DIR.`)]
  return [...checkFolder(dataDir, file), ...(await examineFile(io, settings, file))]
}

/** Only reads: what the next start would put right is to be seen, not mended. */
async function examineFile(io: Io, settings: Settings, file: string): Promise<Check[]> {
  const [{ drizzle }, { billingOffset }, { jobs }, books, database, money, provider, work] = await Promise.all([
    import('drizzle-orm/better-sqlite3'),
    import('#api/billing-clock.ts'),
    import('#api/jobs/jobs.ts'),
    import('#cli/doctor/books.ts'),
    import('#cli/doctor/database.ts'),
    import('#cli/doctor/money.ts'),
    import('#cli/doctor/provider.ts'),
    import('#cli/doctor/work.ts'),
  ])
  const { $client: sqlite } = drizzle({ connection: { source: file, readonly: true, fileMustExist: true } })
  try {
    const now = io.now()
    const billingNow = () => new Date(now.getTime() + billingOffset(sqlite, settings)())
    return [
      ...database.checkDatabase(sqlite, migrationsFolder),
      await provider.checkProvider(sqlite, keyFacts(settings)),
      ...money.checkMoney(sqlite, now, billingNow),
      ...books.checkBooks(sqlite),
      ...work.checkWork(sqlite, jobs, now),
    ]
  } finally {
    sqlite.close()
  }
}

function keyFacts(settings: Settings): KeyFacts {
  return {
    mode: settings.isSandbox ? 'sandbox' : settings.isLive ? 'live' : 'test',
    async askAccount() {
      const { createStripe } = await import('#api/stripe/client.ts')
      const account = await createStripe(settings)
        .accounts.retrieveCurrent()
        .catch(() => null)
      return account?.id ?? null
    },
  }
}
