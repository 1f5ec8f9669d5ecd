import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import type { ProgressChange, RejectedChange, SyncResponse, VideoProgress } from '#shared/contract/progress.ts'
import { uuidV7 } from '#shared/rules/id.ts'

let world: World
let visible: string[]
let hidden: { unpublished: string; otherTier: string }

beforeEach(() => {
  world = startWorld()
  const videos = world.addVideos()
  visible = videos.filter((video) => video.isPublished && video.tierAccess.includes('lite')).map(({ id }) => id)
  const otherTier = videos.find((video) => video.isPublished && !video.tierAccess.includes('lite'))
  const unpublished = world.ctx.newId()
  world.ctx.sqlite
    .prepare(
      `insert into member_videos (id, title, description, videoType, videoId, embedUrl, category, orderIndex, isPublished, duration, createdAt, updatedAt)
        select ?, title, description, videoType, videoId, embedUrl, category, orderIndex, 0, duration, createdAt, updatedAt from member_videos limit 1`,
    )
    .run(unpublished)
  world.ctx.sqlite.prepare('insert into video_tiers select ?, slug from membership_tiers').run(unpublished)
  hidden = { unpublished, otherTier: otherTier?.id ?? '' }
})

const at = (ms: number) => new Date(startOfTime.getTime() + ms).toISOString()
let counter = 0
const change = (videoId: string, more: Partial<ProgressChange> = {}): ProgressChange => ({
  id: uuidV7(startOfTime.getTime(), crypto.getRandomValues(new Uint8Array(10))),
  videoId,
  completed: true,
  at: at(0),
  counter: ++counter,
  ...more,
})
const video = (index = 0) => visible[index] ?? ''

function browser(person = world.addMember({ tier: 'lite' })) {
  const call = world.signIn(person)
  const post = (path: string, body?: unknown) => call(`/api/video-progress${path}`, { method: 'POST', body })
  return {
    person,
    post,
    sync: async (changes: unknown[], more: object = {}): Promise<SyncResponse> => {
      const response = await post('/sync', { memberId: person.id, deviceId: 'phone-a', changes, ...more })
      expect(response.status).toBe(200)
      return response.json()
    },
    list: async (): Promise<VideoProgress[]> => (await call('/api/video-progress')).json(),
    call,
  }
}

const applied = () => world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n

test('V8.2.2 API-10 the list has this member’s progress and nobody else’s', async () => {
  const [danny, priya] = [browser(), browser()]
  expect(await danny.list()).toEqual([])
  await danny.post(`/${video()}/complete`)
  expect(await danny.list()).toEqual([{ videoId: video(), completed: true, completedAt: at(0) }])
  expect(await priya.list()).toEqual([])
})

test('API-10 the list has a tag: a phone that knows it gets 304 until a tick, from whichever phone', async () => {
  const danny = browser()
  const otherPhone = browser(danny.person)
  await danny.post(`/${video()}/complete`)
  const first = await danny.call('/api/video-progress')
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = () => danny.call('/api/video-progress', { headers })
  expect([(await again()).status, first.headers.get('cache-control')]).toEqual([304, 'private, no-store'])
  await otherPhone.sync([change(video(1))])
  expect([(await again()).status, (await danny.list()).length]).toEqual([200, 2])
})

test('PROG-01 API-11 API-12 a video is completed without a body, and made incomplete again', async () => {
  const danny = browser()
  const done = await danny.post(`/${video()}/complete`)
  expect([done.status, await done.json()]).toEqual([200, { videoId: video(), completed: true, completedAt: at(0) }])
  const undone = await danny.post(`/${video()}/incomplete`)
  expect(await undone.json()).toEqual({ videoId: video(), completed: false, completedAt: null })
})

test('API-11 a video that the member may not see is not found: unknown, unpublished, or of another tier', async () => {
  const danny = browser()
  for (const id of ['nothing', hidden.unpublished, hidden.otherTier]) {
    const response = await danny.post(`/${id}/complete`)
    expect([response.status, (await response.json()).error.code]).toEqual([404, 'not_found'])
  }
  expect(await danny.list()).toEqual([])
})

test('API-11 an owner may tick every published video', async () => {
  const olive = browser(world.addOwner())
  expect((await olive.post(`/${hidden.otherTier}/complete`)).status).toBe(200)
  expect((await olive.post(`/${hidden.unpublished}/complete`)).status).toBe(404)
})

test('API-10 API-11 API-12 not without a session, and not without access', async () => {
  const danny = browser()
  const paths = ['', `/${video()}/complete`, `/${video()}/incomplete`, '/sync']
  const ask = (call: typeof danny.call, path: string) =>
    call(
      `/api/video-progress${path}`,
      path === '' ? {} : { method: 'POST', ...(path === '/sync' ? { body: { deviceId: 'a', changes: [] } } : {}) },
    )
  for (const path of paths) expect((await ask(Object.assign(world.call, { cookie: '' }), path)).status).toBe(401)
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(danny.person.id)
  for (const path of paths) {
    const response = await ask(danny.call, path)
    expect([response.status, (await response.json()).error.code]).toEqual([403, 'forbidden'])
  }
})

