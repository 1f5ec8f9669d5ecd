import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import { type Network, ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, failuresOf, type Phone, type PhoneOptions, type Tab } from '#pwa/sync/testing/phone.ts'
import { readStored } from './status.ts'

let world: World
let videos: string[]
let danny: { id: string }
let phones: { phone: Phone; tab: Tab }[]

beforeEach(() => {
  world = startWorld()
  videos = world
    .addVideos()
    .flatMap(({ id, isPublished, tierAccess }) => (isPublished && tierAccess.includes('lite') ? [id] : []))
  danny = world.addMember({ tier: 'lite' })
  phones = []
})

afterEach(() => {
  for (const { phone, tab } of phones) {
    tab.close()
    expect(phone.faults).toEqual([])
  }
})

const video = (index = 0) => videos[index] ?? ''

async function openPhone(options: PhoneOptions = {}) {
  const phone = createPhone(world, options)
  phone.cookie = world.signIn({ ...danny, email: '' }).cookie
  const tab = await phone.openTab(danny.id)
  phones.push({ phone, tab })
  return { phone, tab, network: phone.network }
}

const applied = () => world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n
const stored = () =>
  Object.fromEntries(
    world.ctx.sqlite
      .prepare<[], { videoId: string; completed: number }>('select videoId, completed from video_progress')
      .all()
      .map(({ videoId, completed }) => [videoId, completed === 1]),
  )
const changesOf = (network: Network) =>
  network.sent.map(({ body }) => (typeof body === 'object' && body !== null && 'changes' in body ? body.changes : null))

test('PROG-02 a tick made offline is shown at once, stored, and reaches the server with the signal', async () => {
  const { phone, tab, network } = await openPhone()
  phone.isOnline = false
  tab.engine.start()
  await tab.tick(video(), true)
  await tab.engine.settled()
  expect(await tab.shown()).toEqual({ [video()]: true })
  expect(await tab.state()).toMatchObject({ pending: 1, sending: 0, lastSyncedAt: null })
  expect([network.sent.length, phone.backgroundSyncs]).toEqual([0, 1])
  phone.isOnline = true
  phone.wake('online')
  await tab.engine.settled()
  expect(stored()).toEqual({ [video()]: true })
  expect(await tab.state()).toMatchObject({ pending: 0, paused: null, lastSyncedAt: startOfTime.toISOString() })
})

test('PROG-01 a tick reaches the server once, even when the response is lost, and a repeat carries the same change', async () => {
  const { tab, network } = await openPhone()
  network.next('lose-response')
  await tab.tick(video(), true)
  await tab.engine.settled()
  expect(await tab.state()).toMatchObject({ pending: 1, isReachable: false })
  await tab.tick(video(1), true)
  expect(await tab.engine.syncNow()).toBe('done')
  const [first, second] = changesOf(network)
  expect(second).toEqual(first)
  expect([applied(), stored()]).toEqual([2, { [video()]: true, [video(1)]: true }])
})

test('what is sent names the member whose ticks they are', async () => {
  const { tab, network } = await openPhone()
  await tab.tick(video(), true)
  await tab.engine.settled()
  expect(network.sent).toMatchObject([{ path: '/api/video-progress/sync', body: { memberId: danny.id } }])
})

test('what other devices did arrives by itself: at the start, when the page becomes visible, and with time', async () => {
  const [one, other] = [await openPhone(), await openPhone()]
  one.tab.engine.start()
  await one.tab.engine.settled()
  const seen: boolean[] = []
  for (const [completed, bring] of [
    [true, () => one.phone.wake('visible')],
    [false, () => one.phone.wait(5 * 60_000)],
    [true, () => one.phone.wake('online')],
  ] as const) {
    await other.tab.tick(video(), completed)
    await other.tab.engine.settled()
    bring()
    await one.tab.engine.settled()
    seen.push((await one.tab.shown())[video()] ?? false)
  }
  expect(seen).toEqual([true, false, true])
})

const queued = process.env.FULL ? 10_000 : 1_500

