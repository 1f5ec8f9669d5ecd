import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { SettingName } from '#shared/contract/site-settings.ts'
import { Environment, sampleSender, secretNames } from './environment.ts'
import { errorCodeOf } from './log.ts'
import { canonicalAddress } from './network-address.ts'
import { parseStoreAddress, type StoreAddress } from './object-store/store.ts'

export type Settings = ReturnType<typeof toSettings>

/** Why the server won't start, in one line for the terminal. */
export class StartupError extends Error {}

const portPurposes = { PORT: '', SANDBOX_PORT: ', for the payment sandbox,', METRICS_PORT: ', for /metrics,' }

export function portTaken(port: number, name: keyof typeof portPurposes): StartupError {
  const purpose = portPurposes[name]
  return new StartupError(`Port ${port}${purpose} is taken. Stop what uses it, or set ${name}.`)
}

const sandboxKey = 'sk_test_sandbox'
const sandboxWebhookSecret = 'whsec_sandbox'
export const isSampleSender = ({ mailFrom }: Settings): boolean => mailFrom === sampleSender

/** Reads the environment. Empty values count as unset. An invalid or unsafe one throws a `StartupError`. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const filled = Object.entries(withSecretsOfFiles(environment)).filter(([, value]) => value?.trim())
  assertLiveKeySafe(Object.fromEntries(filled))
  const parsed = Environment.safeParse(Object.fromEntries(filled))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartupError(`${issue?.path.join('.') ?? 'environment'}: ${issue?.message ?? 'is not valid'}`)
  }
  const settings = toSettings(parsed.data, siteOptionsIn(filled))
  assertSafeCombination(settings, parsed.data)
  return settings
}

function withSecretsOfFiles(environment: Record<string, string | undefined>) {
  const named = secretNames.filter((name) => environment[`${name}_FILE`]?.trim())
  return { ...environment, ...Object.fromEntries(named.map((name) => [name, secretInFile(environment, name)])) }
}

function secretInFile(environment: Record<string, string | undefined>, name: string): string {
  const file = environment[`${name}_FILE`]?.trim() ?? ''
  if (environment[name]?.trim()) throw new StartupError(`Set ${name} or ${name}_FILE, not both.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartupError(`${name}_FILE: we can’t read ${file} (${errorCodeOf(error)}).`)
  }
}

const siteOptionsIn = (filled: readonly [string, string | undefined][]) =>
  Object.fromEntries(filled.filter(([name]) => v.is(SettingName, name))) as Partial<Record<SettingName, string>>

const isLiveKey = (key = '') => /^(sk|rk)_live_/.test(key.trim())

/** Checked first, because a mistake here moves real money. */
function assertLiveKeySafe(env: Record<string, string | undefined>): void {
  if (!isLiveKey(env.STRIPE_SECRET_KEY)) return
  if (env.ALLOW_SANDBOX?.trim() === '1' || env.SANDBOX_PORT !== undefined || env.SANDBOX_PEOPLE !== undefined) {
    throw new StartupError(
      'A live STRIPE_SECRET_KEY and the sandbox (ALLOW_SANDBOX, SANDBOX_PORT, SANDBOX_PEOPLE) can’t be used together.',
    )
  }
  if (env.NODE_ENV?.trim() !== 'production') {
    throw new StartupError('A live STRIPE_SECRET_KEY needs NODE_ENV=production.')
  }
  if (!env.PUBLIC_URL?.trim().startsWith('https://')) {
    throw new StartupError('A live STRIPE_SECRET_KEY needs a PUBLIC_URL that begins with https://.')
  }
  if (!env.STRIPE_PUBLISHABLE_KEY?.trim().startsWith('pk_live_')) {
    throw new StartupError('A live STRIPE_SECRET_KEY also needs the live STRIPE_PUBLISHABLE_KEY (pk_live_…).')
  }
}

function toSettings(env: Environment, given: Partial<Record<SettingName, string>>) {
  const isProduction = env.NODE_ENV === 'production'
  const isSandbox = env.STRIPE_SECRET_KEY === '' || env.STRIPE_SECRET_KEY === sandboxKey
  const isLive = isLiveKey(env.STRIPE_SECRET_KEY)
  const sandboxOwners = ['owner@alliance.test', 'owner2@alliance.test']
  // A public demo has only the owners it names, no seeded ones.
  const hasSandboxOwners = isSandbox && !(isProduction && env.OWNER_EMAILS !== undefined)
  const ownerEmails = env.OWNER_EMAILS?.map((email) => email.toLowerCase()) ?? (isSandbox ? sandboxOwners : [])
  return {
    isProduction,
    isLive,
    isSandbox,
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    /** The media library's total size limit. */
    mediaQuotaGb: env.MEDIA_QUOTA_GB,
    /** The path of ffmpeg, or `off`. Empty means it’s where programs usually are. */
    ffmpeg: env.FFMPEG,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin,
    /** Waits for the server that holds the folder, and keeps requests meanwhile. See `handover.ts`. */
    takesOver: env.TAKES_OVER,
    trustedProxies: env.TRUSTED_PROXIES.flatMap((address) => canonicalAddress(address) ?? []),
    ownerEmails,
    simpleAdminEmail: env.SIMPLE_ADMIN_EMAIL?.toLowerCase() ?? (hasSandboxOwners ? sandboxOwners[0] : undefined),
    sessionSecret: env.SESSION_SECRET,
    stripe: stripeKeysIn(env, isSandbox),
    sandboxPort: env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1),
    /** Whom a new sandbox shows: the named accounts, or a year of members too. */
    sandboxPeople: env.SANDBOX_PEOPLE ?? 'many',
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    logLevel: env.LOG_LEVEL,
    ...storesIn(env),
    /** `/metrics` on a port of its own for this machine, or on the site's with a token. Neither: none. */
    metrics: { port: env.METRICS_PORT, token: env.METRICS_TOKEN },
    /** The CDN in front, and where it hears of changes. Null: there's none, and answers say nothing to one. */
    cdn: env.CDN_PURGE_URL === undefined ? null : { url: env.CDN_PURGE_URL, token: env.CDN_PURGE_TOKEN },
    /** Push services that notices go to, besides those of the known browsers. */
    pushHosts: env.PUSH_HOSTS,
    showsApiDocs: !isProduction || env.API_DOCS,
    /** The options in the environment that owners can also set. See `siteSettings`. */
    site: given,
  }
}

