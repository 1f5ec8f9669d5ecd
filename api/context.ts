import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { billingOffset } from './billing-clock.ts'
import { assertNotReplaced } from './copies/replaced.ts'
import { type Db, type OpenOptions, openDataDir, type Sqlite } from './db/open.ts'
import { oncePer, onSlowQuery, preparedQuery } from './db/query.ts'
import { membershipTiers } from './db/schema/tiers.ts'
import { createLog, type Log, writeLogLine } from './log.ts'
import { type Meter, silentMeter, timeProviderCall } from './meter.ts'
import { internet, type OutsideNetwork } from './outside-request.ts'
import { getOrCreateSessionSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import { createStripe } from './stripe/client.ts'
import type { OnRequest } from './stripe/deadline.ts'
import { listenForTime } from './stripe/provider-time.ts'
import { knownVideoHosts, type VideoHosts } from './video-hosts/oembed.ts'

/** Everything a service may use. It's made once and passed as the first argument. */
export type Context = {
  settings: Settings
  db: Db
  sqlite: Sqlite
  /** Wall clock: sessions, tokens, rate limits, sync timestamps, signatures, logs. */
  now(): Date
  /** Wall clock plus the sandbox's offset: access, billing, jobs, dates in emails. */
  billingNow(): Date
  newId(): string
  stripe: Stripe
  /** Whether we have a tier with this slug. */
  isTier(slug: string): boolean
  /** The video hosts we can ask about a video. Null in tests, which make no outside requests. */
  videoHosts: VideoHosts | null
  /** How we reach addresses owners typed in. */
  outside: OutsideNetwork
  log: Log
  /** Counts what happens, for `/metrics`. */
  meter: Meter
  /** Keys the token hashes and link signatures. */
  secret: string
  /** Set by the terminal only: the person at this machine. They have an owner's rights, and the audit log has their name. */
  localActor?: string
}

export type ContextParts = {
  settings: Settings
  sqlite: Sqlite
  db: Db
  now?: () => Date
  newId?: () => string
  log?: Log
  meter?: Meter
  stripe?: Stripe
  videoHosts?: VideoHosts | null
  outside?: OutsideNetwork
  localActor?: string
}

const tierBySlug = preparedQuery<{ slug: string }>()((tables, { slug }) =>
  tables.select({ slug: membershipTiers.slug }).from(membershipTiers).where(eq(membershipTiers.slug, slug)),
)

export function createContext(parts: ContextParts): Context {
  const now = parts.now ?? (() => new Date())
  const { settings, sqlite, db } = parts
  const offset = billingOffset(parts, settings)
  const meter = parts.meter ?? silentMeter
  const log = parts.log ?? createLog(writeLogLine, now, settings.logLevel)
  onSlowQuery(parts, ({ text, ms }) => {
    log.warn('slow query', { query: text, ms: Math.round(ms) })
    meter.slowQuery()
  })
  const newId = parts.newId ?? (() => Bun.randomUUIDv7())
  const mayRequest = () => assertNotReplaced({ settings, db, sqlite, now, newId, log })
  let stripe = parts.stripe
  return {
    settings,
    db,
    sqlite,
    now,
    billingNow: () => new Date(now().getTime() + offset()),
    newId,
    get stripe() {
      stripe ??= createStripe(settings, { onRequest: watchProvider({ sqlite, now, meter }), mayRequest })
      return stripe
    },
    isTier: (slug) => tierBySlug.get({ db }, { slug }) !== undefined,
    meter,
    videoHosts: parts.videoHosts === undefined ? knownVideoHosts : parts.videoHosts,
    outside: parts.outside ?? internet,
    log,
    secret: settings.sessionSecret ?? getOrCreateSessionSecret({ db }, now),
    ...(parts.localActor === undefined ? {} : { localActor: parts.localActor }),
  }
}

/** Each call to Stripe is timed, and its answer tells what time it is there. */
export function watchProvider({ sqlite, now, meter }: Pick<Context, 'sqlite' | 'now' | 'meter'>): OnRequest {
  const listen = listenForTime(sqlite, now)
  return () => {
    const [hear, count] = [listen(), timeProviderCall(meter)]
    return (answer) => {
      hear(answer)
      count(answer)
    }
  }
}

export function openContext(
  settings: Settings,
  extra: Partial<ContextParts> & Pick<OpenOptions, 'mayMigrate' | 'busyMs'> = {},
): Context {
  const { mayMigrate = true, busyMs, ...parts } = extra
  return createContext({
    settings,
    ...openDataDir(settings.dataDir, { mayMigrate, busyMs, isCopied: settings.copies.isOn, isLive: settings.isLive }),
    ...parts,
  })
}

/** Makes a value once per context. */
export const perContext = <Made>(make: (ctx: Context) => Made): ((ctx: Context) => Made) => oncePer(make)