test(`${queued} queued ticks over 200 videos drain in batches of 500, in the order made`, {
  tags: ['full'],
}, async () => {
  const many = Array.from({ length: 200 }, () => world.ctx.newId())
  for (const id of many) {
    world.ctx.sqlite
      .prepare(
        `insert into member_videos (id, slug, title, description, videoType, videoId, embedUrl, category, orderIndex, isPublished, duration, createdAt, updatedAt)
         select ?, ?, title, description, videoType, videoId, embedUrl, category, orderIndex, 1, duration, createdAt, updatedAt from member_videos where id = ?`,
      )
      .run(id, id, video())
    world.ctx.sqlite
      .prepare('insert into video_tiers select ?, tierSlug from video_tiers where videoId = ?')
      .run(id, video())
  }
  const { phone, tab, network } = await openPhone()
  phone.isOnline = false
  for (let index = 0; index < queued; index++) await tab.tick(many[(index * 7) % 200] ?? '', index % 3 !== 0)
  const expected = await tab.shown()
  expect(await tab.engine.syncNow()).toBe('done')
  expect(changesOf(network).map((changes) => Array.isArray(changes) && changes.length)).toEqual(
    Array(queued / 500).fill(500),
  )
  expect([applied(), stored()]).toEqual([queued, expected])
  expect(await tab.shown()).toEqual(expected)
  expect(await tab.state()).toMatchObject({ pending: 0, sending: 0, refused: [] })
})

test('one refused tick is shown with its reason, blocks no other, and can be tried again', async () => {
  const { phone, tab } = await openPhone()
  phone.isOnline = false
  for (const id of [video(), 'gone', video(1)]) await tab.tick(id, true)
  await tab.engine.syncNow()
  const { refused, pending } = await tab.state()
  expect(refused).toMatchObject([{ videoId: 'gone', completed: true, message: 'You can’t open this video any more.' }])
  expect([pending, await tab.shown(), stored()]).toEqual([0, ...Array(2).fill({ [video()]: true, [video(1)]: true })])
  await tab.engine.syncNow()
  expect((await tab.state()).refused).toHaveLength(1)
  world.ctx.sqlite.exec(`
    begin; pragma defer_foreign_keys = on; delete from video_texts;
    update member_videos set id = 'gone' where id = '${video(2)}';
    update video_tiers set videoId = 'gone' where videoId = '${video(2)}'; commit`)
  phone.isOnline = true
  await tab.engine.retryRefused(refused[0]?.id ?? '')
  await tab.engine.settled()
  expect([(await tab.state()).refused, stored()]).toMatchObject([[], { gone: true }])
})

test('a poisoned entry in the store is refused alone', async () => {
  const { phone, tab } = await openPhone()
  phone.isOnline = false
  await tab.tick(video(), true)
  await tab.store.outbox.add({
    id: 'rotten',
    videoId: video(1),
    completed: true,
    at: Number.NaN,
    counter: -1,
    state: 'waiting',
  })
  await tab.tick(video(2), true)
  expect(await tab.engine.syncNow()).toBe('done')
  expect(stored()).toEqual({ [video()]: true, [video(2)]: true })
  expect((await tab.state()).refused).toMatchObject([{ id: 'rotten' }])
})

test.each([400, 413, 422])(
  'a batch refused with %d is halved down to the refused change',
  { tags: ['full'] },
  async (status) => {
    const { phone, tab, network } = await openPhone()
    phone.isOnline = false
    for (let index = 0; index < 40; index++) await tab.tick(video(index % 10), index % 4 === 0)
    await tab.tick(video(11), true)
    const bad = (await tab.store.outbox.toCollection().last())?.id
    for (let index = 0; index < 40; index++) await tab.tick(video(index % 10), index % 4 !== 0)
    const { fetch } = phone.platform
    const code = status === 400 ? 'malformed' : status === 413 ? 'too_large' : 'invalid'
    phone.platform.fetch = (path, init) => {
      if (String(init.body).includes(bad ?? '-')) network.next(ourError(status, code))
      return fetch(path, init)
    }
    expect(await tab.engine.syncNow()).toBe('done')
    expect([applied(), (await tab.state()).pending]).toEqual([80, 0])
    expect((await tab.state()).refused).toMatchObject([{ videoId: video(11), message: `Refused: ${code}.` }])
    expect(network.sent.length).toBeLessThan(30)
  },
)