test('API-12 a button wins over what is stored, even over a phone whose clock is ahead', async () => {
  const danny = browser()
  const { items } = await danny.sync([change(video(), { at: at(4 * 60_000), counter: 90 })])
  expect(items[0]).toMatchObject({
    completed: true,
    completedAt: at(0),
    at: at(4 * 60_000),
    counter: 90,
    deviceId: 'phone-a',
  })
  await danny.post(`/${video()}/incomplete`)
  const [item] = (await danny.sync([])).items
  expect(item).toEqual({
    videoId: video(),
    completed: false,
    completedAt: null,
    at: at(4 * 60_000),
    counter: 91,
    deviceId: 'server',
  })
})

test('PROG-02 every row is returned with the stamp that won, whatever was sent', async () => {
  const danny = browser()
  await danny.sync([change(video(0)), change(video(1), { completed: false })])
  world.forward(1_000)
  const response = await danny.sync([])
  expect(response.serverTime).toBe(at(1_000))
  expect(response.items.map(({ completed, completedAt, at }) => ({ completed, completedAt, at }))).toEqual([
    { completed: true, completedAt: at(0), at: at(0) },
    { completed: false, completedAt: null, at: at(0) },
  ])
})

test('PROG-01 a repeated change is acknowledged again, and its content ignored', async () => {
  const danny = browser()
  const first = change(video())
  await danny.sync([first, first])
  const { items, rejected } = await danny.sync([
    { ...first, completed: false, counter: 999 },
    { id: first.id, videoId: 5 },
    { ...first, videoId: hidden.unpublished },
  ])
  expect([items.length, items[0]?.completed, items[0]?.counter, rejected]).toEqual([1, true, first.counter, []])
  expect(applied()).toBe(1)
})

test('PROG-01 a stamp is fixed once, at most five minutes ahead of the server', async () => {
  const danny = browser()
  const wild = change(video(), { at: '2036-01-01T00:00:00.000Z' })
  expect((await danny.sync([wild])).items[0]).toMatchObject({ at: at(300_000), completedAt: at(0) })
  world.forward(60_000)
  expect((await danny.sync([wild])).items[0]?.at).toBe(at(300_000))
})

test('PROG-01 after the server’s clock was set back, what is ticked after seeing a row wins over it, on a phone and by the button', async () => {
  const danny = browser()
  const aDay = 24 * 60 * 60_000
  world.forward(aDay)
  const ahead = [video(0), video(1)].map((id) => change(id, { at: at(aDay) }))
  const seen = (await danny.sync(ahead)).items
  // The login made then has ended too.
  world.forward(-aDay)
  const back = browser(danny.person)
  const later = { completed: false, at: at(2_000), counter: Math.max(...seen.map(({ counter }) => counter)) + 1 }
  const unseen = change(video(0), { completed: false, at: at(3_000), counter: 0 })
  const rowOf = async (index: number, ...changes: ProgressChange[]) =>
    (await back.sync(changes)).items.find(({ videoId }) => videoId === video(index))
  expect(await rowOf(0, unseen)).toMatchObject({ completed: true, at: at(aDay) })
  expect(await rowOf(0, change(video(0), later))).toMatchObject({ ...later, deviceId: 'phone-a' })
  await back.post(`/${video(1)}/incomplete`)
  expect(await rowOf(1)).toMatchObject({ completed: false, at: at(0), deviceId: 'server' })
})

test('a rejected change blocks no other, and is rejected again', async () => {
  const danny = browser()
  const sound = [change(video(0)), change(video(1))]
  const bad = [
    ...['text', null, 7, {}, { id: 3 }, { ...change(video()), id: 'not-an-id' }, { ...change(video()), at: 'noon' }],
    ...[-1, 0.5, 2 ** 53, '1'].map((counter) => ({ ...change(video()), counter })),
    { ...change(video()), completed: 'yes' },
    ...[hidden.unpublished, hidden.otherTier, 'nothing', ''].map((id) => change(id)),
  ]
  const send = () => danny.sync([sound[0], ...bad, sound[1]])
  const { items, rejected } = await send()
  expect(items.map(({ videoId }) => videoId)).toEqual([video(0), video(1)].sort())
  expect(rejected.map(({ id }) => id)).toEqual(
    bad.map((one) => (typeof one === 'object' && one !== null && typeof one.id === 'string' ? one.id : null)),
  )
  expect(rejected.filter(({ code }: RejectedChange) => code === 'not_found')).toHaveLength(3)
  expect(rejected.filter(({ code }: RejectedChange) => code === 'malformed')).toHaveLength(13)
  expect((await send()).rejected).toEqual(rejected)
  expect(applied()).toBe(2)
})

