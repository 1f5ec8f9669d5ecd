import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startPushService } from '#api/testing/push.ts'
import { announcementOf, webmOf } from '#api/testing/question-files.ts'
import { asker, sendFile } from '#api/testing/questions.ts'
import { startWorld } from '#api/testing/world.ts'

const hour = 3_600_000

let push: ReturnType<typeof startPushService>
let sam: TestPerson
beforeEach(() => {
  push = startPushService((port) => startWorld({ env: { PORT: String(port), PUBLIC_URL: 'https://alliance.example' } }))
  sam = push.world.addMember({ email: 'sam@example.com' })
})
afterEach(() => push.stop())

const answers = () => waitingMail(push.world).filter(({ cause }) => cause.startsWith('answer:'))

/** A question of someone whose phone gets notices of answers, and its answer. */
async function answered({ files = [], text = 'Bleed it.' }: { files?: object[]; text?: string } = {}) {
  const member = asker(push.world, sam)
  const { id: phone } = await push.subscribe(member.call)
  await member.call('/api/members/notices/choices', { method: 'PUT', body: { kind: 'answer', byPush: true } })
  const { id, version } = await member.ask()
  const asOwner = push.world.signIn(push.world.addOwner())
  const body = { id: push.world.ctx.newId(), text, files, version }
  expect((await asOwner(`/api/admin/questions/${id}/answers`, { body })).status).toBe(200)
  await runJob(push.world.ctx, 'notices')
  return { member, phone, id, answerId: body.id, asOwner }
}

test('an answer comes to the phone that wants it, and by email if nobody opens it', async () => {
  const { phone, id } = await answered()
  const [message] = await push.received(phone)
  expect(message?.payload.notification.navigate).toContain(`/members/questions/${id}`)
  expect(JSON.stringify(message?.payload)).not.toContain('Bleed')
  expect(answers()).toEqual([])
  push.world.forward(hour)
  await runJob(push.world.ctx, 'notices')
  expect(answers()).toMatchObject([{ to: 'sam@example.com' }])
})

test('an answer that was read is mailed to nobody', async () => {
  const { member, id, answerId } = await answered()
  expect(await member.read(id, answerId)).toMatchObject({ isUnread: false })
  push.world.forward(hour)
  await runJob(push.world.ctx, 'notices')
  expect(answers()).toEqual([])
})

test('the icon’s badge counts an answer until it’s read, also when the member adds to the question before', async () => {
  const { member, phone, id, answerId } = await answered()
  const badge = async () => {
    expect((await member.call('/api/members/notices/test', { method: 'POST' })).status).toBe(200)
    return (await push.received(phone)).at(-1)?.payload.notification.app_badge
  }
  expect((await member.add(id)).isUnread).toBe(true)
  expect(await badge()).toBe('1')
  await member.read(id, answerId)
  expect(await badge()).toBe('0')
})

test('of an answer with a voice note the member hears once that’s all there', async () => {
  const spoken = webmOf(4)
  const file = announcementOf(push.world.ctx.newId(), 'voice', spoken)
  const { phone, asOwner } = await answered({ files: [file], text: '' })
  expect(await push.received(phone)).toEqual([])
  push.world.forward(hour / 12)
  await runJob(push.world.ctx, 'question-files')
  await sendFile(asOwner, file, spoken, 'admin')
  await runJob(push.world.ctx, 'notices')
  expect(await push.received(phone)).toHaveLength(1)
  push.world.forward(hour / 2)
  await runJob(push.world.ctx, 'question-files')
  await runJob(push.world.ctx, 'notices')
  expect([(await push.received(phone)).length, answers().length]).toEqual([1, 1])
  expect(answers()[0]?.text).toContain('It’s a voice note.')
})

test('if its voice note doesn’t come in a quarter of an hour, they hear of the rest, once', async () => {
  const spoken = webmOf(4)
  const file = announcementOf(push.world.ctx.newId(), 'voice', spoken)
  const { phone, asOwner } = await answered({ files: [file], text: '' })
  push.world.forward(hour / 4 + 1)
  for (const _ of [1, 2]) await runJob(push.world.ctx, 'question-files')
  await runJob(push.world.ctx, 'notices')
  expect(await push.received(phone)).toHaveLength(1)
  await sendFile(asOwner, file, spoken, 'admin')
  await runJob(push.world.ctx, 'notices')
  expect([(await push.received(phone)).length, answers().length]).toEqual([1, 0])
})
