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

/** All that a service may use: made once, and passed on as the first argument. */
export type Context = {
  settings: Settings
  db: Db
  sqlite: Sqlite
  /** Wall clock: sessions, tokens, limits, sync stamps, signatures, logs. */
  now(): Date
  /** Wall clock plus the sandbox's offset: access, billing, jobs, mail dates. */
  billingNow(): Date
  /** UUIDv7. */
  newId(): string
  stripe: Stripe
  /** Which hosts describe their videos; null in tests, which ask nobody outside. */
  videoHosts: VideoHosts | null
  /** How addresses that owners typed are reached. */
  outside: OutsideNetwork
  log: Log
  /** Keys the hashes of tokens and the signatures of links. */
  secret: string
  /** Set by the terminal only: the person at this machine, who acts with an owner's rights and is audited by name. */
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

/** The context of a data folder: the server's and the terminal's. */
export function openContext(
  settings: Settings,
  extra: Partial<ContextParts> & Pick<OpenOptions, 'mayMigrate' | 'busyMs'> = {},
): Context {
  const { mayMigrate = true, busyMs, ...parts } = extra
  return createContext({ settings, ...openDataDir(settings.dataDir, { mayMigrate, busyMs }), ...parts })
}

/** Makes something once for each context, and keeps it for as long as that one is used. */
export const perContext = <Made>(make: (ctx: Context) => Made): ((ctx: Context) => Made) => oncePer(make)
