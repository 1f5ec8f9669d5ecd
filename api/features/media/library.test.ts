import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { addPost } from '#api/features/site/blog/service.ts'
import { officeFile, videoFileOf } from '#api/testing/media.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import type { AdminVideo, WholeVideo } from '#shared/contract/admin-video.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import type { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { chunkType } from '#shared/contract/upload-piece.ts'
import type { VideoText } from '#shared/contract/video.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-library-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const boss = world.addOwner()
/** Logs in each time: an owner's login ends after hours, and days go by here. */
const owner: Call = (path, options) => world.signIn(boss)(path, options)
const [lite, xl] = [world.signIn(world.addMember({ tier: 'lite' })), world.signIn(world.addMember({ tier: 'xl' }))]
const media = '/api/admin/media'

async function upload(content: Uint8Array, more: { name?: string; isPublic?: boolean; replaces?: string } = {}) {
  const fingerprint = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  const body = { name: 'film.mp4', isPublic: false, bytes: content.length, fingerprint, ...more }
  const begun = await owner(`${media}/uploads`, { body })
  if (begun.status !== 200) return begun
  const { id }: MediaUpload = await begun.json()
  await world.handle(
    new Request(`http://localhost${media}/uploads/${id}`, {
      method: 'PATCH',
      headers: { cookie: world.signIn(boss).cookie, 'content-type': chunkType, 'upload-offset': '0' },
      body: content.slice(),
    }),
  )
  return owner(`${media}/uploads/${id}/finish`, { method: 'POST' })
}
const store = async (...given: Parameters<typeof upload>): Promise<MediaFile> => (await upload(...given)).json()

const list = async (query = ''): Promise<MediaFile[]> => (await owner(`${media}?sort=name${query}`)).json()
const names = async (query?: string) => (await list(query)).map(({ name }) => name)

