import type Dexie from 'dexie'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import '#pwa/testing/window.ts'
import { openDatabase } from './database.ts'
import { createSpare } from './spare.ts'
import { createPhone } from './testing/phone.ts'

const name = 'alliance-member-1'

type Row = { seq?: number; id: string }

function hide(): void {
  const showing = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  showing.mockRestore()
}

/** A database whose page can go on in memory. `load`: what the page does to get it. */
function setUp(load: () => Promise<void> = async () => {}, isNeeded = false) {
  const told: string[] = []
  const spare = createSpare({
    load: async () => {
      await load()
      return { indexedDB: new IDBFactory(), IDBKeyRange }
    },
    tell: (trouble) => void told.push(trouble),
    restart: () => void told.push('restart'),
    isShown: () => true,
    isReplaced: () => true,
    isNeeded,
  })
  const disk = new IDBFactory()
  const opening = vi.spyOn(disk, 'open')
  const dexie = openDatabase(name, { spare, indexedDB: disk, IDBKeyRange })
  dexie.version(1).stores({ outbox: '++seq' })
  const outbox = dexie.table<Row, number>('outbox')
  const ids = async () => (await outbox.toArray()).map(({ id }) => id)
  return { spare, told, dexie, outbox, ids, opening }
}

/** A write that the disk has no room for. */
const writeTooMuch = (dexie: Dexie, isInMemory: () => boolean) =>
  dexie.transaction('rw', dexie.tables, async () => {
    if (!isInMemory()) throw new DOMException('It’s full.', 'QuotaExceededError')
    await dexie.table('outbox').add({ id: 'big' })
  })

test('PROG-02 what’s written while the database moves to memory is in memory too', async () => {
  const [loading, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { spare, told, dexie, outbox, ids } = setUp(() => {
    loading.resolve()
    return loaded.promise
  })
  await outbox.add({ id: 'one' })
  const big = writeTooMuch(dexie, () => spare.has(name))
  await loading.promise
  await outbox.add({ id: 'two' })
  loaded.resolve()
  const late: Promise<number>[] = []
  while (!spare.has(name)) {
    late.push(Promise.resolve(outbox.add({ id: `late ${late.length}` })))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all([...late, big])
  expect(told).toEqual(['full'])
  const kept = await ids()
  expect(kept.slice(0, 2)).toEqual(['one', 'two'])
  expect(new Set(kept).size).toBe(late.length + 3)
  expect(kept).toHaveLength(late.length + 3)
  dexie.close()
})

test('memory that couldn’t be loaded is loaded at the next fault', async () => {
  const load = vi.fn(async () => {}).mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const { spare, dexie, outbox, ids } = setUp(load)
  await outbox.add({ id: 'one' })
  const write = () => writeTooMuch(dexie, () => spare.has(name))
  await expect(write()).rejects.toThrow('It’s full.')
  expect(await ids()).toEqual(['one'])
  await write()
  expect(await ids()).toEqual(['one', 'big'])
  dexie.close()
})

test('a connection lost after a cut-off is opened again before anything goes to memory', async () => {
  const { spare, told, dexie, outbox, ids, opening } = setUp()
  await outbox.add({ id: 'one' })
  let tries = 0
  await dexie.transaction('rw', outbox, async () => {
    tries += 1
    if (tries === 1) {
      // The app is hidden in the middle, and then the browser drops its connection.
      hide()
    }
    if (tries === 2) throw new DOMException('The connection was lost.', 'UnknownError')
    await outbox.add({ id: 'two' })
  })
  expect([tries, opening.mock.calls.length, told, spare.has(name)]).toEqual([3, 2, [], false])
  expect(await ids()).toEqual(['one', 'two'])
  dexie.close()
})

test('a long-lived page holds nothing of what it has written', async () => {
  const { dexie, outbox } = setUp()
  const results: WeakRef<object>[] = []
  for (let count = 0; count < 20; count++) {
    await dexie.transaction('rw', outbox, async () => {
      await outbox.add({ id: 'one' })
      const result = { bytes: new Uint8Array(1_000) }
      results.push(new WeakRef(result))
      return result
    })
  }
  const held = () => {
    Bun.gc(true)
    return results.filter((result) => result.deref() !== undefined).length
  }
  // The engine may leave one on its stack.
  await expect.poll(held, { timeout: 5_000 }).toBeLessThanOrEqual(2)
  dexie.close()
})

test('PROG-02 a tick that’s discarded in memory stays discarded on the next page', async () => {
  const world = startWorld()
  const videos = world.addVideos().flatMap(({ id, tierAccess }) => (tierAccess.includes('lite') ? [id] : []))
  const member = world.addMember({ tier: 'lite' })
  const phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  const openApp = () => phone.openApp({ ...phone.platform, database: { spare: setUp(undefined, true).spare } })
  const app = openApp()
  const engine = await app.enter(member.id)
  await engine.settled()
  phone.isOnline = false
  for (const id of videos) await engine.toggle(id, true)
  await engine.settled()
  const [one] = await engine.store.outbox.toArray()
  await engine.discard(one?.id)
  expect(phone.platform.storage.keys()).toHaveLength(videos.length - 1)
  await engine.discard()
  expect(phone.platform.storage.keys()).toEqual([])
  app.close()
  phone.isOnline = true
  const next = openApp()
  await (await next.enter(member.id)).syncNow()
  expect(world.ctx.sqlite.prepare('select videoId from video_progress').all()).toEqual([])
  next.close()
})
