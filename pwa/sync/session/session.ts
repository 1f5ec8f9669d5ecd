import { loadFile } from '#pwa/lib/load-file.ts'
import { storeName, unwiped } from '#pwa/lib/unwiped.ts'
import { isClosing, watchDatabase } from '#pwa/sync/database.ts'
import { createMutex, type RunExclusive, withSessionLock } from '#pwa/sync/locks.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { createEngine, type Engine } from '#pwa/sync/progress/engine.ts'
import { enterJotted } from '#pwa/sync/progress/jotted.ts'
import { type NewSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { changeFlush, type MemberStore, openMemberStore, readFlush } from '#pwa/sync/progress/store.ts'
import { followingQueues } from '#pwa/sync/queues.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import { createCurrentEngine } from './current-engine.ts'
import {
  type DeviceStore,
  openDeviceStore,
  readDevice,
  readSession,
  type SessionRow,
  type StoreRow,
} from './device-store.ts'
import { createPendingLogout, type PendingLogout } from './pending-logout.ts'
import { type LoginWord, prepareStore } from './seal.ts'
import { isWorkSealed, leaveStores, postLogout, type WipeTraces, wipeAgain } from './wipe.ts'

export type SessionParts = {
  platform: Platform
  wipeTraces: WipeTraces
  /** Another tab has logged out, or logged someone else in, so this one shows no one any more. */
  onLeftElsewhere?(): void
}

export type SyncSession = {
  /**
   * Await it before showing or sending anything personal. Finishes a pending logout, or else opens the store of the last member to
   * log in here, with or without signal.
   */
  start(): Promise<Engine | null>
  /**
   * Call it after a login, and whenever the server has said who's logged in. Seals and wipes another member's store first. Without
   * access nothing is sent automatically, because the server would refuse it.
   */
  enter(memberId: string, options?: EnterOptions): Promise<Engine>
  /** Logs out, with or without signal. `pending`: done on this device; we tell the server before sending anything else. */
  logout(): Promise<'done' | 'pending'>
  /** Wipes from this device what an owner viewed as a member. The server isn't involved: it ends the view on its own clock. */
  leaveView(): Promise<void>
  fetch: Platform['fetch']
  /** Whether this tab's person is still the device's. A suspended page may have missed a change. */
  isStillHere(): Promise<boolean>
  /** Whether someone is being logged in or out. */
  isBusy(): boolean
  hasPendingLogout(): Promise<boolean>
  /** Whether ticks not sent before a logout outlive this page. Not if the device's store is in memory. */
  keepsTicks(): boolean
  /** Whether what an owner hadn't saved does. */
  keepsWork(): boolean
  engine(): Engine | null
  /** Calls `listener` when the engine changes, including because of another tab. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  close(): void
}

/**
 * `viewer`: the owner who views as this member, whose own store stays on the device meanwhile. `user`: who the member is, kept at
 * once, since a first opening shows nothing before it.
 */
export type EnterOptions = {
  isReadOnly?: boolean
  hasAccess?: boolean
  viewer?: string | undefined
  user?: NewSnapshot
}

export function createSession({ platform, wipeTraces, onLeftElsewhere }: SessionParts): SyncSession {
  const device = openDeviceStore(platform.database)
  const current = createCurrentEngine()
  const pendingLogout = createPendingLogout({ platform, device, wipeTraces })
  const mutex = createMutex()
  const { runExclusive, isBusy } = countWork(mutex)
  const fetch = fetchAfterLogout(pendingLogout, platform)
  const parts: EnterParts = { device, current, wipeTraces, onLeftElsewhere, platform: { ...platform, fetch } }
  const keepsTicks = () => platform.subtle !== null && platform.database.spare?.has(device.dexie.name) !== true
  const others = followOtherTabs({ ...parts, pendingLogout }, mutex)
  return {
    start: () => start(parts, pendingLogout, runExclusive),
    enter: (memberId, { isReadOnly = false, hasAccess = true, viewer, user } = {}) =>
      runExclusive(async () => {
        if (!(await pendingLogout.finish())) throw new Error('The last logout has not reached the server yet.')
        return enterStore(parts, { memberId, isReadOnly }, { hasAccess, viewer, user })
      }),
    logout: () =>
      runExclusive(async () => {
        pendingLogout.hear({ isLogoutOwed: true })
        await device.session.put({ key: 'session', memberId: null, isLogoutOwed: true })
        current.set(null)
        return (await pendingLogout.finish()) ? 'done' : 'pending'
      }),
    leaveView: () => runExclusive(() => leaveView(parts)),
    fetch,
    isStillHere: others.isStillHere,
    isBusy,
    hasPendingLogout: async () => (await readSession(device)).isLogoutOwed,
    keepsTicks,
    keepsWork: () => keepsTicks() && isWorkSealed(),
    engine: current.get,
    onChange: current.onChange,
    close: () => {
      others.stop()
      pendingLogout.stop()
      current.end()
      device.dexie.close()
    },
  }
}

function countWork(mutex: RunExclusive): { runExclusive: RunExclusive; isBusy: () => boolean } {
  let underWay = 0
  return {
    isBusy: () => underWay > 0,
    runExclusive: (work) => {
      underWay += 1
      return mutex(work).finally(() => {
        underWay -= 1
      })
    },
  }
}

/** For a browser that stores nothing for this site: each page requests everything again, and there's no engine. */
export function createStorelessSession(platform: Platform): SyncSession {
  return {
    start: async () => null,
    enter: async () => {
      throw new Error('This browser keeps nothing for this site.')
    },
    logout: async () => ((await postLogout(platform)) ? 'done' : 'pending'),
    leaveView: async () => {},
    fetch: platform.fetch,
    isStillHere: async () => false,
    isBusy: () => false,
    hasPendingLogout: async () => false,
    keepsTicks: () => false,
    keepsWork: () => false,
    engine: () => null,
    onChange: () => () => {},
    close: () => {},
  }
}

/** Fails like a request without signal while the logout can't be sent. */
function fetchAfterLogout(pendingLogout: PendingLogout, { fetch }: Platform): Platform['fetch'] {
  return async (path, init) => {
    if (!(await pendingLogout.finish())) throw new TypeError('The last logout goes first.')
    return fetch(path, init)
  }
}

type EnterParts = SessionParts & { device: DeviceStore; current: ReturnType<typeof createCurrentEngine> }

/** Opens the store of the last member to log in here, unless they've logged out. */
async function resumeSession(parts: EnterParts, pendingLogout: PendingLogout): Promise<Engine | null> {
  const openLast = async () => {
    const found = await readDevice(parts.device)
    pendingLogout.hear(found.session)
    // We show what an owner viewed as a member again only once the server has said they still may.
    const row = found.all.find(({ memberId, isReadOnly }) => memberId === found.session.memberId && !isReadOnly)
    return { isLogoutPending: found.session.isLogoutOwed, row, store: row && (await takeOver(parts, row, found)) }
  }
  // Requests the lock before the database is open, so that the browser does both at the same time.
  let last = await withSessionLock(parts.platform, openLast)
  if (last.isLogoutPending) {
    await pendingLogout.finish()
    last = await withSessionLock(parts.platform, openLast)
  }
  return last.row && last.store ? startEngine(parts, last.row, last.store) : null
}

async function enterStore(
  parts: EnterParts,
  row: StoreRow,
  { hasAccess, viewer, user }: Pick<EnterOptions, 'viewer' | 'user'> & { hasAccess: boolean },
): Promise<Engine> {
  const { platform, current } = parts
  const engine = current.get()
  if (engine !== null && isFor(engine, row)) {
    const { store } = engine
    const { paused } = await store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
      if (user) await saveSnapshot(store, 'user', user)
      return readFlush(store)
    })
    // There may be a new login, or access again, so we may send what was paused without it.
    if (hasAccess && paused !== null) {
      await changeFlush(store, { paused: null })
      engine.syncNow().catch(platform.report)
    }
    return engine
  }
  current.set(null)
  const as = { word: { paused: hasAccess ? null : ('access' as const), user }, viewer }
  const store = await withSessionLock(platform, async () => {
    // The member is back, so the store is theirs to use again.
    unwiped.note(storeName(row.memberId), false)
    return takeOver(parts, row, await readDevice(parts.device), as)
  })
  return startEngine(parts, row, store)
}

