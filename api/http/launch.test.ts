import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { SyncResponse } from '#shared/contract/progress.ts'

let world: World
let request: Call
let videoId: string

beforeEach(() => {
  world = startWorld()
  openCalendar(world)
  videoId = world.addVideos().find(({ tierAccess }) => tierAccess.includes('xl'))?.id ?? ''
  request = world.signIn(world.addMember({ tier: 'xl' }))
})

/** What the members' area requests when it opens, apart from progress. */
const asked = [
  '/api/auth/user',
  '/api/billing/subscription',
  '/api/calendar/mine',
  '/api/member-videos',
  '/api/shelf',
] as const

/** A response's size on the wire, without header compression. The server adds the date. */
async function bytesOf(response: Response): Promise<number> {
  const line = `HTTP/1.1 ${response.status} Not Modified\r\ndate: Fri, 12 Jun 2026 07:40:00 GMT\r\n\r\n`
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`)
  return line.length + headers.join('').length + (await response.bytes()).byteLength
}

const sync = (version: string | undefined, more: object = {}) =>
  request('/api/video-progress/sync', { body: { deviceId: 'phone', changes: [], version, ...more } })
const versionOf = async (response: Response) => v.parse(SyncResponse, await response.json()).version

test('PROG-01 CALLS-5 the answers of a launch are confirmed by their tags, in 800 bytes together, until something changes', async () => {
  const tags = new Map<string, string>()
  for (const path of asked) tags.set(path, (await request(path)).headers.get('etag') ?? '')
  const version = await versionOf(await sync(undefined))
  const again = (path: string) => request(path, { headers: { 'if-none-match': tags.get(path) ?? '' } })
  const responses = [...(await Promise.all(asked.map(again))), await sync(version)]
  expect(responses.map(({ status }) => status)).toEqual([304, 304, 304, 304, 304, 204])
  for (const response of responses.slice(0, 5)) expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(responses.at(-1)?.headers.get('server-time')).toBe(world.ctx.now().toISOString())
  const bytes = await Promise.all(responses.map(bytesOf))
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(800)

  await request('/api/user/profile', {
    method: 'PATCH',
    body: { firstName: 'Bartholomew' },
  })
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await request('/api/calendar/calls', { body })).status).toBe(200)
  expect([(await again(asked[0])).status, (await again(asked[2])).status]).toEqual([200, 200])
  // Another person's ETag mustn't match.
  const other = world.signIn(world.addMember({ tier: 'xl' }))
  const theirs = await other(asked[0], { headers: { 'if-none-match': tags.get(asked[0]) ?? '' } })
  expect(theirs.status).toBe(200)
})

test('PROG-01 rows that another device changed are sent whole; what is sent is always answered whole', async () => {
  const first = await versionOf(await sync(undefined))
  await request(`/api/video-progress/${videoId}/complete`, { method: 'POST' })
  const second = await versionOf(await sync(first))
  expect(second).not.toBe(first)
  expect((await sync(second)).status).toBe(204)
  const at = world.ctx.now().toISOString()
  const positions = [{ videoId, seconds: 40, at }]
  const third = await versionOf(await sync(second, { positions }))
  expect(third).not.toBe(second)
  expect((await sync(third, { positions })).status).toBe(200)
  expect((await sync(third)).status).toBe(204)
  expect((await sync('')).status).toBe(200)
})

async function listsAs(encodings: string) {
  const paths = ['/api/member-videos', '/api/member-videos/texts']
  return Promise.all(paths.map((path) => request(path, { headers: { 'accept-encoding': encodings } })))
}

test('PROG-02 the lists that a phone asks for come compressed, and are the same: a site of 300 videos within 100 kB', async () => {
  const { sqlite } = world.ctx
  sqlite.exec(`insert into member_videos
    (id, slug, title, description, "videoType", "videoId", category, "isPublished", "orderIndex", "createdAt", "updatedAt")
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
    select id || i, slug || i, title || ' ' || i, description || ' Part ' || i || '.', "videoType", "videoId" || i, category,
      1, "orderIndex", "createdAt", "updatedAt" from n join (select * from member_videos limit 1);
    insert or ignore into video_tiers select v.id, t.slug from member_videos v, membership_tiers t`)
  invalidateResponses(world.ctx)
  const whole = await Promise.all((await listsAs('identity')).map((response) => response.text()))
  expect(whole[0]?.length).toBeGreaterThan(100_000)
  for (const [encoding, unpack] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const packed = await Promise.all(
      (await listsAs(encoding)).map(async (response) => {
        expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
          encoding,
          'accept-encoding',
        ])
        return Buffer.from(await response.arrayBuffer())
      }),
    )
    expect(packed.map((bytes) => unpack(bytes).toString())).toEqual(whole)
    expect(packed.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(100_000)
  }
})

test('PROG-01 the tag of a compressed list is known again, whatever the phone takes by then', async () => {
  const [first] = await listsAs('gzip, deflate, br')
  const etag = first?.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\//)
  for (const encodings of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encodings, 'if-none-match': etag }
    expect((await request('/api/member-videos', { headers })).status).toBe(304)
  }
})
