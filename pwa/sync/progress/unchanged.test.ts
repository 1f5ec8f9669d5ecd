import { beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { createPhone, type Phone, type Tab } from '#pwa/sync/testing/phone.ts'
import { readStored } from './status.ts'

let world: World
let member: TestPerson
let videos: string[]
let opened: Tab[]

beforeEach(() => {
  world = startWorld()
  videos = world.addVideos().flatMap(({ id, tierAccess }) => (tierAccess.includes('lite') ? [id] : []))
  member = world.addMember({ tier: 'lite' })
  opened = []
  return () => {
    for (const tab of opened) tab.close()
  }
})

const video = (index: number) => videos[index] ?? ''

async function openPhone() {
  const phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  const statuses: number[] = []
  const fetch: Phone['platform']['fetch'] = async (path, init) => {
    const response = await phone.platform.fetch(path, init)
    statuses.push(response.status)
    return response
  }
  const tab = await phone.openTab(member.id, { ...phone.platform, fetch })
  opened.push(tab)
  return { phone, tab, statuses }
}

test('PROG-01 rows that are as the phone has them come without a body, and count as an answer', async () => {
  const { tab, statuses } = await openPhone()
  await tab.tick(video(0), true)
  await tab.engine.settled()
  await tab.engine.syncNow()
  world.forward(60_000)
  expect(await tab.engine.syncNow()).toBe('done')
  expect(statuses).toEqual([200, 204, 204])
  expect(await tab.shown()).toEqual({ [video(0)]: true })
  expect(await tab.state()).toMatchObject({
    pending: 0,
    isReachable: true,
    lastSyncedAt: world.ctx.now().toISOString(),
  })
})

test('PROG-01 what another phone did comes whole, and a later change of this one still beats it', async () => {
  const [one, other] = [await openPhone(), await openPhone()]
  await one.tab.engine.syncNow()
  await other.tab.tick(video(0), true)
  await other.tab.engine.settled()
  await one.tab.engine.syncNow()
  expect(await one.tab.shown()).toEqual({ [video(0)]: true })
  await one.tab.engine.syncNow()
  await one.tab.tick(video(0), false)
  await one.tab.engine.settled()
  await other.tab.engine.syncNow()
  expect(await other.tab.shown()).toEqual({ [video(0)]: false })
})

test('PROG-02 a Wi-Fi that answers everything with 204 is no answer', async () => {
  const { phone, tab } = await openPhone()
  await tab.engine.syncNow()
  const before = (await tab.state()).lastSyncedAt
  world.forward(60_000)
  phone.network.next({ status: 204, headers: {} })
  expect(await tab.engine.syncNow()).toBe('later')
  expect(await tab.state()).toMatchObject({ isReachable: false, lastSyncedAt: before })
})

test('PROG-02 a place that was discarded before it was sent gives way to the one that the site has', async () => {
  const [one, other] = [await openPhone(), await openPhone()]
  await other.tab.engine.savePosition(video(0), 40, true)
  await other.tab.engine.settled()
  await one.tab.engine.syncNow()
  one.phone.isOnline = false
  world.forward(60_000)
  await one.tab.engine.savePosition(video(0), 90, false)
  await one.tab.engine.discard()
  one.phone.isOnline = true
  await one.tab.engine.syncNow()
  expect((await readStored(one.tab.store)).positions.get(video(0))).toMatchObject({ seconds: 40, isPending: false })
})
