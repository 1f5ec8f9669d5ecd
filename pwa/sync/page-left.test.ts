import '#pwa/testing/window.ts'
import { IDBKeyRange } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { noteDepartures } from '#pwa/lib/leaving.ts'
import { fetchWhileHere, isPageLeft } from '#pwa/lib/page-life.ts'
import { createBrowserPlatform } from './browser-platform.ts'
import { watchDatabase } from './database.ts'
import { createKillable } from './testing/killable.ts'
import { createLocks, createPhone } from './testing/phone.ts'

const isShown = { value: true }
Object.defineProperty(document, 'visibilityState', {
  configurable: true,
  get: () => (isShown.value ? 'visible' : 'hidden'),
})

const leave = () => window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }))
const comeBack = () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
function show(value: boolean): void {
  isShown.value = value
  document.dispatchEvent(new Event('visibilitychange'))
}

afterEach(() => {
  vi.useRealTimers()
  show(true)
  comeBack()
})

/** A phone whose open transactions are counted. */
function setUp() {
  const world = startWorld()
  const videos = world.addVideos().flatMap(({ id, tierAccess }) => (tierAccess.includes('lite') ? [id] : []))
  const member = world.addMember({ tier: 'lite' })
  const phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  const open = new Set<IDBTransaction>()
  let begun = 0
  let onOpen = () => {}
  const request = (name: string, version?: number) => {
    const opening = phone.idb.open(name, version)
    opening.addEventListener('success', () => {
      const begin = opening.result.transaction.bind(opening.result)
      opening.result.transaction = (...args: Parameters<typeof begin>) => {
        const transaction = begin(...args)
        begun += 1
        open.add(transaction)
        onOpen()
        for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => open.delete(transaction))
        return transaction
      }
    })
    return opening
  }
  const indexedDB = {
    open: request,
    deleteDatabase: (name: string) => phone.idb.deleteDatabase(name),
    databases: () => phone.idb.databases(),
    cmp: (one: unknown, other: unknown) => phone.idb.cmp(one, other),
  }
  const platform = { ...phone.platform, database: { indexedDB, IDBKeyRange } }
  /** Resolves in the middle of the next transaction. */
  const opened = () =>
    new Promise<void>((resolve) => {
      onOpen = resolve
    })
  const sent = () =>
    world.ctx.sqlite
      .prepare<[], { videoId: string }>('select videoId from video_progress where completed = 1')
      .all()
      .map(({ videoId }) => videoId)
  return { world, phone, member, videos, platform, open, opened, begun: () => begun, sent }
}

/** A tab in the middle of a tick and a read, both of which have asked something of the database. */
async function openBusyTab() {
  const parts = setUp()
  const { phone, member, videos, platform, opened, sent } = parts
  const tab = await phone.openTab(member.id, platform)
  const busy = [tab.tick(videos[0] ?? '', true), tab.shown()]
  await opened()
  /** Both are done, and so is a second video's tick since. */
  async function expectDone(later: Promise<void>) {
    await Promise.all([...busy, later])
    expect(await tab.shown()).toEqual({ [videos[0] ?? '']: true, [videos[1] ?? '']: true })
    await tab.engine.syncNow()
    expect(sent().sort()).toEqual(videos.slice(0, 2).sort())
    expect(phone.faults).toEqual([])
    tab.close()
  }
  return { ...parts, tab, expectDone }
}

test('PROG-02 a page that’s left holds no transaction and begins none; back on it, what was cut off is done', async () => {
  const { videos, open, begun, tab, expectDone } = await openBusyTab()
  leave()
  await vi.waitUntil(() => open.size === 0)
  const before = begun()
  const later = tab.tick(videos[1] ?? '', true)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect([open.size, begun()]).toEqual([0, before])
  comeBack()
  await expectDone(later)
})

test('PROG-02 back on a page whose browser never tells of what was cut off, it’s done, and so is what’s asked for since', async () => {
  const { videos, open, tab, expectDone } = await openBusyTab()
  // As in WebKit: it has ended, but no event comes, of it or of what was asked of it.
  for (const lost of open) Object.assign(lost, { _start: () => {}, abort: () => {}, _state: 'finished' })
  expect(open.size).toBeGreaterThan(0)
  leave()
  comeBack()
  await expectDone(tab.tick(videos[1] ?? '', true))
})

