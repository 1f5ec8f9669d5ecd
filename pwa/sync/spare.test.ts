import '#pwa/testing/window.ts'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from './database.ts'
import { canOpenStore } from './session/device-store.ts'
import { createSpare, type Factory } from './spare.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

type Browser = { isReplaced?: boolean; stored?: IDBDatabaseInfo[] }

/** A browser whose databases open as `open` does. */
function setUp(open: () => IDBOpenDBRequest, { isReplaced = true, stored = [] }: Browser = {}) {
  const told: string[] = []
  const spare = createSpare({
    load: async () => ({ indexedDB: new IDBFactory(), IDBKeyRange }),
    tell: (trouble) => void told.push(trouble),
    restart: () => void told.push('restart'),
    isShown: () => true,
    isReplaced: () => isReplaced,
    isNeeded: false,
  })
  const disk = new IDBFactory()
  const indexedDB: Factory = { open, deleteDatabase: disk.deleteDatabase, databases: async () => stored, cmp: disk.cmp }
  const count = async (name: string) => {
    const dexie = openDatabase(name, { spare, indexedDB, IDBKeyRange })
    dexie.version(1).stores({ outbox: '++seq' })
    try {
      await dexie.table('outbox').add({})
      return await dexie.table('outbox').count()
    } finally {
      dexie.close()
    }
  }
  return { told, spare, indexedDB, count }
}

/** One that never answers. */
const openForEver = () => Object.assign(new EventTarget(), { onsuccess: null }) as unknown as IDBOpenDBRequest

test('a browser that opens no database gets one in memory at once', async () => {
  const { told, spare, count } = setUp(() => {
    throw new DOMException('Blocked.', 'SecurityError')
  })
  expect(await count('one')).toBe(1)
  expect([spare.has('one'), spare.has('two'), told]).toEqual([true, false, ['broken']])
})

test('one that never answers is waited for three seconds, and the next for half a second', async () => {
  const { told, spare, count } = setUp(openForEver)
  const first = count('one')
  await vi.advanceTimersByTimeAsync(2_999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await first).toBe(1)
  const second = count('two')
  await vi.advanceTimersByTimeAsync(500)
  expect(await second).toBe(1)
  expect([spare.has('one'), spare.has('two'), told]).toEqual([true, true, ['broken', 'broken']])
})

test('one that waits behind a page that’s gone, for a tab with an older version, isn’t called broken', async () => {
  const { told, count } = setUp(openForEver, { stored: [{ name: 'one', version: 1 }] })
  const first = count('one')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await first).toBe(1)
  expect(told).toEqual(['blocked'])
})

test('what mustn’t be in memory is tried once more, and fails', async () => {
  const { spare, count } = setUp(openForEver, { isReplaced: false })
  const failing = expect(count('one')).rejects.toThrow()
  let isOver = false
  void failing.then(() => {
    isOver = true
  })
  // The second try begins once the first one's failure has come through, which takes no time on this clock.
  for (let step = 0; step < 40 && !isOver; step += 1) await vi.advanceTimersByTimeAsync(500)
  await failing
  expect(spare.has('one')).toBe(false)
})

test('whether a browser stores anything is known after three seconds', async () => {
  const { indexedDB } = setUp(openForEver)
  const asking = canOpenStore({ indexedDB, IDBKeyRange })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await asking).toBe(false)
  expect(await canOpenStore({ indexedDB: new IDBFactory(), IDBKeyRange })).toBe(true)
})