const storesIn = (env: Environment) => ({
  /** The second place of the nightly backups. Null: only the schedule's folder. */
  backupStore: backupStoreIn(env),
  copies: copiesIn(env),
  /** Where video files and sounds may lie instead of on the disk. Null: all are on the disk. */
  mediaStore: env.MEDIA_URL === '' ? null : storeAddressIn(env, 'MEDIA_URL'),
})

const stripeKeysIn = (env: Environment, isSandbox: boolean) => ({
  secretKey: isSandbox ? sandboxKey : env.STRIPE_SECRET_KEY,
  publishableKey: env.STRIPE_PUBLISHABLE_KEY || (isSandbox ? 'pk_test_sandbox' : ''),
  webhookSecret: env.STRIPE_WEBHOOK_SECRET || (isSandbox ? sandboxWebhookSecret : ''),
  /** A restricted key that may only read, for rehearsing a move. Empty: none. */
  rehearsalKey: env.STRIPE_REHEARSAL_KEY || (isSandbox ? 'rk_test_sandbox' : ''),
})

type BackupStore = { address: StoreAddress; key: string }

function backupStoreIn(env: Environment): BackupStore | null {
  if (env.BACKUP_URL === '') return null
  const address = storeAddressIn(env, 'BACKUP_URL')
  if (env.BACKUP_KEY === undefined) {
    throw new StartupError(
      'BACKUP_URL also needs BACKUP_KEY, which encrypts what’s stored there: openssl rand -base64 48',
    )
  }
  return { address, key: env.BACKUP_KEY }
}

function storeAddressIn(env: Environment, name: 'BACKUP_URL' | 'LITESTREAM_URL' | 'MEDIA_URL'): StoreAddress {
  const keys = { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY }
  const address = parseStoreAddress(env[name], keys)
  if (address === null) throw new StartupError(`${name} must be s3://bucket/folder?endpoint=https://… .`)
  if (keys.accessKeyId === '' || keys.secretAccessKey === '') {
    throw new StartupError(`${name} also needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`)
  }
  return address
}

/** Litestream's continuous copies of the database. `store`: where they lie, and which copy is the newest. Null: it isn't watched. */
export type CopySettings = {
  isOn: boolean
  store: StoreAddress | null
  program: string
  /** What this machine is called in the store. */
  machine: string
  keys: { accessKeyId: string; secretAccessKey: string }
}

function copiesIn(env: Environment): CopySettings {
  const { LITESTREAM: isOn, LITESTREAM_URL: url, LITESTREAM_PROGRAM: program } = env
  const keys = { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY }
  const machine = env.LITESTREAM_MACHINE || hostname()
  const common = { isOn, program, machine, keys }
  if (url === '') return { ...common, store: null }
  if (!isOn) throw new StartupError('LITESTREAM_URL also needs LITESTREAM=1.')
  const store = storeAddressIn(env, 'LITESTREAM_URL')
  if (!/^[\w.-]+$/.test(machine)) throw new StartupError('LITESTREAM_MACHINE must be a plain name, such as site-1.')
  return { ...common, store }
}

function assertSafeCombination(settings: Settings, env: Environment) {
  const { isProduction, isSandbox } = settings
  if (isProduction && isSandbox && !env.ALLOW_SANDBOX) {
    throw new StartupError(
      'The payment sandbox doesn’t run in production. Set STRIPE_SECRET_KEY, or ALLOW_SANDBOX=1 for a demo.',
    )
  }
  if (isProduction && !settings.sessionSecret) {
    throw new StartupError('Set SESSION_SECRET in production: at least 32 random characters.')
  }
  if (!isSandbox && !(settings.stripe.publishableKey && settings.stripe.webhookSecret)) {
    throw new StartupError('STRIPE_SECRET_KEY also needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.')
  }
  if (settings.metrics.port !== undefined && [settings.port, settings.sandboxPort].includes(settings.metrics.port)) {
    throw new StartupError('METRICS_PORT can’t be the same as PORT or SANDBOX_PORT.')
  }
  if (isSandbox && settings.port !== 0 && (settings.sandboxPort === settings.port || settings.sandboxPort > 65535)) {
    throw new StartupError('SANDBOX_PORT can’t be the same as PORT, and must be 65535 or lower.')
  }
}

/** The public origin and, outside production, this machine's own names. */
export function ownOrigins({ publicUrl, isProduction, port }: Settings): string[] {
  const own = [new URL(publicUrl).origin]
  if (!isProduction) own.push(`http://localhost:${port}`, `http://127.0.0.1:${port}`)
  return own
}
