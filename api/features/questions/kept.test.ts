import { strFromU8, unzipSync } from 'fflate'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addQuestion } from '#api/testing/asked-rows.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { addWithPassword } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { announcementOf, mp4Of, photoOf } from '#api/testing/question-files.ts'
import { asker, sendFile } from '#api/testing/questions.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { VideoQuestionList } from '#shared/contract/questions.ts'

const day = 86_400_000

let world: World
let sam: TestPerson
let asOwner: Call
beforeEach(() => {
  world = startWorld()
  sam = addWithPassword(world, { email: 'sam@example.com', accessOverride: 'granted' })
  asOwner = world.signIn(world.addOwner())
})

const count = (table: string) => Number(world.ctx.sqlite.prepare(`select count(*) from ${table}`).pluck().get())
const tables = ['questions', 'question_messages', 'question_files', 'question_file_contents', 'question_file_pieces']

/** A question with a photo, answered with a voice note. */
async function askAndAnswer() {
  const member = asker(world, sam)
  const photo = await photoOf(400, 300)
  const file = announcementOf(world.ctx.newId(), 'photo', photo)
  const { id, version } = await member.ask({ files: [file], mayPublish: true })
  await sendFile(member.call, file, photo)
  const voice = mp4Of(3)
  const said = announcementOf(world.ctx.newId(), 'voice', voice)
  const body = { id: world.ctx.newId(), text: 'Listen.', files: [said], version }
  expect((await asOwner(`/api/admin/questions/${id}/answers`, { body })).status).toBe(200)
  const sent = await sendFile(asOwner, said, voice, 'admin')
  expect(sent).toMatchObject({ state: 'ready', type: 'audio/mp4' })
  return { member, id, file, said, voice }
}

test('an answer’s voice note goes in pieces, and its member and the owners hear the same', async () => {
  const { member, file, said, voice } = await askAndAnswer()
  for (const [call, side] of [[member.call, 'members'] as const, [asOwner, 'admin'] as const]) {
    const heard = await call(`/api/${side}/question-files/${said.id}/content`)
    expect(Buffer.from(await heard.arrayBuffer()).equals(voice)).toBe(true)
    expect((await call(`/api/${side}/question-files/${file.id}/content`)).headers.get('content-type')).toBe(
      'image/jpeg',
    )
  }
  const kim = world.signIn(world.addMember({ email: 'kim@example.com' }))
  expect((await kim(`/api/members/question-files/${said.id}/content`)).status).toBe(404)
  expect((await kim(`/api/admin/question-files/${said.id}/content`)).status).toBe(403)
})

test('a member’s copy of their data has what was asked and answered, with photos and voice', async () => {
  const { file, said, voice } = await askAndAnswer()
  const response = await world.signIn(sam)('/api/user/archive', { method: 'POST' })
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  const everything = JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array()))
  expect(everything.questions).toMatchObject([{ mayPublish: true }])
  expect(everything['question-messages'].map(({ from }: { from: string }) => from)).toEqual(['member', 'coach'])
  expect(everything['question-files'].map(({ file: name }: { file: string }) => name)).toEqual([
    `question-files/${file.id}.jpg`,
    `question-files/${said.id}.m4a`,
  ])
  expect(Buffer.from(files[`question-files/${said.id}.m4a`] ?? []).equals(voice)).toBe(true)
  expect(files[`question-files/${file.id}.jpg`]?.length).toBeGreaterThan(100)
})

test('what someone asked goes with their account, bytes too; what’s published stays without them, until an owner takes it down', async () => {
  const { id } = await askAndAnswer()
  const video = world.addVideos().find(({ isPublished }) => isPublished)
  const body = { videoId: video?.id, question: 'Why?', answer: 'Because.', version: 0 }
  expect((await asOwner(`/api/admin/questions/${id}/published`, { method: 'PUT', body })).status).toBe(200)
  const removed = await world.signIn(sam)('/api/user/account', { method: 'DELETE', body: { isSure: true } })
  expect(removed.status).toBe(200)
  expect(tables.map(count)).toEqual([0, 0, 0, 0, 0])
  expect(world.ctx.sqlite.prepare('select "questionId", question from published_questions').all()).toEqual([
    { questionId: null, question: 'Why?' },
  ])
  const below = async () => (await asOwner(`/api/admin/videos/${video?.id}/published-questions`)).json()
  const [left] = v.parse(VideoQuestionList, await below())
  expect(left).toEqual({ id: expect.any(String), question: 'Why?', answer: 'Because.', useful: 0 })
  for (const _ of ['once', 'twice'])
    expect((await asOwner(`/api/admin/published-questions/${left?.id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await below()).toEqual([])
  expect((await asOwner('/api/admin/videos/none/published-questions')).status).toBe(404)
  expect(waitingMail(world).filter(({ cause }) => cause.startsWith('answer:'))).toEqual([])
})

test('a file whose phone never sent the rest is given up on after a season, and its pieces go', async () => {
  const member = asker(world, sam)
  const photo = await photoOf(900, 700)
  const file = announcementOf(world.ctx.newId(), 'photo', photo)
  const { id } = await member.ask({ files: [file] })
  await member.piece(file.id, 0, photo.subarray(0, 1000))
  world.forward(89 * day)
  await runJob(world.ctx, 'clean-up')
  expect(count('question_file_pieces')).toBe(1)
  world.forward(2 * day)
  await runJob(world.ctx, 'clean-up')
  expect(count('question_file_pieces')).toBe(0)
  asOwner = world.signIn(world.addOwner())
  const { question } = await (await asOwner(`/api/admin/questions/${id}`)).json()
  expect(question.messages[0].files).toMatchObject([
    { state: 'refused', refusal: 'This photo never arrived. Send it again.' },
  ])
})

test('Today names who has waited for more than a day', async () => {
  addQuestion(world.ctx, { userId: sam.id, text: 'Yesterday' })
  world.forward(day - 1)
  asOwner = world.signIn(world.addOwner())
  const questionsOfToday = async () => (await (await asOwner('/api/admin/today')).json()).questions
  expect(await questionsOfToday()).toEqual({ total: 0, rows: [] })
  world.forward(2)
  addQuestion(world.ctx, { userId: sam.id, text: 'Today' })
  expect(await questionsOfToday()).toMatchObject({ total: 1, rows: [{ excerpt: 'Yesterday', state: 'sent' }] })
})
