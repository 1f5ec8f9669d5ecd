import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { unwiped } from '#pwa/lib/unwiped.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createSession, type SyncSession } from './session.ts'

let world: World
let phone: Phone
let video: string
let danny: { id: string; email: string }
let apps: SyncSession[]

beforeEach(() => {
  world = startWorld()
  video = world.addVideos().find(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('lite'))?.id ?? ''
  danny = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  apps = []
})
afterEach(() => {
  for (const app of apps) app.close()
})

async function openApp() {
  const app = phone.openApp()
  apps.push(app)
  await app.start()
  return app
}

async function logIn(app: SyncSession, person: { id: string; email: string }) {
  phone.cookie = world.signIn(person).cookie
  const engine = await app.enter(person.id)
  await engine.settled()
  return engine
}

const nameOf = ({ id }: { id: string }) => `alliance-member-${id}`
const completed = () => world.ctx.sqlite.prepare('select 1 from video_progress where completed = 1').all().length

/** Holds a member's store in a transaction, as a tab does that the browser has stopped. */
async function holdStore(person: { id: string }): Promise<() => void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = phone.idb.open(nameOf(person))
    request.onsuccess = () => resolve(request.result)
  })
  let isHeld = true
  const store = database.transaction([...database.objectStoreNames], 'readwrite').objectStore('meta')
  const goOn = () => {
    if (isHeld) store.get('clock').onsuccess = goOn
    else database.close()
  }
  await new Promise((resolve) => {
    store.get('clock').onsuccess = resolve
  })
  goOn()
  return () => {
    isHeld = false
  }
}

/** What waits for a store that's held goes on with time. */
async function patiently<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  await expect
    .poll(() => {
      phone.wait(1_000)
      return isOver
    })
    .toBe(true)
  return work
}

test('MEMB-10 a store that another tab holds doesn’t hold up a logout; it’s noted, shown to nobody, and wiped at the next opening', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.network.usual = 'lose-request'
  await engine.toggle(video, true)
  phone.network.usual = 'deliver'
  const letGo = await holdStore(danny)
  expect(await patiently(app.logout())).toBe('done')
  expect([unwiped.read(), phone.wipes, phone.cookie]).toEqual([[nameOf(danny)], 1, null])
  const held = await openApp()
  expect(held.engine()).toBeNull()
  // Someone else isn't kept waiting for it.
  await patiently(logIn(held, world.addMember({ tier: 'lite' })))
  await patiently(held.logout())
  for (const one of apps) one.close()
  letGo()

  await patiently(openApp())
  await expect.poll(() => unwiped.read()).toEqual([])
  expect(await phone.databases()).toEqual(['alliance-device'])
  // Sealed first, like any other.
  await logIn(await openApp(), danny)
  await expect.poll(completed).toBe(1)
})

test('MEMB-10 a store that can’t be deleted is tried again at every opening, until its member is back', async () => {
  const app = await openApp()
  await logIn(app, danny)
  const { deleteDatabase } = phone.idb
  phone.idb.deleteDatabase = () => {
    throw new DOMException('Internal error deleting database', 'UnknownError')
  }
  expect(await app.logout()).toBe('done')
  expect([unwiped.read(), phone.wipes]).toEqual([[nameOf(danny)], 1])
  expect((await openApp()).engine()).toBeNull()
  const last = await openApp()
  expect((await logIn(last, danny)).store.memberId).toBe(danny.id)
  expect(unwiped.read()).toEqual([])
  phone.idb.deleteDatabase = deleteDatabase
  await last.logout()
  expect(await phone.databases()).toEqual(['alliance-device'])
})

test('MEMB-10 a logout that the browser froze half-way doesn’t end the next login when its tab goes on', {
  tags: ['full'],
}, async () => {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const frozen = createSession({ platform: phone.platform, wipeTraces: () => thawed })
  apps.push(frozen)
  await frozen.start()
  await logIn(frozen, danny)
  const leaving = frozen.logout()
  const next = await patiently(openApp())
  await patiently(logIn(next, danny))
  thaw()
  expect(await leaving).toBe('done')
  expect([(await next.fetch('/api/auth/user', {})).status, next.engine()?.store.memberId]).toEqual([200, danny.id])
})

test('a logout that’s under way when its page closes asks the server for nothing more', async () => {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
  const app = createSession({ platform: phone.platform, wipeTraces: () => thawed })
  await app.start()
  await logIn(app, danny)
  const leaving = app.logout()
  await expect.poll(() => phone.databases()).toEqual(['alliance-device'])
  app.close()
  thaw()
  await expect(leaving).rejects.toThrow('closed')
  expect(phone.network.sent.map(({ path }) => path)).not.toContain('/api/auth/logout')
})
