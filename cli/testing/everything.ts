import sharp from 'sharp'
import { expect } from 'vitest'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { oldAddresses } from '#api/db/schema/blog.ts'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { mailRefusals } from '#api/db/schema/imports.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { mailAgreements, memberPhotos } from '#api/db/schema/people.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import {
  publishedQuestions,
  questionFileContents,
  questionFiles,
  savedReplies,
  usefulQuestions,
} from '#api/db/schema/questions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { addQuestion } from '#api/testing/asked-rows.ts'
import { addBoxes, officeFile, videoFileOf } from '#api/testing/media.ts'
import { photoSide } from '#shared/contract/photo.ts'
import type { DataFolder } from './server.ts'

const m4a = () =>
  new Uint8Array(
    addBoxes([
      ['ftyp', 'M4A \0\0\x02\0M4A mp42isom'],
      ['moov', 'one'],
      ['mdat', 'one'],
    ]),
  )

export async function jsonOf(response: Response | Promise<Response>) {
  const { status } = await response
  const body = await (await response).json()
  expect([status, body]).toEqual([200, body])
  return body
}

/** A site with one of everything that comes back. */
export async function fillEverything({ world, local }: DataFolder): Promise<void> {
  const owner = world.signIn(world.addOwner())
  const sam = world.addMember({ email: 'sam@alliance.test', firstName: '=Sam' })
  const { id: videoFile } = await storeMedia(world.ctx, new Blob([new Uint8Array(videoFileOf(3000, 1))]), {
    name: 'film.mp4',
    isPublic: false,
  })
  const { id: sheet } = await storeMedia(world.ctx, new Blob([new Uint8Array(officeFile('docx'))]), {
    name: 'sheet.docx',
    isPublic: false,
  })
  const files = { filmFiles: [videoFile], handoutFiles: [{ file: sheet, title: 'Sheet' }] }
  const video = { title: 'One', category: 'Money', videoType: 'wistia', ...files, notes: 'On Monday.' }
  const { id } = await jsonOf(owner('/api/admin/videos', { body: video }))
  await jsonOf(owner(`/api/admin/videos/${id}/versions/light`, { method: 'PUT', body: { file: videoFile } }))
  const member = world.signIn(sam)
  const at = world.ctx.now().toISOString()
  const changes = [{ videoId: id, id: world.ctx.newId(), completed: true, at, counter: 1 }]
  const positions = [{ videoId: id, seconds: 12, at }]
  await jsonOf(member('/api/video-progress/sync', { body: { deviceId: 'phone-1', changes, positions } }))
  await jsonOf(member('/api/user/mail-choices', { method: 'PUT', body: { purpose: 'news', isWanted: false } }))
  const post = { title: 'A post', slug: 'a-post', content: '<p>Words</p>', isPublished: true }
  const one = await jsonOf(owner('/api/admin/blog', { body: post }))
  await jsonOf(
    owner(`/api/admin/blog/${one.id}`, { method: 'PATCH', body: { slug: 'the-post', version: one.version } }),
  )
  await jsonOf(owner('/api/admin/content/about', { method: 'PUT', body: { version: 0, entry: 'title', value: 'Us' } }))
  await local('settings set SELLER_HOSTING Bench')
  const sound = await storeMedia(world.ctx, new Blob([m4a()]), { name: 'one.m4a', isPublic: true })
  await addRest(world.ctx, { userId: sam.id, postId: one.id, mediaId: sound.id })
}

/** A question with a photo, answered and published below the video. */
async function addAsked(ctx: Context, { userId, at }: { userId: string; at: string }): Promise<void> {
  const video = ctx.db.select({ id: memberVideos.id, title: memberVideos.title }).from(memberVideos).get()
  const videoId = video?.id ?? ''
  const id = addQuestion(ctx, { userId, videoId, videoTitle: video?.title ?? '', mayPublish: true })
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: '#0a6' } })
  const content = await photo.jpeg().toBuffer()
  const [fileId, publishedId] = [ctx.newId(), ctx.newId()]
  const announced = { kind: 'photo', position: 0, bytes: 900, sha256: 'b'.repeat(64), received: 900 } as const
  const ready = { readyAt: at, type: 'image/jpeg', width: 40, height: 30 }
  insertRow(ctx, questionFiles, { id: fileId, messageId: id, ...announced, ...ready })
  insertRow(ctx, questionFileContents, { fileId, form: 'served', content })
  const words = { question: 'Why?', answer: 'Because.' }
  const times = { createdAt: at, updatedAt: at }
  insertRow(ctx, publishedQuestions, { id: publishedId, questionId: id, videoId, ...words, ...times })
  insertRow(ctx, usefulQuestions, { publishedId, userId, at })
  insertRow(ctx, savedReplies, { id: ctx.newId(), title: 'Figures', text: 'What did you charge?', ...times })
}

/** What takes a mail server, another import or ffmpeg to come about. */
async function addRest(ctx: Context, { userId, postId, mediaId }: Record<'userId' | 'postId' | 'mediaId', string>) {
  const at = ctx.now().toISOString()
  insertRow(ctx, mailAgreements, { userId, purpose: 'check-in', at, source: 'Moved in from old.csv' })
  insertRow(ctx, mailRefusals, { address: 'left@example.com', source: 'Moved in from old.csv', at })
  insertRow(ctx, suppressedAddresses, { address: 'bounced@example.com', reason: 'Bounced before.', since: at })
  insertRow(ctx, oldAddresses, { path: '/old-post', postId, createdAt: at })
  const note = { about: 'members', aboutId: userId, kind: 'note', text: 'Rings on Fridays.', createdAt: at } as const
  insertRow(ctx, inboxNotes, { id: ctx.newId(), ...note })
  const face = sharp({ create: { width: photoSide, height: photoSide, channels: 3, background: '#aa2211' } })
  const content = (await face.webp().toBuffer()).toString('base64')
  insertRow(ctx, memberPhotos, { id: ctx.newId(), userId, content, createdAt: at })
  const times = { createdAt: at, updatedAt: at }
  await addAsked(ctx, { userId, at })
  insertRow(ctx, podcastEpisodes, { id: ctx.newId(), title: 'First', summary: 'One.', mediaId, seconds: 60, ...times })
}
