import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { AdminVideoList, VideoTexts } from '#shared/contract/admin-video.ts'
import { LessonTextList } from '#shared/contract/video.ts'

let world: World
let owner: World['call']
let member: World['call']
let path: string
const slug = 'the-year-on-one-page'

beforeEach(() => {
  world = startWorld()
  const video = world.addVideos().find((one) => one.slug === slug)
  path = `/api/admin/videos/${video?.id}/texts`
  owner = world.signIn(world.addOwner())
  member = world.signIn(world.addMember({ tier: 'lite' }))
})

const read = async () => v.parse(VideoTexts, await (await owner(path)).json())
const write = (body: object) => owner(path, { method: 'PUT', body })
const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\nPut the margin on.'
const texts = { notes: 'Do it on Monday.', transcript: 'Put the margin on.', captions }

test('VID-7 an owner writes what is read beside a film; members read it at once, and the list says what is there', async () => {
  const { version } = await read()
  const written = await write({ ...texts, captions: `\uFEFF${captions.replaceAll('\n', '\r\n')}\r\n`, version })
  expect(v.parse(VideoTexts, await written.json())).toEqual({ ...texts, captionsFrom: null, version: version + 1 })
  // Sending the same change again, as after a lost response, isn't a conflict.
  expect((await write({ ...texts, version })).status).toBe(200)
  const late = await write({ ...texts, notes: 'Something else', version })
  expect(late.status).toBe(409)
  const [id] = path.split('/').slice(-2)
  const lessons = v.parse(LessonTextList, await (await member('/api/member-videos/texts')).json())
  expect(lessons.find(({ videoId }) => videoId === id)).toMatchObject({ notes: 'Do it on Monday.', hasCaptions: true })
  expect(await (await member(`/api/member-videos/${id}/captions`)).text()).toBe(captions)
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