test('a change that was rejected is accepted once the member may see the video', async () => {
  const danny = browser()
  const early = change(hidden.unpublished)
  expect((await danny.sync([early])).rejected).toHaveLength(1)
  world.ctx.sqlite.prepare('update member_videos set isPublished = 1 where id = ?').run(hidden.unpublished)
  expect(await danny.sync([early])).toMatchObject({ rejected: [], items: [{ videoId: hidden.unpublished }] })
})

test('ticks of another member are refused as a whole', async () => {
  const [danny, priya] = [browser(), browser()]
  const response = await danny.post('/sync', { memberId: priya.person.id, deviceId: 'a', changes: [change(video())] })
  expect([response.status, (await response.json()).error.code]).toEqual([409, 'wrong_member'])
  expect(applied()).toBe(0)
  expect((await danny.post('/sync', { deviceId: 'a', changes: [change(video())] })).status).toBe(200)
})

test('two members may use the same change id', async () => {
  const [danny, priya] = [browser(), browser()]
  const same = change(video())
  await danny.sync([same])
  expect((await priya.sync([same])).items).toHaveLength(1)
})

test('the request around the changes is validated as a whole', async () => {
  const danny = browser()
  const changes = Array.from({ length: 501 }, () => change(video()))
  for (const body of [
    { deviceId: 'a', changes },
    { deviceId: 'no spaces', changes: [] },
    { changes: [] },
    { deviceId: 'a' },
  ]) {
    expect((await danny.post('/sync', body)).status).toBe(422)
  }
  expect(applied()).toBe(0)
  expect((await danny.sync(changes.slice(1))).rejected).toEqual([])
  expect(applied()).toBe(500)
})

test('PROG-01 the order of arrival changes nothing', async () => {
  const danny = browser()
  const stamp = fc.record({
    ms: fc.integer({ min: -5, max: 5 }),
    counter: fc.nat(3),
    device: fc.constantFrom('a', 'b'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(stamp, { minLength: 2, maxLength: 6 }), fc.nat(), async (stamps, turn) => {
      world.ctx.sqlite.exec('delete from video_progress; delete from applied_changes')
      const changes = stamps.map(({ ms, counter, device }, index) => ({
        device,
        body: change(video(), { at: at(ms), counter, completed: index % 2 === 0 }),
      }))
      const result = async (list: typeof changes) => {
        for (const { device, body } of list) await danny.sync([body], { deviceId: device })
        const { items } = await danny.sync([])
        world.ctx.sqlite.exec('delete from video_progress; delete from applied_changes')
        return items
      }
      const pivot = turn % changes.length
      expect(await result([...changes.slice(pivot), ...changes.slice(0, pivot)].reverse())).toEqual(
        await result(changes),
      )
    }),
    { numRuns: 25 },
  )
})

test('PROG-01 a position is stored apart from the ticks: the latest wins, whatever the order, and what is wrong blocks nothing', async () => {
  const danny = browser()
  const stop = (seconds: number, ms: number, more = {}) => ({ videoId: video(), seconds, at: at(ms), ...more })
  const send = (positions: unknown[], deviceId = 'phone-a') => danny.sync([], { positions, deviceId })
  await send([stop(90, 2_000)])
  const { positions, items } = await send([stop(30, 1_000)], 'phone-b')
  expect([positions, items]).toEqual([[{ ...stop(90, 2_000), deviceId: 'phone-a' }], []])
  const wrong = [stop(-1, 9_000), stop(1.5, 9_000), stop(5, 9_000, { at: 'noon' }), 'text', null]
  const hiddenOnes = [hidden.unpublished, hidden.otherTier, 'nothing'].map((videoId) => stop(5, 9_000, { videoId }))
  const later = await send([...wrong, ...hiddenOnes, stop(120, 3_000)], 'phone-b')
  expect(later.positions).toEqual([{ ...stop(120, 3_000), deviceId: 'phone-b' }])
  expect((await browser().sync([])).positions).toEqual([])
  // Up to five minutes ahead. Once the server's clock was set back, whatever arrives now wins.
  expect((await send([stop(7, 365 * 86_400_000)])).positions).toMatchObject([{ seconds: 7, at: at(300_000) }])
  world.forward(-3_600_000)
  const { positions: back } = await browser(danny.person).sync([], { positions: [stop(8, -3_600_000)] })
  expect(back).toMatchObject([{ seconds: 8, at: at(-3_600_000) }])
})

test('a video is ticked from its day on, in London', async () => {
  const danny = browser()
  const setDay = (day: string | null) =>
    world.ctx.sqlite.prepare('update member_videos set availableFrom = ? where id = ?').run(day, video())
  const rejectedFrom = async (day: string | null) => {
    setDay(day)
    return (await danny.sync([change(video())])).rejected.map(({ code }) => code)
  }
  expect(await rejectedFrom('2026-06-13')).toEqual(['not_found'])
  expect([await rejectedFrom('2026-06-12'), await rejectedFrom('2026-06-11'), await rejectedFrom(null)]).toEqual([
    ...[[], [], []],
  ])
})
