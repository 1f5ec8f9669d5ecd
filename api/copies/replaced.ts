import { generationOf, isNewer } from '#api/db/generation.ts'
import type { Db, Sqlite } from '#api/db/open.ts'
import { oncePer } from '#api/db/query.ts'
import { AppError } from '#api/errors.ts'
import { errorMessage, type Log } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import type { Settings } from '#api/settings.ts'
import { claimGeneration, newestGeneration, type StoredGeneration } from './copy-store.ts'

/** The parts of a context this needs. Stripe's client is made of them before there's a context. */
export type Copied = {
  settings: Pick<Settings, 'copies'>
  db: Db
  sqlite: Sqlite
  now(): Date
  newId(): string
  log: Log
}

type Known = {
  by: StoredGeneration | null
  /** No machine has the site yet. */
  isFirst: boolean
  /** Why the store couldn't be read the last time. */
  problem: string | null
  askedAt: number
  /** When this program was last seen running. Null where nothing watches. */
  seenAt: number | null
  /** It was away since the store was asked. */
  wasAway: boolean
  asking: Promise<void> | null
}

const knownOf = oncePer(
  (_: Sqlite): Known => ({
    by: null,
    isFirst: false,
    problem: null,
    askedAt: 0,
    seenAt: null,
    wasAway: false,
    asking: null,
  }),
)

/** Whether another machine has taken over. Then this one sends no mail, runs no job and calls no one. */
export const isReplaced = ({ sqlite }: Pick<Copied, 'sqlite'>): boolean => knownOf(sqlite).by !== null

export const replacedSentence = 'This site has moved to another server.'

const betweenMs = 60_000
/** What was known before that isn't relied on. */
const staleMs = 90_000
const betweenLooksMs = 1_000
/** Seen last longer ago than that, this program was stopped, or its machine slept: who knows what has happened since. */
const awayMs = 5_000
/** A store that doesn't answer must not hold up a site that's fine. */
const patienceMs = 5_000

/**
 * Waits for the store if it hasn't been asked lately, and throws if this copy has been replaced. Call it before anything that
 * reaches other people. Undefined where there's nothing to wait for.
 */
export function assertNotReplaced(ctx: Copied): Promise<void> | undefined {
  const asking = askIfStale(ctx)
  if (asking !== undefined) return asking.then(() => throwIfReplaced(ctx))
  throwIfReplaced(ctx)
}

function throwIfReplaced(ctx: Copied): void {
  if (isReplaced(ctx)) throw new AppError('busy', replacedSentence)
}

export function askIfStale(ctx: Copied): Promise<void> | undefined {
  if (ctx.settings.copies.store === null) return undefined
  const [known, now] = [knownOf(ctx.sqlite), ctx.now().getTime()]
  noteIfAway(known, now)
  return known.wasAway || Math.abs(now - known.askedAt) > staleMs ? askStore(ctx) : undefined
}

function noteIfAway(known: Known, now: number): void {
  if (known.seenAt === null || Math.abs(now - known.seenAt) <= awayMs) return
  // An answer from before counts no longer, even if it's only read now.
  Object.assign(known, { wasAway: true, seenAt: now, asking: null })
}

/** Asks at a server's start. The first machine ever has the site, so one that's set up later, beside it, doesn't start a second. */
export async function joinStore(ctx: Copied): Promise<void> {
  await askStore(ctx)
  const { store, machine } = ctx.settings.copies
  if (store === null || !knownOf(ctx.sqlite).isFirst) return
  try {
    const at = ctx.now().toISOString()
    await inTime(claimGeneration(openObjectStore(store), { ...generationOf(ctx), machine, at }))
  } catch (error) {
    ctx.log.warn('copies not looked at', { reason: errorMessage(error) })
  }
}

/** Asks every minute, and as soon as this program goes on after it was stopped. */
export function watchStore(ctx: Copied): { stop(): void } {
  if (ctx.settings.copies.store === null) return { stop: () => {} }
  const known = knownOf(ctx.sqlite)
  const look = () => {
    const now = ctx.now().getTime()
    noteIfAway(known, now)
    known.seenAt = now
    if (known.wasAway || Math.abs(now - known.askedAt) >= betweenMs) void askStore(ctx)
  }
  look()
  const timer = setInterval(look, betweenLooksMs)
  return { stop: () => clearInterval(timer) }
}

/** While the store can't be read, what was last known stays. */
export function askStore(ctx: Copied): Promise<void> {
  const known = knownOf(ctx.sqlite)
  if (known.asking !== null) return known.asking
  const asking = readStore(ctx).then((found) => {
    if (known.asking !== asking) return
    if (found.by && known.by === null) {
      const { machine, at } = found.by
      ctx.log.error('this copy has been replaced', { machine, at })
    }
    if (found.problem !== null && known.problem === null)
      ctx.log.warn('copies not looked at', { reason: found.problem })
    Object.assign(known, found, { askedAt: ctx.now().getTime(), wasAway: false, asking: null })
  })
  known.asking = asking
  return asking
}

async function readStore(ctx: Copied): Promise<Pick<Known, 'problem'> & Partial<Pick<Known, 'by' | 'isFirst'>>> {
  const { store } = ctx.settings.copies
  if (store === null) return { problem: null }
  try {
    const newest = await inTime(newestGeneration(openObjectStore(store)))
    const isBehind = newest !== null && isNewer(newest, generationOf(ctx))
    return { by: isBehind ? newest : null, isFirst: newest === null, problem: null }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The store doesn’t answer.')), patienceMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