/** As WebKit has it: what comes while the page is frozen is lost. */
class LossyChannel {
  static posted = Promise.withResolvers<void>()
  static lost = 0
  port1 = Object.assign(new EventTarget(), { onmessage: () => {}, close: () => {} })
  port2 = { postMessage: () => this.send() }
  constructor() {
    this.port1.addEventListener('message', () => this.port1.onmessage())
  }
  send() {
    LossyChannel.posted.resolve()
    setImmediate(() => {
      if (isPageLeft()) LossyChannel.lost += 1
      else this.port1.dispatchEvent(new Event('message'))
    })
  }
}

test('PROG-02 back on a page that was left just before a read, whose message the browser lost, it’s read', async () => {
  vi.stubGlobal('MessageChannel', LossyChannel)
  await import('#pwa/lib/kept-messages.ts')
  const { phone, member, platform } = setUp()
  const tab = await phone.openTab(member.id, platform)
  LossyChannel.posted = Promise.withResolvers()
  const reading = tab.shown()
  await LossyChannel.posted.promise
  leave()
  await vi.waitUntil(() => LossyChannel.lost > 0)
  comeBack()
  expect(await reading).toEqual({})
  vi.unstubAllGlobals()
  tab.close()
})

test('PROG-02 back on a page that was left in the middle of reading, a tick shows within a second', async () => {
  const { phone, member, videos, platform, opened } = setUp()
  const tab = await phone.openTab(member.id, platform)
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const seen: number[] = []
  const stop = watchDatabase(tab.store.dexie, () => tab.store.progress.count(), {
    changed: (count) => void seen.push(count),
    failed: (error) => phone.faults.push(error),
  })
  const reading = opened()
  vi.advanceTimersByTime(1)
  await reading
  leave()
  vi.advanceTimersByTime(3_600_000)
  comeBack()
  await vi.waitUntil(() => seen.length > 0, { timeout: 60_000 })
  await tab.tick(videos[0] ?? '', true)
  for (let turn = 0; turn < 20; turn++) {
    vi.advanceTimersByTime(50)
    for (let step = 0; step < 20; step++) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(seen.at(-1)).toBe(1)
  expect(phone.faults).toEqual([])
  stop()
  tab.close()
})

test('PROG-02 a hidden page ends what’s open straight away, and does it again', async () => {
  const { phone, member, videos, platform, open, opened } = setUp()
  const tab = await phone.openTab(member.id, platform)
  const ticking = tab.tick(videos[0] ?? '', true)
  await opened()
  const before = [...open]
  const ended = Promise.all(before.map((one) => new Promise((resolve) => one.addEventListener('abort', resolve))))
  show(false)
  await Promise.all([ended, ticking])
  expect(await tab.shown()).toEqual({ [videos[0] ?? '']: true })
  tab.close()
})

test('PROG-01 PROG-02 what was ticked and watched on a page that never comes back is entered at the next opening, once', async () => {
  const { world, phone, member, videos, sent } = setUp()
  const first = phone.openApp()
  const engine = await first.enter(member.id)
  await engine.settled()
  first.close()
  // The page is gone before its database has answered.
  const gone = createKillable(phone.platform, phone.idb)
  const lost = phone.openApp(gone.platform)
  const dying = await lost.start()
  await dying?.settled()
  const storage = new Map<string, string>()
  const keep = { ...phone.platform.storage, setItem: (key: string, value: string) => void storage.set(key, value) }
  gone.platform.storage.setItem = keep.setItem
  dying?.toggle(videos[0] ?? '', true).catch(() => {})
  dying?.savePosition(videos[1] ?? '', 83, true).catch(() => {})
  gone.kill()
  expect(storage.size).toBe(2)
  phone.freeLocks()

  const next = createPhone(world)
  next.cookie = world.signIn(member).cookie
  const platform = { ...next.platform, database: { indexedDB: phone.idb, IDBKeyRange } }
  for (const [key, value] of storage) platform.storage.setItem(key, value)
  const app = next.openApp(platform)
  const fresh = await app.start()
  await fresh?.syncNow()
  expect(sent()).toEqual([videos[0]])
  expect(platform.storage.keys()).toEqual([])
  const positions = world.ctx.sqlite.prepare<[], { seconds: number }>('select seconds from video_positions').all()
  expect(positions).toEqual([{ seconds: 83 }])
  // The same note again changes nothing: its tick has been undone since.
  await fresh?.toggle(videos[0] ?? '', false)
  await fresh?.syncNow()
  for (const [key, value] of storage) platform.storage.setItem(key, value)
  app.close()
  const again = next.openApp(platform)
  const last = await again.start()
  await last?.syncNow()
  expect(sent()).toEqual([])
  again.close()
})

test('MEMB-10 a page that’s left still sends, unless a logout may go first: it can’t ask its store', async () => {
  const { phone, member, platform } = setUp()
  const owes = { logout: false }
  const app = phone.openApp({ ...platform, mayOweLogout: () => owes.logout })
  await (await app.enter(member.id)).settled()
  leave()
  const sending = app.fetch('/api/auth/user', { credentials: 'include' })
  await expect(sending.then(({ ok }) => ok)).resolves.toBe(true)
  owes.logout = true
  const waiting = vi.fn()
  const asking = app.fetch('/api/auth/user', { credentials: 'include' }).then(waiting)
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(waiting).not.toHaveBeenCalled()
  comeBack()
  await asking
  app.close()
})

test('PROG-02 a page that’s left lets go of its locks and of those it waits for, and asks again once it’s back', async () => {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: createLocks() })
  const { locks } = createBrowserPlatform()
  const signal = new AbortController().signal
  const log: string[] = []
  const work = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const held = locks.request('one', { signal }, (lost) => {
    begun.resolve()
    lost.addEventListener('abort', () => log.push('lost'))
    return work.promise
  })
  const waiting = locks.request('one', { signal }, async () => void log.push('waited'))
  await begun.promise
  leave()
  await navigator.locks.request('one', { signal }, async () => void log.push('other page'))
  expect(log).toEqual(['lost', 'other page'])
  comeBack()
  await waiting
  work.resolve()
  await held
  expect(log).toEqual(['lost', 'other page', 'waited'])
})

