import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { Locks, Platform, WakeReason } from '#pwa/sync/platform.ts'
import { createEngine, type Engine } from '#pwa/sync/progress/engine.ts'
import { readStored, type SyncState } from '#pwa/sync/progress/status.ts'
import { type MemberStore, openMemberStore, readFlush } from '#pwa/sync/progress/store.ts'
import { followingQueues } from '#pwa/sync/queues.ts'
import { openDeviceStore } from '#pwa/sync/session/device-store.ts'
import { prepareStore } from '#pwa/sync/session/seal.ts'
import { createSession, type SyncSession } from '#pwa/sync/session/session.ts'
import { createNetwork, type Network } from './network.ts'

export type PhoneWorld = {
  ctx: { now(): Date }
  handle(request: Request): Promise<Response>
  forward(ms: number): void
}

export type PhoneOptions = {
  /** How wrong its clock is, ms. */
  skew?: number
  /** From 0 up to 1; defaults to always a half. */
  random?: () => number
  /** Called with every request as it reaches the server. */
  onArrival?: (path: string, body: unknown) => void
}

/** One device: its clock, its storage, its signal. Tabs open and close; what they stored stays. */
export type Phone = {
  network: Network
  platform: Platform
  /** The cookie in its browser; null after a logout. */
  cookie: string | null
  isOnline: boolean
  skew: number
  idb: IDBFactory
  faults: unknown[]
  backgroundSyncs: number
  /** Titles of the videos whose completion was counted. */
  completions: string[]
  wipes: number
  /** Whether the last of them left the kept videos. */
  /** Whether the last wipe was for a view. */
  isView: boolean
  wake(reason: Extract<WakeReason, 'online' | 'visible'>): void
  /** Moves the world's time, and runs this phone's due timers. */
  wait(ms: number): void
  openTab(memberId: string, platform?: Platform): Promise<Tab>
  /** Releases dead tabs' locks, as a browser does. */
  freeLocks(): void
  openApp(platform?: Platform): SyncSession
  databases(): Promise<string[]>
}

export type Tab = {
  engine: Engine
  store: MemberStore
  tick(videoId: string, completed: boolean): Promise<void>
  shown(): Promise<Record<string, boolean>>
  state(): Promise<SyncState>
  close(): void
}

export function createPhone(world: PhoneWorld, options: PhoneOptions = {}): Phone {
  const { skew = 0, random = () => 0.5, onArrival = () => {} } = options
  const boot = world.ctx.now().getTime()
  const idb = new IDBFactory()
  const locks = createLocks()
  const timers = createTimers(() => world.ctx.now().getTime())
  const wakers = new Set<(reason: 'online' | 'visible') => void>()
  const network = createNetwork(async (path, init) => {
    const headers = new Headers(init.headers)
    if (phone.cookie !== null && init.credentials !== 'omit') headers.set('cookie', phone.cookie)
    const { method, body } = init
    onArrival(path, typeof body === 'string' ? JSON.parse(body) : null)
    const response = await world.handle(
      new Request(`http://localhost${path}`, { method: method ?? 'GET', headers, ...(body ? { body } : {}) }),
    )
    if (path === '/api/auth/logout' && response.ok) phone.cookie = null
    return response
  })
  const phone: Phone = {
    network,
    cookie: null,
    isOnline: true,
    skew,
    idb,
    faults: [],
    backgroundSyncs: 0,
    completions: [],
    wipes: 0,
    isView: false,
    platform: {
      fetch: network.fetch,
      wall: () => world.ctx.now().getTime() + phone.skew,
      monotonic: () => world.ctx.now().getTime() - boot,
      random,
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      after: timers.after,
      locks,
      isOnline: () => phone.isOnline,
      onWake: (wake) => {
        wakers.add(wake)
        return () => void wakers.delete(wake)
      },
      requestBackgroundSync: () => void phone.backgroundSyncs++,
      countCompletion: (title) => void phone.completions.push(title),
      report: (error) => void phone.faults.push(error),
      subtle: crypto.subtle,
      database: { indexedDB: idb, IDBKeyRange },
      storage: createStorage(),
      mayOweLogout: () => true,
    },
    wake: (reason) => {
      for (const wake of [...wakers]) wake(reason)
    },
    wait: (ms) => {
      world.forward(ms)
      timers.runDue()
    },
    openTab: (memberId, own) => openTab(own ?? phone.platform, memberId),
    freeLocks: locks.free,
    openApp: (own) =>
      createSession({
        platform: own ?? phone.platform,
        wipeTraces: async (by) => {
          phone.wipes += 1
          phone.isView = by?.isView ?? false
        },
      }),
    databases: async () => (await idb.databases()).map(({ name }) => name ?? '').sort(),
  }
  return phone
}

async function openTab(platform: Platform, memberId: string): Promise<Tab> {
  const device = openDeviceStore(platform.database)
  const store = openMemberStore(memberId, platform.database)
  await prepareStore({ device, platform }, store, { mayBeSealed: (await device.sealed.count()) > 0 })
  device.dexie.close()
  const engine = createEngine({ store, platform, following: followingQueues })
  return {
    engine,
    store,
    tick: (videoId, completed) => engine.toggle(videoId, completed),
    shown: async () => {
      const rows = [...(await readStored(store)).progress].filter(([, { tick }]) => tick.kind !== 'refused')
      return Object.fromEntries(rows.map(([videoId, { completed }]) => [videoId, completed]))
    },
    state: async () => (await readStored(store)).sync,
    close: () => {
      engine.stop()
      store.dexie.close()
    },
  }
}

export const failuresOf = async ({ store }: Tab) => (await readFlush(store)).attempts

function createStorage(): Platform['storage'] {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  }
}

function createTimers(now: () => number) {
  const timers = new Set<{ at: number; run: () => void }>()
  return {
    after: (ms: number, run: () => void) => {
      const timer = { at: now() + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    runDue: () => {
      for (const timer of [...timers].filter(({ at }) => at <= now()).sort((a, b) => a.at - b.at)) {
        if (timers.delete(timer)) timer.run()
      }
    },
  }
}

/** Web Locks as in one browser: granted in order, skipping aborted requests. */
export function createLocks(): Locks & { free(): void } {
  const last = new Map<string, Promise<unknown>>()
  return {
    free: () => last.clear(),
    // Who waits for as long as it takes gives no signal.
    request: async (name, { signal = new AbortController().signal }, run) => {
      signal.throwIfAborted()
      const before = last.get(name) ?? Promise.resolve()
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason))
      const current = Promise.race([before, aborted]).then(() => {
        signal.throwIfAborted()
        return run(new AbortController().signal)
      })
      last.set(name, Promise.allSettled([before, current]))
      return current
    },
  }
}
