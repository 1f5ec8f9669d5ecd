import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import type { SyncSession } from './session.ts'

let world: World
let phone: Phone
let danny: TestPerson
let apps: SyncSession[]

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  danny = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  apps = []
})

afterEach(() => {
  for (const app of apps) app.close()
  expect(phone.faults).toEqual([])
})

async function openApp() {
  const app = phone.openApp()
  apps.push(app)
  await app.start()
  return app
}

async function view(app: SyncSession) {
  phone.cookie = world.signIn(world.addOwner()).cookie
  await app.enter(danny.id, { isReadOnly: true })
}

test('a view that’s over leaves nothing of the member on the device', async () => {
  const app = await openApp()
  await view(app)
  expect(await phone.databases()).toContain(`alliance-member-${danny.id}`)
  await app.leaveView()
  expect([await phone.databases(), phone.wipes, app.engine()]).toEqual([['alliance-device'], 1, null])
  // What ended once has nothing left to end.
  await app.leaveView()
  expect(phone.wipes).toBe(1)
})

test('a view that ends in one tab takes nothing from whoever has logged in since in another', async () => {
  const viewing = await openApp()
  await view(viewing)
  const priya = world.addMember({ tier: 'lite' })
  const other = await openApp()
  phone.cookie = world.signIn(priya).cookie
  await (await other.enter(priya.id)).settled()
  const { wipes } = phone
  await viewing.leaveView()
  expect([await phone.databases(), phone.wipes]).toEqual([['alliance-device', `alliance-member-${priya.id}`], wipes])
  expect((await (await openApp()).start())?.store.memberId).toBe(priya.id)
})

test('a view leaves its owner their own store and kept videos, and nobody else’s', async () => {
  const owner = world.addOwner()
  const app = await openApp()
  phone.cookie = world.signIn(owner).cookie
  const row = { videoId: 'v', keptAt: 1, whole: null, coming: null, isAutomatic: false, captions: null }
  await (await app.enter(owner.id)).store.kept.put({ ...row, handouts: [], readingOf: null })
  const own = `alliance-member-${owner.id}`
  const priya = world.addMember({ tier: 'lite' })
  for (const member of [danny, priya]) {
    await app.enter(member.id, { isReadOnly: true, viewer: owner.id })
    expect(await phone.databases()).toEqual(['alliance-device', ...[own, `alliance-member-${member.id}`].toSorted()])
  }
  await app.leaveView()
  expect([await phone.databases(), phone.isView]).toEqual([['alliance-device', own], true])
  expect(await (await app.enter(owner.id)).store.kept.count()).toBe(1)
  // The server may end a view by itself, and the next answer names the owner.
  await app.enter(danny.id, { isReadOnly: true, viewer: owner.id })
  expect(await (await app.enter(owner.id)).store.kept.count()).toBe(1)
  expect(phone.isView).toBe(true)
  // Somebody else's aren't the owner's, who has logged in after them.
  await app.enter(priya.id)
  expect(phone.isView).toBe(false)
  await app.enter(danny.id, { isReadOnly: true, viewer: owner.id })
  expect([await phone.databases(), phone.isView]).toEqual([['alliance-device', `alliance-member-${danny.id}`], false])
})