test('a refused tick that a later one has replaced is not shown', async () => {
  const { phone, tab, network } = await openPhone()
  phone.isOnline = false
  await tab.tick(video(), true)
  await tab.tick(video(), false)
  network.next(ourError(422, 'invalid'), ourError(422, 'invalid'))
  expect(await tab.engine.syncNow()).toBe('done')
  expect([await tab.state(), stored()]).toMatchObject([{ refused: [], pending: 0 }, { [video()]: false }])
})

test.each([
  ['login', 401, 'unauthenticated'],
  ['access', 403, 'forbidden'],
  ['member', 409, 'wrong_member'],
] as const)(
  'paused for %s after %d: everything stays queued, and is sent once a person has acted',
  async (paused, status, code) => {
    const { phone, tab, network } = await openPhone()
    tab.engine.start()
    await tab.engine.settled()
    network.usual = ourError(status, code)
    await tab.tick(video(), true)
    await tab.engine.settled()
    const tries = network.sent.length
    await tab.tick(video(1), true)
    phone.wait(60 * 60_000)
    await tab.engine.settled()
    expect([network.sent.length, await tab.state()]).toMatchObject([tries, { paused, pending: 2, refused: [] }])
    network.usual = 'deliver'
    expect(await tab.engine.syncNow()).toBe('done')
    expect([applied(), (await tab.state()).paused]).toEqual([2, null])
  },
)

test('a real end of the session, of the membership, and a real change of account pause the queue', async () => {
  const { phone, tab } = await openPhone()
  await tab.tick(video(), true)
  await tab.engine.settled()
  const cookie = phone.cookie
  const tryAs = async (other: string | null) => {
    phone.cookie = other
    await tab.tick(video(), false)
    await tab.engine.syncNow()
    return (await tab.state()).paused
  }
  expect(await tryAs(null)).toBe('login')
  expect(await tryAs(world.signIn(world.addMember()).cookie)).toBe('member')
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(danny.id)
  expect(await tryAs(cookie)).toBe('access')
  expect([applied(), await tab.store.outbox.count(), (await tab.state()).pending]).toEqual([1, 3, 1])
})

test('a proxy that asks to wait or fails leaves the site reachable, a sign-in page does not', async () => {
  const { tab, network } = await openPhone()
  const reachable = []
  for (const status of [429, 503, 403]) {
    network.usual = { status, body: '<h1>Not now</h1>' }
    await tab.tick(video(), true)
    await tab.engine.syncNow()
    reachable.push((await tab.state()).isReachable)
  }
  expect(reachable).toEqual([true, true, false])
})

test.each([
  ['the server fails', ourError(500, 'internal')],
  ['a proxy fails', { status: 503, body: '<h1>Unavailable</h1>' }],
  ['Wi-Fi shows a sign-in page', { status: 200, body: '<html>Welcome, guest</html>' }],
  ['Wi-Fi responds with 403', { status: 403, body: '<html>Please pay</html>' }],
  ['Wi-Fi responds with 400', { status: 400, body: '<html>?</html>' }],
  ['another server responds with JSON', { status: 200, body: { ok: true } }],
  ['the times of the response cannot be read', { status: 200, body: { serverTime: 'soon', items: [], rejected: [] } }],
  ['the route is missing for a moment', ourError(404, 'not_found')],
  ['there is no connection', 'lose-request'],
] as const)('%s: the tick waits longer each time, and nothing is refused', async (_, delivery) => {
  const { phone, tab, network } = await openPhone()
  tab.engine.start()
  await tab.engine.settled()
  network.usual = delivery
  await tab.tick(video(), true)
  await tab.engine.settled()
  const waits: number[] = []
  while (waits.length < 5) {
    const before = network.sent.length
    let waited = 0
    while (network.sent.length === before) {
      phone.wait(500)
      waited += 500
      await tab.engine.settled()
    }
    waits.push(waited)
  }
  expect(waits).toEqual([1_500, 3_000, 6_000, 12_000, 24_000])
  expect(await tab.state()).toMatchObject({ pending: 1, paused: null, refused: [] })
  expect(await failuresOf(tab)).toBe(6)
  network.usual = 'deliver'
  phone.wake('online')
  await tab.engine.settled()
  expect([applied(), await failuresOf(tab)]).toEqual([1, 0])
})