test('PROG-02 a request that the page’s own leaving ended is no failure', async () => {
  vi.useFakeTimers()
  let attempts = 0
  const cancelled = () => {
    attempts += 1
    return attempts === 1 ? Promise.reject(new TypeError('cancelled')) : Promise.resolve(new Response('now'))
  }
  const outcome: string[] = []
  const asking = fetchWhileHere({}, cancelled).then(
    async (response) => outcome.push(await response.text()),
    () => outcome.push('failed'),
  )
  // The browser has told the page nothing yet.
  await vi.advanceTimersByTimeAsync(100)
  leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(outcome).toEqual([])
  comeBack()
  await vi.advanceTimersByTimeAsync(1_000)
  await asking
  expect(outcome).toEqual(['now'])
  // On a page that stays it is one.
  const failing = fetchWhileHere({}, () => Promise.reject(new TypeError('no line'))).catch(() => outcome.push('failed'))
  await vi.advanceTimersByTimeAsync(1_000)
  await failing
  expect(outcome).toEqual(['now', 'failed'])
  // A navigation may take its time.
  const cut = () => {
    window.dispatchEvent(new Event('beforeunload'))
    return Promise.reject(new TypeError('cancelled'))
  }
  const slow = fetchWhileHere({}, cut).catch(() => outcome.push('late'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(outcome).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(6_000)
  await slow
  expect(outcome).toEqual(['now', 'failed', 'late'])
})

test('PROG-02 back on a page, a failure is told as soon as on one that stayed', async () => {
  vi.useFakeTimers()
  noteDepartures()
  leave()
  comeBack()
  const outcome: string[] = []
  fetchWhileHere({}, () => Promise.reject(new TypeError('no line'))).catch(() => outcome.push('failed'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(outcome).toEqual(['failed'])
})