class LoggedOutMeanwhile extends Error {
  override message = 'Another tab has just logged out.'
}

async function start(parts: EnterParts, pendingLogout: PendingLogout, runExclusive: RunExclusive) {
  const resume = () => resumeSession(parts, pendingLogout)
  const engine = await runExclusive(() =>
    // The page was left while it opened, and another has logged out since. What it opens now is what's here now.
    resume().catch((error: unknown) => {
      const isLate = error instanceof LoggedOutMeanwhile || (isClosing(error) && !hasEnded(parts.device.dexie))
      return isLate ? resume() : Promise.reject(error)
    }),
  )
  if (unwiped.read().length > 0)
    runExclusive(() => wipeLeft(parts)).catch((error) => isClosing(error) || parts.platform.report(error))
  return engine
}

/** Nobody waits for it. A login does, so that it doesn't wipe what the member opens. */
const wipeLeft = ({ device, platform, current }: EnterParts) =>
  withSessionLock(platform, async () => {
    if (!current.hasEnded()) await wipeAgain({ device, platform })
  })

async function leaveView({ platform, device, current, wipeTraces }: EnterParts): Promise<void> {
  current.set(null)
  await withSessionLock(platform, async () => {
    const { session, all } = await readDevice(device)
    // Another tab may have moved on to someone who's logged in here.
    if (!all.some(({ memberId, isReadOnly }) => isReadOnly && memberId === session.memberId)) return
    const viewer = all.find(({ isReadOnly }) => !isReadOnly)?.memberId
    await leaveStores({ device, platform }, viewer === undefined ? [] : [viewer])
    await wipeTraces({ isView: viewer !== undefined })
    await device.session.put({ ...session, key: 'session', memberId: null })
  })
}

