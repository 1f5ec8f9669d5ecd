import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { officeFile, videoFileOf } from '#api/testing/media.ts'
import type { Call } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import type { SiteCopy } from '#shared/contract/site-copy.ts'

let full: DataFolder
let empty: DataFolder
let files: string
beforeEach(() => {
  full = openDataFolder()
  empty = openDataFolder()
  files = mkdtempSync(join(tmpdir(), 'alliance-round-trip-'))
})
afterEach(() => {
  full.close()
  empty.close()
  rmSync(files, { recursive: true })
})

/** Two frames of an MP3. */
function soundFile(): Blob {
  const path = join(files, 'sound.mp3')
  writeFileSync(
    path,
    Uint8Array.from({ length: 834 }, (_, at) => [0xff, 0xfb, 0x90, 0x00][at % 417] ?? 0),
  )
  return Bun.file(path)
}

async function json(response: Response | Promise<Response>) {
  const { status } = await response
  expect(status).toBe(200)
  return (await response).json()
}

const put = { method: 'PUT' } as const
const windows = [{ opens: '09:00', closes: '12:00' }]
const mondayHours = { coach: 'coach-1', kind: 'sales', weekday: 'mon', windows, version: 0 }
const videoOf = (title: string, category: string) => ({
  title,
  category,
  videoType: 'youtube',
  videoId: 'aqz-KE-bpKQ',
})

