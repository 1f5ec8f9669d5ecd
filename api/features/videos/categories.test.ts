import { beforeEach, expect, test } from 'vitest'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminVideo, VideoCategories, VideoViewer } from '#shared/contract/admin-video.ts'
import { videoCategories } from '#shared/rules/video.ts'

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
})

const path = '/api/admin/videos/categories'
async function add(title: string, category: string, more: object = {}): Promise<AdminVideo> {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category, ...more }
  return (await owner('/api/admin/videos', { body: video })).json()
}
const read = async (): Promise<VideoCategories> => (await owner(path)).json()
const write = (version: number, ...categories: [name: string, was: string | null][]) =>
  owner(path, { method: 'PUT', body: { version, categories: categories.map(([name, was]) => ({ name, was })) } })

test('owners add, rename, order and remove categories; members see the videos in that order', async () => {
  await add('Pricing', 'Money')
  await add('Vans', 'Odd jobs')
  await add('Plans', 'Strategy')
  const member = world.signIn(world.addMember({ tier: 'lite' }))
  const seen = async () => {
    const videos: AdminVideo[] = await (await member('/api/member-videos')).json()
    return videos.map(({ title, category }) => `${category}: ${title}`)
  }
  const first = await read()
  expect(first.categories.map(({ name }) => name)).toEqual([...videoCategories, 'Odd jobs'])
  expect(await seen()).toEqual(['Strategy: Plans', 'Money: Pricing', 'Odd jobs: Vans'])
  // Two of them swap names.
  const changed = await write(0, ['Odd jobs', 'Odd jobs'], ['Money', 'Strategy'], ['Strategy', 'Money'], ['Yard', null])
  expect(await changed.json()).toEqual({
    version: 1,
    categories: [
      { name: 'Odd jobs', videos: 1 },
      { name: 'Money', videos: 1 },
      { name: 'Strategy', videos: 1 },
      { name: 'Yard', videos: 0 },
    ],
  })
  expect(await seen()).toEqual(['Odd jobs: Vans', 'Money: Plans', 'Strategy: Pricing'])
})

test('a category with videos stays, no two have one name, and two owners do not overwrite each other', async () => {
  await add('Pricing', 'Money')
  const lost = await readError(await write(0, ['Strategy', 'Strategy']))
  expect([lost.status, lost.message]).toEqual([422, '“Money” still has 1 video. Move it to another category first.'])
  expect((await readError(await write(0, ['Money', 'Money'], ['money', null]))).message).toMatch(
    /two categories called/,
  )
  expect((await readError(await write(0, ['Money', 'Money'], ['Cash', 'Money']))).message).toMatch(
    /listed a category twice/,
  )
  expect((await write(0, ['Money', 'Money'])).status).toBe(200)
  expect((await readError(await write(0, ['Money', 'Money']))).code).toBe('version_conflict')
  expect((await read()).version).toBe(1)
})

test('who has seen a video: those of its tiers with how far they are, and any member who has ticked it', async () => {
  const { id } = await add('For XL', 'Money', { tierAccess: ['xl'] })
  const [done, begun, open] = ['xl', 'xl', 'xl'].map((tier) => world.addMember({ tier: tier as 'xl' }))
  const [lite, left] = [world.addMember({ tier: 'lite' }), world.addMember({ subscription: { status: 'canceled' } })]
  if (!done || !begun || !open) throw new Error('They were not made.')
  await world.signIn(done)(`/api/video-progress/${id}/complete`, { method: 'POST' })
  const { sqlite } = world.ctx
  sqlite.prepare(`insert into video_positions values (?, ?, 77, '2026-06-12T07:40:00.000Z', 'phone')`).run(begun.id, id)
  sqlite
    .prepare(
      `insert into video_progress (id, userId, videoId, completed, completedAt, at, counter, deviceId, changeId, createdAt, updatedAt)
       values ('p', ?, ?, 1, '2026-05-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z', 1, 'd', 'c', '2026-05-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z')`,
    )
    .run(left.id, id)
  const viewers = async (query = ''): Promise<VideoViewer[]> =>
    (await owner(`/api/admin/videos/${id}/viewers?sort=state${query}`)).json()
  const states = (await viewers()).map((viewer) => [viewer.id, viewer.state, viewer.seconds])
  expect(new Set(states.map(String))).toEqual(
    new Set([`${done.id},done,`, `${left.id},done,`, `${begun.id},begun,77`, `${open.id},open,`]),
  )
  expect(states.map(([, state]) => state)).toEqual(['done', 'done', 'begun', 'open'])
  expect((await viewers('&show=open')).map((viewer) => viewer.id)).toEqual([open.id])
  expect((await viewers()).map((viewer) => viewer.id)).not.toContain(lite.id)
})