function startEngine({ platform, current }: EnterParts, row: StoreRow, store: MemberStore): Engine {
  if (current.hasEnded()) {
    store.dexie.close()
    throw new Error('This page has closed.')
  }
  const next = createEngine({ store, platform, following: followingQueues, isReadOnly: row.isReadOnly })
  current.set(next)
  next.start()
  return next
}

type Found = Awaited<ReturnType<typeof readDevice>>

async function takeOver(
  parts: EnterParts,
  row: StoreRow,
  { session, all, sealed }: Found,
  as?: { word: LoginWord; viewer: string | undefined },
): Promise<MemberStore> {
  const { platform, device, wipeTraces } = parts
  const { memberId, isReadOnly } = row
  // A view leaves what its owner has here, and its end finds it again.
  const own = isReadOnly ? as?.viewer : memberId
  const isHere = all.some((one) => one.memberId === own && !one.isReadOnly)
  if (!hasOnlyMember({ session, all }, row)) {
    const stays = own && isHere ? [memberId, own] : [memberId]
    const mustLeave = all.some((one) => !stays.includes(one.memberId))
    const left = mustLeave ? await leaveStores({ device, platform }, stays) : 0
    // A store that couldn't be wiped earlier is here, too.
    const wasView = all.some((one) => one.isReadOnly && one.memberId === session.memberId)
    if (left > 0 || (session.memberId !== null && session.memberId !== memberId))
      await wipeTraces({ isView: isHere && (isReadOnly || wasView) })
    await device.dexie.transaction('rw', device.stores, device.session, async () => {
      const now = await readSession(device)
      // This page may have been left in between, and its lock with it.
      if (now.isLogoutOwed || now.memberId !== session.memberId) throw new LoggedOutMeanwhile()
      await device.stores.put(row)
      await device.session.put({ key: 'session', memberId, isLogoutOwed: false })
    })
  }
  const store = openMemberStore(memberId, platform.database)
  await prepareStore({ device, platform }, store, { mayBeSealed: !isReadOnly && sealed > 0, word: as?.word })
  if (!isReadOnly) await enterJotted(store, platform)
  if (!isReadOnly && sealed > 0)
    await restoreSealed({ device, platform }, store).catch((error) => isClosing(error) || platform.report(error))
  return store
}

/** In files of their own, as what seals them is. Without those it stays sealed until the next opening. */
async function restoreSealed(sealer: { device: DeviceStore; platform: Platform }, store: MemberStore) {
  const { restoreQuestions } = await loadFile(() => import('./sealed-questions.ts'))
  await restoreQuestions(sealer, store)
  const { restoreOwnerWork } = await loadFile(() => import('./sealed-owner-work.ts'))
  await restoreOwnerWork(sealer, store.memberId)
}

const hasOnlyMember = ({ session, all }: Pick<Found, 'session' | 'all'>, row: StoreRow) =>
  session.memberId === row.memberId &&
  !session.isLogoutOwed &&
  all.every(({ memberId, isReadOnly }) => memberId === row.memberId && isReadOnly === row.isReadOnly) &&
  all.length === 1

const isFor = ({ store, isReadOnly }: Engine, row: StoreRow) =>
  store.memberId === row.memberId && isReadOnly === row.isReadOnly && !hasEnded(store.dexie)

/** If another tab logs out, or logs another member in, that ends this tab's engine. */
function followOtherTabs(
  { device, current, platform, onLeftElsewhere, pendingLogout }: EnterParts & { pendingLogout: PendingLogout },
  runExclusive: RunExclusive,
) {
  const changed = ({ memberId, isLogoutOwed }: SessionRow) => {
    pendingLogout.hear({ isLogoutOwed })
    const engine = current.get()
    if (engine === null || engine.store.memberId === memberId) return
    current.set(null)
    onLeftElsewhere?.()
  }
  // Waits for a running login in this tab, because its change would look like another tab's.
  const read = () => runExclusive(() => readSession(device))
  return {
    // `start` reads it first.
    stop: watchDatabase(device.dexie, read, { changed, failed: platform.report, isKnown: true }),
    isStillHere: async () => {
      changed(await read())
      return current.get() !== null
    },
  }
}