async function addVideo(title: string, more: object = {}): Promise<AdminVideo> {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess: ['xl'], ...more }
  return (await owner('/api/admin/videos', { body: video })).json()
}
const change = (video: AdminVideo, body: object) => owner(`/api/admin/videos/${video.id}`, { method: 'PATCH', body })
const vtt = (words: string) => Buffer.from(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`)

test('the library finds files by name, kind and use, sorts and pages them, and says where each is used', async () => {
  const videoFile = await store(videoFileOf(4000, 1), { name: 'Hours.mp4' })
  const sheet = await store(officeFile('xlsx'), { name: 'Prices.xlsx' })
  const captions = await store(vtt('Margin'), { name: 'hours.vtt' })
  const shown = await store(videoFileOf(5000, 2), { name: 'Open day.mp4', isPublic: true })
  const video = await addVideo('An hour’s price')
  await change(video, { filmFiles: [videoFile.id], version: 1 })
  await change(video, { handoutFiles: [{ file: sheet.id, title: 'Price sheet' }], version: 2 })
  await change(video, { captions: vtt('Margin').toString(), captionsFrom: captions.id, version: 3 })
  const post = { title: 'Open day', slug: 'open-day', excerpt: null, author: 'Dave', featuredImage: null }
  addPost(world.ctx, { ...post, content: `<a href="${shown.address}">Film</a>`, isPublished: true, publishedAt: null })
  expect(
    (await list()).map(({ name, usedIn }) => [name, ...usedIn.map(({ what, title }) => `${what}: ${title}`)]),
  ).toEqual([
    ['Hours.mp4', 'film: An hour’s price'],
    ['hours.vtt', 'captions: An hour’s price'],
    ['Open day.mp4', 'post: Open day'],
    ['Prices.xlsx', 'handout: An hour’s price'],
  ])
  expect(await names('&kind=film')).toEqual(['Hours.mp4', 'Open day.mp4'])
  expect(await names('&kind=film&who=members')).toEqual(['Hours.mp4'])
  expect(await names('&q=hours')).toEqual(['Hours.mp4', 'hours.vtt'])
  expect(await names('&use=unused')).toEqual([])
  const first = await owner(`${media}?sort=-size&limit=3`)
  const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const pages: MediaFile[] = [...(await first.json()), ...(await (await owner(next)).json())]
  expect([first.headers.get(totalHeader), pages.map(({ name }) => name)]).toEqual([
    '4',
    ['Open day.mp4', 'Hours.mp4', 'Prices.xlsx', 'hours.vtt'],
  ])
  for (const [{ id }, text] of [
    [videoFile, 'This file is used in the video “An hour’s price”. Remove it there first.'],
    [sheet, 'This file is used in “An hour’s price” (downloads). Remove it there first.'],
    [captions, 'This file is used in “An hour’s price” (captions). Remove it there first.'],
    [shown, 'This file is used in the post “Open day”. Remove it there first.'],
  ] as const)
    expect((await readError(await owner(`${media}/${id}`, { method: 'DELETE' }))).message).toBe(text)
})

test('a hand-out is open to the tiers of its video and to nobody else, and only from the video’s day on', async () => {
  const sheet = await store(officeFile('docx'), { name: 'Quote.docx' })
  const video = await addVideo('Quotes', { availableFrom: '2026-06-15' })
  await change(video, { handoutFiles: [{ file: sheet.id, title: 'A quote to copy' }], version: 1 })
  const titles = async () => {
    const videos: AdminVideo[] = await (await xl('/api/member-videos')).json()
    const texts: VideoText[] = await (await xl('/api/member-videos/texts')).json()
    return [
      videos.some(({ id }) => id === video.id),
      texts.find(({ videoId }) => videoId === video.id)?.handouts?.map(({ title }) => title) ?? null,
      (await xl(sheet.address)).status,
    ]
  }
  const etag = async () => (await xl('/api/member-videos')).headers.get('etag')
  const tick = () => xl(`/api/video-progress/${video.id}/complete`, { method: 'POST' })
  expect(await titles()).toEqual([false, null, 404])
  expect((await tick()).status).toBe(404)
  const before = await etag()
  // To the last second of the previous day, in London.
  world.forward(Date.parse('2026-06-14T22:59:59.000Z') - world.ctx.now().getTime())
  expect([...(await titles()), (await etag()) === before]).toEqual([false, null, 404, true])
  world.forward(1000)
  expect([...(await titles()), (await etag()) === before]).toEqual([true, ['A quote to copy'], 200, false])
  expect((await tick()).status).toBe(200)
  const statuses = [world.call, lite, owner].map(async (call) => (await call(sheet.address)).status)
  expect(await Promise.all(statuses)).toEqual([401, 404, 200])
})

test('hand-outs are files for members, once each, on the version that the owner saw', async () => {
  const [shown, hidden] = [
    await store(officeFile('pptx'), { name: 'Talk.pptx', isPublic: true }),
    await store(officeFile('pptx'), { name: 'Talk.pptx' }),
  ]
  const video = await addVideo('Talks')
  const handouts = (...files: MediaFile[]) => files.map(({ id }) => ({ file: id, title: 'Talk' }))
  for (const given of [handouts(shown), handouts(hidden, hidden)])
    expect((await change(video, { handoutFiles: given, version: 1 })).status).toBe(422)
  expect((await change(video, { handoutFiles: handouts(hidden), version: 1 })).status).toBe(200)
  expect((await readError(await change(video, { handoutFiles: [], version: 1 }))).code).toBe('version_conflict')
})

test('a replaced file keeps its address and its uses; another format, and what has to stay, are refused', async () => {
  const videoFile = await store(videoFileOf(6000, 5), { name: 'Old.mp4' })
  const video = await addVideo('Vans')
  await change(video, { filmFiles: [videoFile.id], version: 1 })
  const [before, after] = [
    await owner(videoFile.address),
    await store(videoFileOf(7000, 6), { name: 'New.mp4', replaces: videoFile.id }),
  ]
  expect([after.id, after.address, after.name, after.usedIn.length]).toEqual([
    videoFile.id,
    videoFile.address,
    'New.mp4',
    1,
  ])
  const now = await owner(videoFile.address, { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
  expect([now.status, (await now.arrayBuffer()).byteLength]).toEqual([200, 7000])
  const refusal = async (content: Uint8Array) =>
    (await readError(await upload(content, { replaces: videoFile.id }))).message
  expect(await refusal(officeFile('xlsx'))).toMatch(/This file is a \.mp4 and the new one is a \.xlsx/)
  await store(videoFileOf(8000, 7), { name: 'Other.mp4' })
  expect(await refusal(videoFileOf(8000, 7))).toBe('You already have this file, as “Other.mp4”.')
  const recorded = world.ctx.sqlite
    .prepare(`select count(*) from audit_entries where action = 'media.replaced'`)
    .pluck()
  expect(recorded.get()).toBe(1)
})

test('the picture of an episode is replaced by one that directories take, and by no other', {
  tags: ['full'],
}, async () => {
  const picture = async (width: number, height = width, background = '#aa2211') =>
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    )
  const frames = Uint8Array.from({ length: 834 }, (_, at) => [0xff, 0xfb, 0x90, 0x00][at % 417] ?? 0)
  const sound = await store(frames, { name: 'Talk.mp3', isPublic: true })
  const cover = await store(await picture(1400), { name: 'Cover.png', isPublic: true })
  const other = await store(await picture(900, 600), { name: 'Van.png', isPublic: true })
  const episode = { title: 'Pricing', summary: 'Prices', mediaId: sound.id, pictureId: cover.id, seconds: 60 }
  expect((await owner('/api/admin/podcast', { body: episode })).status).toBe(200)
  const refused = await readError(await upload(await picture(1400, 1399), { replaces: cover.id, isPublic: true }))
  expect([refused.code, refused.message]).toEqual([
    'invalid',
    'This picture belongs to the episode “Pricing”. A podcast’s picture has to be square, 1,400 to 3,000 pixels a side. This one has 1400 × 1399.',
  ])
  expect(await (await owner(`${media}/uploads`)).json()).toEqual([])
  expect((await list('&q=Cover')).map(({ replacedAt }) => replacedAt)).toEqual([null])
  const blue = await picture(1500, 1500, '#2211aa')
  expect(await store(blue, { replaces: cover.id, isPublic: true })).toMatchObject({ id: cover.id })
  // Any shape will do where none is required.
  const tall = await picture(300, 400)
  expect(await store(tall, { replaces: other.id, isPublic: true })).toMatchObject({ id: other.id })
})

test('captions of the library are followed: replaced there, the video has the new ones, until they are edited by hand', async () => {
  const file = await store(vtt('First words'), { name: 'first.vtt' })
  const video = await addVideo('Followed', { tierAccess: ['lite', 'xl'] })
  await change(video, { captions: vtt('First words').toString(), captionsFrom: file.id, version: 1 })
  const captions = async () => (await lite(`/api/member-videos/${video.id}/captions`)).text()
  const list = async () => (await lite('/api/member-videos')).headers.get('etag')
  const before = await list()
  world.forward(1000)
  await store(vtt('Better words'), { name: 'first.vtt', replaces: file.id })
  // Phones refetch texts when the list has changed.
  expect([await captions(), (await list()) === before]).toEqual([vtt('Better words').toString(), false])
  const { captionsFrom, version }: WholeVideo = await (await owner(`/api/admin/videos/${video.id}`)).json()
  expect([captionsFrom, version]).toEqual([file.id, 3])
  // A change that leaves the file out, with the same captions, still follows it.
  await change(video, { captions: vtt('Better words').toString(), version })
  expect((await (await owner(`/api/admin/videos/${video.id}`)).json()).captionsFrom).toBe(file.id)
  await change(video, { captions: vtt('By hand').toString(), captionsFrom, version })
  await store(vtt('Best words'), { name: 'first.vtt', replaces: file.id })
  expect(await captions()).toBe(vtt('By hand').toString())
  expect((await owner(`${media}/${file.id}`, { method: 'DELETE' })).status).toBe(200)
})

async function whileNoCommitSucceeds(work: () => Promise<void>) {
  const { sqlite } = world.ctx
  sqlite.exec(`create table refused (id text references media (id) deferrable initially deferred);
    create trigger refuses_update after update on media begin insert into refused values ('nobody'); end;
    create trigger refuses_delete after delete on media begin insert into refused values ('nobody'); end`)
  try {
    await work()
  } finally {
    sqlite.exec('drop trigger refuses_update; drop trigger refuses_delete; drop table refused')
  }
}

const storedNames = () => readdirSync(join(folder, 'media'), { recursive: true }).map(String)

test('the bytes of a file stay where its replacement or its removal is not committed, and go where it is', async () => {
  const [before, after] = [videoFileOf(6000, 21), videoFileOf(6000, 22)]
  const sha256 = new Bun.CryptoHasher('sha256').update(before).digest('hex')
  const stored = join(sha256.slice(0, 2), sha256)
  const videoFile = await store(before, { name: 'Talk.mp4' })
  await whileNoCommitSucceeds(async () => {
    expect((await upload(after, { name: 'Talk.mp4', replaces: videoFile.id })).status).toBe(500)
    expect((await owner(`${media}/${videoFile.id}`, { method: 'DELETE' })).status).toBe(500)
  })
  expect(storedNames()).toContain(stored)
  expect(Buffer.from(await (await owner(videoFile.address)).arrayBuffer())).toEqual(Buffer.from(before))
  expect((await upload(after, { name: 'Talk.mp4', replaces: videoFile.id })).status).toBe(200)
  expect(storedNames()).not.toContain(stored)
  expect((await owner(`${media}/${videoFile.id}`, { method: 'DELETE' })).status).toBe(200)
  expect((await owner(videoFile.address)).status).toBe(404)
})
