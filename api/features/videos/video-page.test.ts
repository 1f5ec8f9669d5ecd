import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { media } from '#api/db/schema/media.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { AdminVideoList, WholeVideo } from '#shared/contract/admin-video.ts'
import { VideoTextList } from '#shared/contract/video.ts'

let world: World
let owner: World['call']
let member: World['call']
let path: string
const slug = 'the-year-on-one-page'

beforeEach(() => {
  world = startWorld()
  const video = world.addVideos().find((one) => one.slug === slug)
  path = `/api/admin/videos/${video?.id}`
  owner = world.signIn(world.addOwner())
  member = world.signIn(world.addMember({ tier: 'lite' }))
})

const read = async () => v.parse(WholeVideo, await (await owner(path)).json())
const write = (body: object) => owner(path, { method: 'PATCH', body })
/** The library's row alone: nothing here plays it. */
function addVideoFile(): string {
  const id = world.ctx.newId()
  insertRow(world.ctx, media, {
    id,
    sha256: id.replaceAll('-', '').padStart(64, '0'),
    bytes: 2000,
    format: 'mp4',
    name: 'Hours.mp4',
    createdAt: world.ctx.now().toISOString(),
  })
  return id
}
const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\nPut the margin on.'
const texts = { notes: 'Do it on Monday.', transcript: 'Put the margin on.', captions }

test('VID-7 an owner writes a video’s notes, transcript and captions; members get them straight away, and the list shows which it has', async () => {
  const { version } = await read()
  const written = await write({ ...texts, captions: `\uFEFF${captions.replaceAll('\n', '\r\n')}\r\n`, version })
  const after = { ...texts, captionsFrom: null, version: version + 1 }
  expect(v.parse(WholeVideo, await written.json())).toMatchObject(after)
  // Sending the same change again, as after a lost response, isn't a conflict.
  expect((await write({ ...texts, version })).status).toBe(200)
  const late = await write({ ...texts, notes: 'Something else', version })
  expect(late.status).toBe(409)
  const id = path.split('/').at(-1)
  const videos = v.parse(VideoTextList, await (await member('/api/member-videos/texts')).json())
  expect(videos.find(({ videoId }) => videoId === id)).toMatchObject({
    notes: 'Do it on Monday.',
    hasCaptions: true,
    marks: [[1, 0]],
  })
  expect(await (await member(`/api/member-videos/${id}/captions`)).text()).toBe(captions)
  const unknown = await member('/api/member-videos/none/captions')
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/json;charset=utf-8'])
  await write({ notes: '', transcript: null, captions, version: version + 1 })
  const list = v.parse(AdminVideoList, await (await owner('/api/admin/videos')).json())
  expect(list.find((video) => video.slug === slug)?.texts).toEqual(['captions'])
})

test('captions that cannot be read are refused by their line, and nothing is stored', async () => {
  const before = await read()
  const srt = 'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nOne'
  const { status, fields } = await readError(await write({ ...texts, captions: srt, version: before.version }))
  expect([status, fields?.captions]).toEqual([
    422,
    'Line 3: a time such as 00:00:01.000 --> 00:00:04.000 should be here.',
  ])
  expect(await read()).toEqual(before)
})

test('VID-1 a file of our own needs no address of a host; without either, the address is required', async () => {
  const bare = { title: 'Ours', videoType: 'wistia', category: 'Money' }
  const refused = await readError(await owner('/api/admin/videos', { body: bare }))
  expect([refused.status, refused.fields?.videoId]).toEqual([422, 'Video ID/URL is required'])
  const videoFile = addVideoFile()
  const made = v.parse(
    WholeVideo,
    await (await owner('/api/admin/videos', { body: { ...bare, filmFiles: [videoFile] } })).json(),
  )
  expect(made).toMatchObject({ videoId: '', filmFiles: [videoFile], files: [`/api/media/${videoFile}.mp4`] })
  const without = await owner(`/api/admin/videos/${made.id}`, { method: 'PATCH', body: { filmFiles: [], version: 1 } })
  expect((await readError(without)).fields?.videoId).toBe('Video ID/URL is required')
})

test('a video takes its place among the others of its category, and they make room', async () => {
  const add = async (title: string, more: object = {}) => {
    const body = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Yard', ...more }
    return v.parse(WholeVideo, await (await owner('/api/admin/videos', { body })).json())
  }
  const titles = async () =>
    v
      .parse(AdminVideoList, await (await owner('/api/admin/videos')).json())
      .flatMap(({ title, category, orderIndex }) => (category === 'Yard' ? [`${orderIndex} ${title}`] : []))
  // All of them have the same number, so their titles order them.
  for (const title of ['One', 'Three', 'Two']) await add(title)
  const first = await add('Zero', { place: 0 })
  expect(await titles()).toEqual(['0 Zero', '1 One', '2 Three', '3 Two'])
  const move = { place: 2, version: first.version }
  const moved = await owner(`/api/admin/videos/${first.id}`, { method: 'PATCH', body: move })
  expect([moved.status, await titles()]).toEqual([200, ['0 One', '1 Three', '2 Zero', '3 Two']])
  // Sending the same change again, as after a lost response, isn't a conflict.
  expect((await owner(`/api/admin/videos/${first.id}`, { method: 'PATCH', body: move })).status).toBe(200)
  await add('Last', { place: 'end' })
  expect((await titles()).at(-1)).toBe('4 Last')
})
