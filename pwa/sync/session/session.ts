import { follow } from '#pwa/sync/database.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { createEngine, type Engine } from '#pwa/sync/progress/engine.ts'
import { type MemberStore, openMemberStore, readFlush } from '#pwa/sync/progress/store.ts'
import {
  type DeviceStore,
  openDeviceStore,
  readDevice,
  readSession,
  type SessionRow,
  type StoreRow,
} from './device-store.ts'
import { inOneTab, leaveStores } from './leave.ts'
import { createOwedLogout, type OwedLogout } from './pending-logout.ts'
import { prepareStore } from './seal.ts'

export type SessionParts = {
  platform: Platform
  /** Forgets what is kept of a person outside his store: local storage, kept answers, caches, what is on screen. */
  wipeTraces(): Promise<void>
}

/** Who is logged in on this device, and his engine. */
export type SyncSession = {
  /**
   * To be awaited before anything personal is shown or sent: pays a logout that is still owed, else opens the store of
   * whoever was here last, with or without signal.
   */
  start(): Promise<Engine | null>
  /** After a login, and whenever the server has said who is logged in. Whoever was here before is sealed and wiped first. */
  enter(memberId: string, options?: { isReadOnly?: boolean }): Promise<Engine>
  /** Logs out, with or without signal. `owed`: done on this device; the server hears of it before anything else. */
  logout(): Promise<'done' | 'owed'>
  /** For every call that carries the session: while a logout is owed it is sent first, or nothing is. */
  fetch: Platform['fetch']
  /** Whether the server has yet to hear of a logout. */
  hasOwedLogout(): Promise<boolean>
  engine(): Engine | null
  /** Called when the engine changes, also because of another tab. Returns the end of it. */
  onChange(listener: () => void): () => void
  close(): void
}

export function createSession({ platform, wipeTraces }: SessionParts): SyncSession {
  const device = openDeviceStore(platform.database)
  const current = createCurrent()
  const owed = createOwedLogout({ platform, device, wipeTraces })
  const inTurn = createTurns()
  const gated = logoutFirst(owed, platform)
  const parts: EnterParts = { device, current, wipeTraces, platform: { ...platform, fetch: gated } }
  const stopWatching = watchOtherTabs(parts, inTurn)
  return {
    start: () => inTurn(() => comeBack(parts, owed)),
    enter: (memberId, { isReadOnly = false } = {}) =>
      inTurn(async () => {
        if (!(await owed.pay())) throw new Error('The last logout has not reached the server yet.')
        return enter(parts, { memberId, isReadOnly })
      }),
    logout: () =>
      inTurn(async () => {
        await device.session.put({ key: 'session', memberId: null, isLogoutOwed: true })
        current.set(null)
        return (await owed.pay()) ? 'done' : 'owed'
      }),
    fetch: gated,
    hasOwedLogout: async () => (await readSession(device)).isLogoutOwed,
    engine: current.get,
    onChange: current.onChange,
    close: () => {
      stopWatching()
      owed.stop()
      current.set(null)
      device.dexie.close()
    },
  }
}

/** Fails like a request without signal while the logout cannot be sent. */
const logoutFirst =
  (owed: OwedLogout, { fetch }: Platform): Platform['fetch'] =>
  async (path, init) => {
    if (!(await owed.pay())) throw new TypeError('The last logout goes first.')
    return fetch(path, init)
  }

type EnterParts = SessionParts & { device: DeviceStore; current: ReturnType<typeof createCurrent> }

/** Opens the store of whoever was here last, unless he has logged out. */
async function comeBack(parts: EnterParts, owed: OwedLogout): Promise<Engine | null> {
  const takeBack = async () => {
    const found = await readDevice(parts.device)
    const row = found.all.find(({ memberId }) => memberId === found.session.memberId)
    return { isOwed: found.session.isLogoutOwed, row, store: row && (await takeOver(parts, row, found)) }
  }
  // Asked for first: the turn comes while the browser still opens the database.
  let back = await inOneTab(parts.platform, takeBack)
  if (back.isOwed) {
    await owed.pay()
    back = await inOneTab(parts.platform, takeBack)
  }
  return back.row && back.store ? begin(parts, back.row, back.store) : null
}

async function enter(parts: EnterParts, row: StoreRow): Promise<Engine> {
  const { platform, current } = parts
  const engine = current.get()
  if (engine !== null && isFor(engine, row)) {
    // Logged in again, perhaps: what waited for that may go.
    if ((await readFlush(engine.store)).paused !== null) engine.syncNow().catch(platform.report)
    return engine
  }
  current.set(null)
  const store = await inOneTab(platform, async () => takeOver(parts, row, await readDevice(parts.device)))
  return begin(parts, row, store)
}

function begin({ platform, current }: EnterParts, row: StoreRow, store: MemberStore): Engine {
  const next = createEngine({ store, platform, isReadOnly: row.isReadOnly })
  current.set(next)
  next.start()
  return next
}

type Found = Awaited<ReturnType<typeof readDevice>>

/** Clears the device of everybody else, and readies this member's store. */
async function takeOver(parts: EnterParts, row: StoreRow, { session, all }: Found): Promise<MemberStore> {
  const { platform, device, wipeTraces } = parts
  const { memberId, isReadOnly } = row
  if (!isHisAlone({ session, all }, row)) {
    const left = await leaveStores({ device, platform }, memberId)
    if (left > 0 || (session.memberId !== null && session.memberId !== memberId)) await wipeTraces()
    await device.dexie.transaction('rw', device.stores, device.session, async () => {
      if ((await readSession(device)).isLogoutOwed) throw new Error('Another tab has just logged out.')
      await device.stores.put(row)
      await device.session.put({ key: 'session', memberId, isLogoutOwed: false })
    })
  }
  const store = openMemberStore(memberId, platform.database)
  await prepareStore({ device, platform }, store, !isReadOnly)
  return store
}

/** Whether the device knows him already and nobody else: there is nothing to clear, and nothing to write. */
const isHisAlone = ({ session, all }: Found, row: StoreRow) =>
  session.memberId === row.memberId &&
  !session.isLogoutOwed &&
  all.every(({ memberId, isReadOnly }) => memberId === row.memberId && isReadOnly === row.isReadOnly) &&
  all.length === 1

const isFor = ({ store, isReadOnly }: Engine, row: StoreRow) =>
  store.memberId === row.memberId && isReadOnly === row.isReadOnly && store.dexie.isOpen()

/** The engine of this tab, stopped and closed as soon as another takes its place. */
function createCurrent() {
  let engine: Engine | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => engine,
    set: (next: Engine | null) => {
      if (next === engine) return
      engine?.stop()
      engine?.store.dexie.close()
      engine = next
      for (const listener of listeners) listener()
    },
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Another tab that logs out, or logs somebody else in, ends this one's engine. */
function watchOtherTabs({ device, current, platform }: EnterParts, inTurn: Turns): () => void {
  // After a login of this tab that is under way, or its own change would look like another's.
  const read = () => inTurn(() => readSession(device))
  const changed = ({ memberId }: SessionRow) => {
    const engine = current.get()
    if (engine !== null && engine.store.memberId !== memberId) current.set(null)
  }
  return follow(device.dexie, read, { changed, failed: platform.report })
}

type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** One after the other, also after one that failed. */
function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}
