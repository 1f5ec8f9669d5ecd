import { treaty } from '@elysiajs/eden/treaty2'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { App } from '#api/app.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone, type Tab } from '#pwa/sync/testing/phone.ts'
import { MemberVideoList } from '#shared/contract/video.ts'
import { readSnapshot, readTagged, refreshVideos, requestIfChanged, saveSnapshot } from './snapshots.ts'
import { readStored } from './status.ts'

let world: World
let phone: Phone
let tab: Tab

beforeEach(async () => {
  world = startWorld()
  world.addVideos()
  const danny = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(danny).cookie
  tab = await phone.openTab(danny.id)
  return () => tab.close()
})

const titles = async () => (await readStored(tab.store)).videos.map(({ title }) => title)

test('CALLS-41 the members’ videos are cached in the order of the response, and shown again without signal', async () => {
  const response = await world.call('/api/member-videos', { headers: { cookie: phone.cookie ?? '' } })
  const expected = (await response.json()).map(({ title }: { title: string }) => title)
  expect(await refreshVideos(tab.store, phone.platform.fetch, 1)).toMatchObject({ isEmpty: false })
  phone.network.usual = 'lose-request'
  expect(await refreshVideos(tab.store, phone.platform.fetch, 2)).toBe('cached')
  expect([await titles(), expected.length > 5]).toEqual([expected, true])
})

test('an unchanged list is asked for by its ETag, which the browser does not keep, and comes without a body', async () => {
  const seen: { sent: string | null; cache: string | undefined; status: number }[] = []
  const fetch = async (path: string, init: RequestInit) => {
    const response = await phone.platform.fetch(path, init)
    const sent = new Headers(init.headers).get('if-none-match')
    seen.push({ sent, cache: init.cache, status: response.status })
    return response
  }
  expect(await refreshVideos(tab.store, fetch, 1)).toMatchObject({ isEmpty: false })
  const before = await titles()
  expect(await refreshVideos(tab.store, fetch, 2)).toMatchObject({ isEmpty: false })
  expect([await titles(), (await tab.store.snapshots.get('video-order'))?.savedAt]).toEqual([before, 2])
  world.ctx.sqlite.exec(`update member_videos set title = 'Another'`)
  invalidateResponses(world.ctx)
  expect(await refreshVideos(tab.store, fetch, 3)).toMatchObject({ isEmpty: false })
  expect(new Set(await titles())).toEqual(new Set(['Another']))
  const tag = expect.any(String)
  expect(seen).toEqual([
    { sent: null, cache: 'no-store', status: 200 },
    { sent: tag, cache: 'no-store', status: 304 },
    { sent: tag, cache: 'no-store', status: 200 },
  ])
})

test('what this device holds is asked for by its ETag, and stays where the server has nothing newer', async () => {
  const asPhone = (asked: RequestInfo | URL, init: RequestInit = {}) =>
    phone.platform.fetch(new URL(asked instanceof Request ? asked.url : asked).pathname, init)
  const fetcher = Object.assign(asPhone, { preconnect: () => {} })
  const { api } = treaty<App>('http://localhost', { parseDate: false, fetcher })
  const ask = async () =>
    requestIfChanged(MemberVideoList, await readTagged(tab.store, 'held', MemberVideoList), (options) =>
      api['member-videos'].get(options),
    )
  const first = await ask()
  const held = { ...first, value: first.value.slice(1) }
  await saveSnapshot(tab.store, 'held', { ...held, savedAt: 1 })
  expect(await ask()).toEqual(held)
})

test('a response that is no list changes nothing, and a refusal is returned', async () => {
  await refreshVideos(tab.store, phone.platform.fetch, 1)
  const before = await titles()
  const refreshAfter = async (...deliveries: Parameters<typeof phone.network.next>) => {
    phone.network.next(...deliveries)
    return refreshVideos(tab.store, phone.platform.fetch, 2)
  }
  expect(await refreshAfter({ status: 200, body: '<html>Welcome, guest</html>' })).toBe('cached')
  expect(await refreshAfter({ status: 200, body: [{ id: 1 }] })).toBe('cached')
  expect(await refreshAfter(ourError(500, 'internal'))).toBe('cached')
  expect(await refreshAfter(ourError(401, 'unauthenticated'))).toBe('unauthenticated')
  expect(await refreshAfter(ourError(403, 'forbidden'))).toBe('forbidden')
  expect(await titles()).toEqual(before)
})

test('a video that has left the list stays while a tick of it is pending or refused, and no longer', async () => {
  await refreshVideos(tab.store, phone.platform.fetch, 1)
  const all = (await readStored(tab.store)).videos
  const gone = all[3]
  phone.network.usual = 'lose-request'
  await tab.tick(gone?.id ?? '', true)
  phone.network.usual = 'deliver'
  const publish = (isPublished: 0 | 1) => {
    world.ctx.sqlite.prepare('update member_videos set isPublished = ? where id = ?').run(isPublished, gone?.id)
    invalidateResponses(world.ctx)
  }
  publish(0)
  await refreshVideos(tab.store, phone.platform.fetch, 2)
  expect(await titles()).toContain(gone?.title)
  await tab.engine.syncNow()
  await refreshVideos(tab.store, phone.platform.fetch, 3)
  const [refused] = (await tab.state()).refused
  expect([refused?.videoId, await titles()]).toEqual([gone?.id, expect.arrayContaining([gone?.title])])
  publish(1)
  await tab.engine.retryRefused(refused?.id ?? '')
  await tab.engine.syncNow()
  publish(0)
  await refreshVideos(tab.store, phone.platform.fetch, 4)
  expect(await titles()).toEqual(all.filter((video) => video !== gone).map(({ title }) => title))
})

test('a cached response that no longer fits the schema counts as none', async () => {
  await saveSnapshot(tab.store, 'profile', { value: { firstName: 'Danny' }, savedAt: 1 })
  expect(await readSnapshot(tab.store, 'profile', v.object({ firstName: v.string() }))).toEqual({ firstName: 'Danny' })
  expect(await readSnapshot(tab.store, 'profile', v.object({ name: v.string() }))).toBeNull()
  expect(await readSnapshot(tab.store, 'billing', v.any())).toBeUndefined()
})

test('a response that comes late does not undo what was saved since it was requested', async () => {
  await saveSnapshot(tab.store, 'billing', { value: 'cancelled', savedAt: 20 })
  await saveSnapshot(tab.store, 'billing', { value: 'active', savedAt: 30, requestedAt: 10 })
  expect(await readSnapshot(tab.store, 'billing', v.string())).toBe('cancelled')
  await saveSnapshot(tab.store, 'billing', { value: 'resumed', savedAt: 40, requestedAt: 25 })
  expect(await readSnapshot(tab.store, 'billing', v.string())).toBe('resumed')
  await saveSnapshot(tab.store, 'billing', { value: 'paid', savedAt: 50, requestedAt: 40 })
  expect(await readSnapshot(tab.store, 'billing', v.string())).toBe('paid')
})

test('a response is known by its tag until something else is stored in its place', async () => {
  const stored = () => readTagged(tab.store, 'billing', v.string())
  await saveSnapshot(tab.store, 'billing', { value: 'active', savedAt: 1, etag: '"a"' })
  expect(await stored()).toEqual({ value: 'active', etag: '"a"' })
  expect(await readTagged(tab.store, 'billing', v.number())).toBeNull()
  await saveSnapshot(tab.store, 'billing', { value: 'cancelled', savedAt: 2 })
  expect(await stored()).toBeNull()
})
