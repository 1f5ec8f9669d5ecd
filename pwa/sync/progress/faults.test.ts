import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { createPhone, type Phone, type Tab } from '#pwa/sync/testing/phone.ts'

let world: World
let phone: Phone
let member: TestPerson
let videos: string[]
let tab: Tab

beforeEach(async () => {
  world = startWorld()
  videos = world.addVideos().flatMap(({ id, tierAccess }) => (tierAccess.includes('lite') ? [id] : []))
  member = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  tab = await phone.openTab(member.id)
  // It's waiting on the phone when the fault happens.
  phone.isOnline = false
  await tab.tick(video(0), true)
})

afterEach(() => tab.close())

const video = (index: number) => videos[index] ?? ''
const name = () => `alliance-member-${member.id}`

/** What a freshly opened app shows, and what the server has once there's signal. */
async function afterwards() {
  tab.close()
  tab = await phone.openTab(member.id)
  const shown = await tab.shown()
  phone.isOnline = true
  await tab.engine.syncNow()
  const rows = world.ctx.sqlite.prepare<[], { videoId: string }>('select videoId from video_progress').all()
  return { shown, stored: rows.map(({ videoId }) => videoId) }
}

const firstAlone = () => ({ shown: { [video(0)]: true }, stored: [video(0)] })

test('PROG-02 on a full phone a tick that could not be stored is an error and never shows, and what waited is sent', async () => {
  const full = () => {
    throw new DOMException('The phone is full.', 'QuotaExceededError')
  }
  tab.store.outbox.hook('creating', full)
  await expect(tab.tick(video(1), true)).rejects.toThrow()
  expect(await tab.shown()).toEqual({ [video(0)]: true })
  expect(await afterwards()).toEqual(firstAlone())
})

test('PROG-02 a connection that the browser cuts loses nothing that waited, and shows nothing that was not stored', async () => {
  tab.store.dexie.backendDB().close()
  const isStored = await tab.tick(video(1), true).then(
    () => true,
    () => false,
  )
  const both = { shown: { [video(0)]: true, [video(1)]: true }, stored: [video(0), video(1)] }
  const { shown, stored } = await afterwards()
  expect({ shown, stored: stored.sort() }).toEqual(isStored ? { ...both, stored: both.stored.sort() } : firstAlone())
})

test('PROG-02 a newer version in another tab is not blocked by this one, whose ticks then fail openly, and finds what waited', async () => {
  const newer = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = phone.idb.open(name(), 10_000)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('The old tab blocks the new version.'))
  })
  await expect(tab.tick(video(1), true)).rejects.toThrow()
  const waiting = await new Promise<unknown[]>((resolve) => {
    const request = newer.transaction('outbox').objectStore('outbox').getAll()
    request.onsuccess = () => resolve(request.result)
  })
  newer.close()
  expect(waiting).toMatchObject([{ videoId: video(0), completed: true, state: 'waiting' }])
})

test('PROG-02 storage that the browser clears under an open tab: nothing shows as done that the server does not have', {
  tags: ['full'],
}, async () => {
  phone.isOnline = true
  await tab.engine.syncNow()
  phone.isOnline = false
  await new Promise<void>((resolve) => {
    phone.idb.deleteDatabase(name()).onsuccess = () => resolve()
  })
  await expect(tab.tick(video(1), true)).rejects.toThrow()
  tab.close()
  tab = await phone.openTab(member.id)
  expect(await tab.shown()).toEqual({})
  phone.isOnline = true
  await tab.engine.syncNow()
  expect(await tab.shown()).toEqual({ [video(0)]: true })
})