async function addVideos(
  owner: Call,
  { film: videoFile, light, paper }: Record<'film' | 'light' | 'paper', string>,
): Promise<void> {
  const texts = { notes: 'Do it on Monday.', transcript: null, captions: 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n' }
  const parts = { ...texts, filmFiles: [videoFile], handoutFiles: [{ file: paper, title: 'Price list' }] }
  const { id } = await json(owner('/api/admin/videos', { body: { ...videoOf('One', 'Vans'), ...parts } }))
  await json(owner(`/api/admin/videos/${id}/versions/light`, { ...put, body: { file: light } }))
  await json(owner('/api/admin/videos', { body: { ...videoOf('Two', 'Money'), isPublished: false } }))
  await json(owner('/api/admin/videos', { body: { ...videoOf('Three', 'Money'), availableFrom: '2027-01-31' } }))
  const names = ['Money', 'An empty one', 'Vans']
  const known = await json(owner('/api/admin/videos/categories'))
  const categories = names.map((name) => ({
    name,
    was: known.categories.some((one: { name: string }) => one.name === name) ? name : null,
  }))
  await json(owner('/api/admin/videos/categories', { ...put, body: { categories, version: known.version } }))
}

async function fill({ world, local }: DataFolder): Promise<void> {
  const owner = world.signIn(world.addOwner())
  const store = async (content: Blob, name: string, isPublic: boolean) =>
    (await storeMedia(world.ctx, content, { name, isPublic })).id
  const sound = await store(soundFile(), 'talk.mp3', true)
  const videoFile = await store(new Blob([new Uint8Array(videoFileOf(3000, 1))]), 'film.mp4', false)
  const light = await store(new Blob([new Uint8Array(videoFileOf(2000, 2))]), 'film-light.mp4', false)
  const paper = await store(new Blob([new Uint8Array(officeFile('xlsx'))]), 'prices.xlsx', false)
  await addVideos(owner, { film: videoFile, light, paper })
  const post = { title: 'A post', slug: 'a-post', content: '<p>Words</p>', isPublished: true }
  const one = await json(owner('/api/admin/blog', { body: { ...post, shareImage: '/pictures/van.svg' } }))
  const picture = { featuredImage: '/pictures/van.svg', featuredImageAlt: 'Rain' }
  const moved = { method: 'PATCH', body: { slug: 'the-post', ...picture, version: one.version } } as const
  await json(owner(`/api/admin/blog/${one.id}`, moved))
  await json(owner('/api/admin/blog', { body: { ...post, title: 'A draft', slug: 'a-draft', isPublished: false } }))
  const episode = { title: 'Charging', summary: 'Add it up.', seconds: 1470, mediaId: sound }
  const square = sharp({ create: { width: 1400, height: 1400, channels: 3, background: '#aa2211' } }).png()
  const pictureId = await store(new Blob([new Uint8Array(await square.toBuffer())]), 'one.png', true)
  const told = { pictureId, notes: 'More at https://example.com', number: 1, isExplicit: true, isPublished: true }
  await json(owner('/api/admin/podcast', { body: { ...episode, ...told } }))
  await json(owner('/api/admin/podcast', { body: { ...episode, title: 'A draft' } }))
  await json(owner('/api/admin/content/about', { ...put, body: { version: 0, entry: 'title', value: 'Who we are' } }))
  await json(owner('/api/admin/calendar/hours', { ...put, body: mondayHours }))
  await local('settings set FACEBOOK_URL https://facebook.example/bench')
  await local('tiers set lite --name Bench-Lite --feature One --feature Two')
}

const copyIn = (name: string): SiteCopy => JSON.parse(readFileSync(join(files, `${name}.json`), 'utf8'))
function filesIn(name: string) {
  const folder = join(files, `${name}-media`)
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : []
  return names.map((file) => [file, readFileSync(join(folder, file)).toString('base64')])
}

test('a full site put into an empty one is the same site, with its episodes and the order of its categories', {
  tags: ['full'],
}, async () => {
  await fill(full)
  expect(await full.local(`content export ${files}/first.json`)).toMatchObject({ code: 0 })
  expect(await empty.local(`content import ${files}/first.json --yes`)).toMatchObject({ code: 0, err: '' })
  // A second import changes nothing and duplicates nothing.
  expect(await empty.local(`content import ${files}/first.json --yes`)).toMatchObject({ code: 0, err: '' })
  await empty.local(`content export ${files}/again.json`)
  const [first, again] = [copyIn('first'), copyIn('again')]
  expect({ ...again, madeAt: '' }).toEqual({ ...first, madeAt: '' })
  expect(filesIn('again')).toEqual(filesIn('first'))
  const { media, words, settings, tiers, videos, posts, hours } = first
  for (const [part, copied] of Object.entries({ media, words, settings, tiers, videos, posts, hours }))
    expect([part, Object.keys(copied).length > 0]).toEqual([part, true])
  expect([first.categories, first.episodes.map(({ title }) => title)]).toEqual([
    ['Money', 'An empty one', 'Vans'],
    ['Charging', 'A draft'],
  ])
  expect(first.posts.map(({ slug, slugsBefore }) => [slug, slugsBefore])).toEqual([
    ['the-post', ['a-post']],
    ['a-draft', []],
  ])
  const picture = { featuredImage: '/pictures/van.svg', featuredImageAlt: 'Rain' }
  expect(await json(empty.world.call('/api/blog/a-post'))).toMatchObject({ slug: 'the-post', ...picture })
  const items = async ({ world }: DataFolder) =>
    (await (await world.call('/podcast.xml')).text()).match(/<item>[\s\S]*?<\/item>/g)
  expect(await items(empty)).toEqual([expect.stringMatching(/<enclosure[\s\S]*<itunes:image href="[^"]*\.png"/)])
})

test('an episode without its sound is named and left out', { tags: ['full'] }, async () => {
  await fill(full)
  await full.local(`content export ${files}/whole.json`)
  writeFileSync(join(files, 'silent.json'), JSON.stringify({ ...copyIn('whole'), media: [] }))
  const put = await empty.local(`content import ${files}/silent.json --yes`)
  expect(put).toMatchObject({
    code: 1,
    err: expect.stringContaining('Not imported: A draft: its audio isn’t in the export.'),
  })
})

test('a site goes live without the videos and posts of the sandbox that nobody has changed, and is told so', {
  tags: ['full'],
}, async () => {
  const { world } = full
  const owner = world.signIn(world.addOwner())
  const ids: { id: string; version: number }[] = []
  for (const { slug: _, ...seed } of videoSeeds) {
    // A live site embeds no player of this host.
    if (seed.videoType !== 'embed') ids.push(await json(owner('/api/admin/videos', { body: seed })))
  }
  const [first, second] = ids
  if (first === undefined || second === undefined) throw new Error('the sandbox has no lessons')
  const change = { method: 'PATCH', body: { title: 'My first week', version: first.version } }
  await json(owner(`/api/admin/videos/${first.id}`, change))
  const write = (notes: string, version: number) =>
    json(owner(`/api/admin/videos/${second.id}`, { method: 'PATCH', body: { notes, version } }))
  await write('Ours', second.version)
  await write('Better', second.version + 1)
  for (const { daysAgo: _, ...seed } of postSeeds) await json(owner('/api/admin/blog', { body: seed }))
  await json(owner('/api/admin/blog', { body: { title: 'Ours', slug: 'ours', content: '<p>Words</p>' } }))

  const made = await full.local(`content export ${files}/first.json`)
  const { videos, posts } = copyIn('first')
  const written = videos.map(({ title }) => title).toSorted()
  expect(written).toEqual(['My first week', videoSeeds[1]?.title].toSorted())
  expect(posts.map(({ slug }) => slug)).toEqual(['ours'])
  expect(made.err).toContain(
    `Left out: ${ids.length - 2} lessons and ${postSeeds.length} posts as samples you haven’t changed.`,
  )
  expect(made.err).toContain('Still with the sample’s video: My first week. Give it your own.')
  expect(await empty.local(`content import ${files}/first.json --yes`)).toMatchObject({ code: 0, err: '' })
})

test('a post that was given another address since the last copy is the same post', { tags: ['full'] }, async () => {
  const owner = full.world.signIn(full.world.addOwner())
  const post = { title: 'Vans', slug: 'vans', content: '<p>Two.</p>', isPublished: true }
  const { id, version } = await json(owner('/api/admin/blog', { body: post }))
  const carry = async (name: string) => {
    await full.local(`content export ${files}/${name}.json`)
    expect(await empty.local(`content import ${files}/${name}.json --yes`)).toMatchObject({ code: 0, err: '' })
  }
  await carry('first')
  await json(owner(`/api/admin/blog/${id}`, { method: 'PATCH', body: { slug: 'which-van', version } }))
  await carry('second')
  await empty.local(`content export ${files}/there.json`)
  expect(copyIn('there').posts.map(({ slug, slugsBefore }) => [slug, slugsBefore])).toEqual([['which-van', ['vans']]])
})
