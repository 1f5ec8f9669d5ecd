import type Stripe from 'stripe'
import { billingOffset } from './billing-clock.ts'
import { type Db, type OpenOptions, openDataDir, type Sqlite } from './db/open.ts'
import { oncePer } from './db/query.ts'
import { createLog, type Log } from './log.ts'
import { internet, type OutsideNetwork } from './outside-request.ts'
import { getOrCreateSessionSecret } from './secrets.ts'
import type { Settings } from './settings.ts'
import { createStripe } from './stripe/client.ts'
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
  /** The video hosts we can ask about a video. Null in tests, which make no outside requests. */
  videoHosts: VideoHosts | null
  /** How we reach addresses owners typed in. */
  outside: OutsideNetwork
  log: Log
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
  stripe?: Stripe
  videoHosts?: VideoHosts | null
  outside?: OutsideNetwork
  localActor?: string
}

export function createContext(parts: ContextParts): Context {
  const now = parts.now ?? (() => new Date())
  const { settings, sqlite, db } = parts
  const offset = billingOffset(parts, settings)
  let stripe = parts.stripe
  return {
    settings,
    db,
    sqlite,
    now,
    billingNow: () => new Date(now().getTime() + offset()),
    newId: parts.newId ?? (() => Bun.randomUUIDv7()),
    get stripe() {
      stripe ??= createStripe(settings, { onRequest: listenForTime(sqlite, now) })
      return stripe
    },
    videoHosts: parts.videoHosts === undefined ? knownVideoHosts : parts.videoHosts,
    outside: parts.outside ?? internet,
    log: parts.log ?? createLog((line) => process.stderr.write(line), now),
    secret: settings.sessionSecret ?? getOrCreateSessionSecret({ db }, now),
    ...(parts.localActor === undefined ? {} : { localActor: parts.localActor }),
  }
}

export function openContext(
  settings: Settings,
  extra: Partial<ContextParts> & Pick<OpenOptions, 'mayMigrate' | 'busyMs'> = {},
): Context {
  const { mayMigrate = true, busyMs, ...parts } = extra
  return createContext({ settings, ...openDataDir(settings.dataDir, { mayMigrate, busyMs }), ...parts })
}

/** Makes a value once per context. */
export const perContext = <Made>(make: (ctx: Context) => Made): ((ctx: Context) => Made) => oncePer(make)
