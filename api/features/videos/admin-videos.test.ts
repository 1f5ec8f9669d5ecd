import { beforeEach, expect, test } from 'vitest'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { videoCategories } from '#shared/rules/video.ts'

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld({ env: { EMBED_HOSTS: 'player.example' } })
  owner = world.signIn(world.addOwner())
})

const pricing = { title: 'Pricing a day', videoType: 'wistia', videoId: 'abc123def4', category: 'Money' }
const at = '/api/admin/videos'
const add = async (body: Record<string, unknown> = {}): Promise<AdminVideo> =>
  (await owner(at, { body: { ...pricing, ...body } })).json()
const change = (id: string, body: Record<string, unknown>) => owner(`${at}/${id}`, { method: 'PATCH', body })
const all = async (): Promise<AdminVideo[]> => (await owner(at)).json()
const titles = async (call: Call) =>
  ((await (await call('/api/member-videos')).json()) as AdminVideo[]).map(({ title }) => title)
const fieldsOf = async (response: Response) => (await readError(response)).fields
const audited = () =>
  world.ctx.sqlite.prepare(`select action from audit_entries where action like 'video.%' order by id`).pluck().all()

test('CALLS-10 all videos, drafts too, by category as members see them, and order', async () => {
  world.addVideos()
  const videos = await all()
  expect(videos.some(({ isPublished }) => !isPublished)).toBe(true)
  const names: string[] = [...videoCategories, 'Guest evenings']
  const places = videos.map(({ category, orderIndex }) => names.indexOf(category) * 10_000 + orderIndex)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

test('CALLS-22 ENT-1 ENT-2 VID-1 VID-7 a video is added with its defaults, and members see it at once', async () => {
  const member = world.signIn(world.addMember({ tier: 'lite' }))
  expect(await titles(member)).toEqual([])
  const video = await add()
  expect(video).toMatchObject({ ...pricing, description: null, embedUrl: null, orderIndex: 0, duration: null })
  expect(video).toMatchObject({ isPublished: true, tierAccess: [...shippedTierSlugs, 'mastermind'], version: 1 })
  expect(Object.keys(video)).not.toContain('wistiaId')
  expect(await titles(member)).toEqual(['Pricing a day'])
  expect(audited()).toEqual(['video.added'])
})

test('a category in other capitals is the one that is there', async () => {
  const { id } = await add({ category: 'MONEY' })
  await change(id, { category: 'money', version: 1 })
  expect((await all()).map(({ category }) => category)).toEqual(['Money'])
})

test('a video’s address is made of its title, differs from all others, and stays when the title changes', async () => {
  const slugs = [await add(), await add(), await add({ title: '???' })].map(({ slug }) => slug)
  expect(slugs).toEqual(['pricing-a-day', 'pricing-a-day-2', 'video'])
  const [first] = (await all()).filter(({ slug }) => slug === 'pricing-a-day')
  const changed = await change(first?.id ?? '', { title: 'Pricing by the hour', slug: 'mine', version: 1 })
  expect(await changed.json()).toMatchObject({ title: 'Pricing by the hour', slug: 'pricing-a-day' })
  expect((await add()).slug).toBe('pricing-a-day-3')
})

test('CALLS-22 the same form sent again, because its response was lost, adds one video', async () => {
  const sent = { body: pricing, headers: { 'idempotency-key': world.ctx.newId() } }
  const [one, again] = [await owner(at, sent), await owner(at, sent)]
  expect(await again.json()).toEqual(await one.json())
  expect(await all()).toHaveLength(1)
})

test('EMSG-46 EMSG-47 EMSG-48 EMSG-49 EMSG-50 VID-1 VID-2 what is missing or wrong is named, and nothing is stored', async () => {
  expect(await fieldsOf(await owner(at, { body: {} }))).toEqual({
    title: 'Title is required',
    videoType: 'Video type is required',
    videoId: 'Video ID/URL is required',
    category: 'Category is required',
  })
  const wrong: [field: string, value: unknown, message: string][] = [
    ['title', '  ', 'Title is required'],
    ['videoType', 'vimeo', 'Video type is required'],
    ['videoId', '', 'Video ID/URL is required'],
    ['category', '', 'Category is required'],
    ['orderIndex', -1, 'Order must be 0 or greater'],
    ['orderIndex', 1.5, 'Use a whole number.'],
    ['tierAccess', [], 'Choose at least one tier.'],
  ]
  for (const [field, value, message] of wrong)
    expect(await fieldsOf(await owner(at, { body: { ...pricing, [field]: value } }))).toEqual({ [field]: message })
  expect(await all()).toEqual([])
})

test('VID-2 VID-3 VID-4 VID-5 VID-6 what is pasted is reduced to the host’s id before it is stored', async () => {
  const pasted: [videoType: string, videoId: string, stored: string][] = [
    ['wistia', 'https://alliance.wistia.com/medias/abc123def4?wtime=3', 'abc123def4'],
    ['wistia', '<iframe src="https://fast.wistia.net/embed/iframe/abc123def4?a=1&amp;b=2"></iframe>', 'abc123def4'],
    ['wistia', 'https://fast.wistia.net/embed/iframe/abc123def4', 'abc123def4'],
    ['youtube', 'https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=4', 'aqz-KE-bpKQ'],
    ['streamyard', 'https://streamyard.com/watch/k7m2', 'k7m2'],
    ['embed', '<iframe src="https://player.example/a"></iframe>', 'https://player.example/a'],
  ]
  for (const [videoType, videoId, stored] of pasted) expect((await add({ videoType, videoId })).videoId).toBe(stored)
  expect(await fieldsOf(await owner(at, { body: { ...pricing, videoType: 'youtube' } }))).toEqual({
    videoId: 'That’s not a YouTube video. Paste its address or its 11-character ID.',
  })
  expect(
    Object.keys((await fieldsOf(await owner(at, { body: { ...pricing, embedUrl: 'http://a.example' } }))) ?? {}),
  ).toEqual(['embedUrl'])
})

test('CALLS-23 MEMB-20 a change is stored, raises the version and reaches members; the rest stays', async () => {
  const member = world.signIn(world.addMember({ tier: 'lite' }))
  const video = await add({ description: 'Two ways', duration: 12 })
  const changed = await change(video.id, { isPublished: false, version: 1 })
  expect(await changed.json()).toEqual({ ...video, isPublished: false, version: 2 })
  expect(await titles(member)).toEqual([])
  await change(video.id, { isPublished: true, tierAccess: ['xl'], version: 2 })
  expect(await titles(member)).toEqual([])
  await change(video.id, { title: 'A day, a job', tierAccess: ['lite'], version: 3 })
  expect(await titles(member)).toEqual(['A day, a job'])
  expect((await change(video.id, { title: 'No version' })).status).toBe(422)
  expect((await change(world.ctx.newId(), { title: 'Gone', version: 1 })).status).toBe(404)
})

test('CALLS-23 a video that another owner has changed meanwhile is not overwritten; both versions come back', async () => {
  const video = await add()
  await change(video.id, { title: 'Theirs', version: 1 })
  const refused = await change(video.id, { title: 'Mine', version: 1 })
  expect(refused.status).toBe(409)
  const { error } = await refused.json()
  expect(error).toMatchObject({
    code: 'version_conflict',
    versions: { sent: { title: 'Mine', version: 1 }, current: { title: 'Theirs', version: 2 } },
  })
  // The same change again, as after a lost response.
  expect((await change(video.id, { title: 'Theirs', version: 1 })).status).toBe(200)
  expect((await all())[0]).toMatchObject({ title: 'Theirs', version: 2 })
  expect(audited()).toEqual(['video.added', 'video.changed'])
})

test('CALLS-24 a video is removed with its ticks, unless it has changed since', async () => {
  const member = world.signIn(world.addMember())
  const video = await add()
  await member(`/api/video-progress/${video.id}/complete`, { method: 'POST' })
  const remove = (query: string) => owner(`${at}/${video.id}${query}`, { method: 'DELETE' })
  await change(video.id, { title: 'Theirs', version: 1 })
  expect((await remove('?version=1')).status).toBe(409)
  expect((await remove('?version=2')).status).toBe(200)
  expect((await remove('?version=2')).status).toBe(404)
  expect(await titles(member)).toEqual([])
  expect(world.ctx.sqlite.prepare('select count(*) from video_progress').pluck().get()).toBe(0)
  expect(audited().at(-1)).toBe('video.removed')
})

test('a category is put in order as a whole, unless it has changed since', async () => {
  const [a, b, c] = [await add({ title: 'A' }), await add({ title: 'B' }), await add({ title: 'C', orderIndex: 7 })]
  const order = (videos: { id: string; version: number }[]) => owner(`${at}/order`, { method: 'PUT', body: { videos } })
  const reduced = ({ id, version }: AdminVideo) => ({ id, version })
  const ordered: AdminVideo[] = await (await order([c, a, b].map(reduced))).json()
  expect(ordered.map(({ title, orderIndex, version }) => [title, orderIndex, version])).toEqual([
    ['C', 0, 2],
    ['A', 1, 2],
    ['B', 2, 2],
  ])
  expect(await titles(world.signIn(world.addMember()))).toEqual(['C', 'A', 'B'])
  expect((await order([a, b, c].map(reduced))).status).toBe(409)
  const added = await add({ title: 'D', orderIndex: 3 })
  expect((await order(ordered.map(reduced))).status).toBe(409)
  expect((await order([...ordered, ordered[0] ?? a].map(reduced))).status).toBe(422)
  expect((await order([...ordered, added].map(reduced))).status).toBe(200)
})

test('VID-8 a player of a site that our pages may not show is refused by name; hosts keep to their own', async () => {
  const embed = (videoId: string, embedUrl?: string) =>
    owner(at, { body: { ...pricing, videoType: 'embed', videoId, ...(embedUrl ? { embedUrl } : {}) } })
  expect((await embed('https://player.example/a')).status).toBe(200)
  for (const [response, field] of [
    [await embed('https://evil.example/a'), 'videoId'],
    [await embed('https://player.example/a', 'https://evil.example/b'), 'embedUrl'],
    [await embed('https://player.example.evil.example/a'), 'videoId'],
    [await owner(at, { body: { ...pricing, embedUrl: 'https://player.example/a' } }), 'embedUrl'],
    [await change((await add()).id, { embedUrl: 'https://evil.example/a', version: 1 }), 'embedUrl'],
  ] as const)
    expect(Object.keys((await fieldsOf(response)) ?? {})).toEqual([field])
  expect(await fieldsOf(await embed('https://evil.example/a'))).toEqual({
    videoId: 'You can’t embed evil.example yet. Add it under “More video hosts” in Settings.',
  })
})
