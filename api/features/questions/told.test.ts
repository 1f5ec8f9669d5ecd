import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startPushService } from '#api/testing/push.ts'
import { asker } from '#api/testing/questions.ts'
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
async function answered() {
  const member = asker(push.world, sam)
  const { id: phone } = await push.subscribe(member.call)
  await member.call('/api/members/notices/choices', { method: 'PUT', body: { kind: 'answer', byPush: true } })
  const { id, version } = await member.ask()
  const asOwner = push.world.signIn(push.world.addOwner())
  const body = { id: push.world.ctx.newId(), text: 'Bleed it.', version }
  expect((await asOwner(`/api/admin/questions/${id}/answers`, { body })).status).toBe(200)
  await runJob(push.world.ctx, 'notices')
  return { member, phone, id, answerId: body.id }
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