test('a 413 from a proxy makes smaller batches, and refuses nothing', async () => {
  const { phone, tab, network } = await openPhone()
  phone.isOnline = false
  for (let index = 0; index < 4; index++) await tab.tick(video(index), true)
  network.usual = { status: 413, body: '<h1>Too large</h1>' }
  expect(await tab.engine.syncNow()).toBe('later')
  expect(changesOf(network).map((changes) => (Array.isArray(changes) ? changes.length : null))).toEqual([4, 2, 1])
  network.usual = 'deliver'
  expect(await tab.engine.syncNow()).toBe('done')
  expect([applied(), (await tab.state()).refused]).toEqual([4, []])
})

test('Retry-After is respected, even when a person presses the button', async () => {
  const { phone, tab, network } = await openPhone()
  network.next(ourError(429, 'rate_limited', { 'retry-after': '90' }))
  await tab.tick(video(), true)
  await tab.engine.settled()
  phone.wait(89_000)
  expect(await tab.engine.syncNow()).toBe('skipped')
  phone.wait(1_000)
  await tab.engine.settled()
  expect([applied(), network.sent.length]).toEqual([1, 2])
})

test('a request that never ends is aborted, and blocks no tick meanwhile', async () => {
  const { phone, tab, network } = await openPhone()
  network.next('hang')
  const first = tab.engine.syncNow()
  await tab.tick(video(), true)
  expect(await tab.shown()).toEqual({ [video()]: true })
  while (network.sent.length === 0) await tab.state()
  phone.wait(30_000)
  expect(await first).toBe('later')
  phone.wait(2_000)
  await tab.engine.settled()
  expect(applied()).toBe(1)
})

test('an engine that is stopped aborts its request, and counts no failure', async () => {
  const { tab, network } = await openPhone()
  network.next('hang')
  await tab.tick(video(), true)
  while (network.sent.length === 0) await tab.state()
  expect((await readStored(tab.store)).progress.get(video())?.tick).toEqual({ kind: 'sending' })
  tab.engine.stop()
  await tab.engine.settled()
  expect([await failuresOf(tab), (await tab.state()).pending + (await tab.state()).sending]).toEqual([0, 1])
  expect(await tab.engine.syncNow()).toBe('stopped')
})

test('two tabs at once send each tick once', async () => {
  const { phone, tab, network } = await openPhone()
  const second = await phone.openTab(danny.id)
  phone.isOnline = false
  for (let index = 0; index < 30; index++) await (index % 2 ? tab : second).tick(video(index % 5), index % 3 === 0)
  phone.isOnline = true
  const ends = await Promise.all([tab.engine.syncNow(), second.engine.syncNow()])
  second.close()
  expect(ends).toContain('done')
  const ids = changesOf(network).flatMap((changes) => (Array.isArray(changes) ? changes.map(({ id }) => id) : []))
  expect([applied(), new Set(ids).size, ids.length]).toEqual([30, 30, 30])
  expect(await tab.shown()).toEqual(stored())
})

test('a phone whose clock is ten years ahead is corrected by the first response', async () => {
  const { phone, tab } = await openPhone({ skew: 10 * 365 * 86_400_000 })
  phone.isOnline = false
  await tab.tick(video(), true)
  await tab.engine.syncNow()
  await tab.tick(video(1), true)
  const [pending] = await tab.store.outbox.toArray()
  expect(pending?.at).toBe(startOfTime.getTime() + 300_000)
})

test('pending ticks are clamped too, and a phone whose clock is set back does not go back', async () => {
  const { phone, tab, network } = await openPhone({ skew: 365 * 86_400_000 })
  phone.isOnline = false
  await tab.tick(video(), true)
  const { fetch } = phone.platform
  phone.platform.fetch = async (path, init) => {
    phone.platform.fetch = fetch
    // A tick made during the request.
    await tab.tick(video(1), true)
    network.usual = 'lose-request'
    network.next('deliver')
    return fetch(path, init)
  }
  await tab.engine.syncNow()
  const [first] = await tab.store.outbox.toArray()
  expect(first?.at).toBe(startOfTime.getTime() + 300_000)
  phone.skew = -365 * 86_400_000
  phone.wait(10 * 60_000)
  await tab.tick(video(2), true)
  const last = await tab.store.outbox.toCollection().last()
  expect([last?.at, last?.counter]).toEqual([startOfTime.getTime() + 600_000, (first?.counter ?? 0) + 1])
})
