import { afterEach, beforeEach, expect, test } from 'vitest'
import { transact } from '#api/db/open.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { confirm, startPushService } from '#api/testing/push.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import type { NoticeChoiceChange } from '#shared/contract/notices.ts'
import { uuidV7 } from '#shared/rules/id.ts'
import { type Told, tellMember } from './notice-service.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const minute = 60_000
const hour = 60 * minute

let push: ReturnType<typeof startPushService>
let member: TestPerson
let phone: Call

beforeEach(() => {
  push = startPushService((port) => startWorld({ env: { PORT: String(port), PUBLIC_URL: 'https://alliance.example' } }))
  member = push.world.addMember()
  phone = push.world.signIn(member)
})
afterEach(() => push.stop())

const choose = (change: NoticeChoiceChange) => phone('/api/members/notices/choices', { method: 'PUT', body: change })

const mail = { subject: 'Your question', heading: 'Answered', blocks: [] }

const tell = (more: Partial<Told> = {}) =>
  transact(push.world.ctx, () =>
    tellMember(push.world.ctx, {
      cause: 'answer:1',
      userId: member.id,
      kind: 'answer',
      path: '/members/questions/1',
      mail,
      ...more,
    }),
  )

const run = () => runJob(push.world.ctx, 'notices')
const mails = () => waitingMail(push.world).filter(({ subject }) => subject === mail.subject)

async function subscribed() {
  const address = await push.subscribe(phone)
  await choose({ kind: 'answer', byPush: true })
  return address
}

test('without a choice an answer is mailed straight away, and nothing is pushed', async () => {
  const { id } = await push.subscribe(phone)
  tell()
  await run()
  expect([mails().length, await push.received(id)]).toEqual([1, []])
})

test('a chosen answer is pushed, without a name or detail, and confirmed it is not mailed', async () => {
  const { id } = await subscribed()
  tell()
  await run()
  const [message, ...more] = await push.received(id)
  expect(more).toEqual([])
  expect(message?.payload.notification).toMatchObject({
    title: 'Your coach has answered',
    navigate: expect.stringMatching(/^https:\/\/alliance\.example\/members\/questions\/1#notice=/),
    app_badge: '0',
  })
  expect(JSON.stringify(message?.payload)).not.toMatch(new RegExp(`${member.email}|Sam|Your question`))
  expect((await confirm(phone, message?.payload.notification.data?.id ?? '')).status).toBe(200)
  push.world.forward(hour)
  await run()
  expect(mails()).toEqual([])
})

test('an answer that no worker confirms is mailed after 15 minutes, once, however late the receipt', async () => {
  const { id } = await subscribed()
  tell()
  await run()
  push.world.forward(14 * minute)
  await run()
  expect(mails()).toEqual([])
  push.world.forward(minute)
  await run()
  expect(mails()).toHaveLength(1)
  const [message] = await push.received(id)
  await confirm(phone, message?.payload.notification.data?.id ?? '')
  push.world.forward(hour)
  await run()
  tell()
  await run()
  expect([mails().length, (await push.received(id)).length]).toEqual([1, 1])
})

test('one that was opened needs no email', async () => {
  const { id } = await subscribed()
  tell()
  await run()
  const [message] = await push.received(id)
  await phone('/api/notices/opened', { body: { id: message?.payload.notification.data?.id } })
  push.world.forward(hour)
  await run()
  expect(mails()).toEqual([])
})

test('an email that is switched off does not follow a push, nor go without one', async () => {
  await subscribed()
  await choose({ kind: 'answer', byMail: false })
  tell()
  await run()
  push.world.forward(hour)
  await run()
  await choose({ kind: 'answer', byPush: false })
  tell({ cause: 'answer:2' })
  expect(mails()).toEqual([])
})

test('at night nothing goes: pushes at 7, the email 15 minutes later, even if the server was off until noon', async () => {
  const { id } = await subscribed()
  push.world.forward(12 * hour)
  tell()
  await run()
  push.world.forward(10 * hour)
  await run()
  expect([mails().length, (await push.received(id)).length]).toEqual([0, 0])
  // Noon: it was off at 7.
  push.world.forward(5 * hour + 20 * minute)
  await run()
  expect([mails().length, (await push.received(id)).length]).toEqual([0, 1])
  push.world.forward(15 * minute)
  await run()
  expect(mails()).toHaveLength(1)
})

test('what was told while the clock was days ahead comes when it’s right again, even if that’s at night', async () => {
  const { id } = await subscribed()
  push.world.forward(72 * hour + 12 * hour)
  tell()
  await run()
  push.world.forward(-72 * hour)
  await run()
  expect(await push.received(id)).toHaveLength(0)
  push.world.forward(10 * hour + 20 * minute)
  await run()
  expect(await push.received(id)).toHaveLength(1)
  push.world.forward(hour)
  await run()
  expect(mails()).toHaveLength(1)
})

test('what’s done before its reminder has come isn’t told of any more, by push or email', async () => {
  const { id } = await subscribed()
  await choose({ kind: 'commitment', byPush: true })
  const newId = () => uuidV7(push.world.ctx.now().getTime(), crypto.getRandomValues(new Uint8Array(10)))
  const [commitmentId, dayOfIt] = [newId(), '2026-06-13']
  const send = (counter: number, change: object) => {
    const at = push.world.ctx.now().toISOString()
    const body = { deviceId: 'phone-a', changes: [{ id: newId(), commitmentId, at, counter, ...change }] }
    return phone('/api/members/commitments/sync', { body })
  }
  await send(1, { text: 'Ring three builders', day: dayOfIt })
  push.world.forward(24 * hour)
  expect(await runJob(push.world.ctx, 'commitments')).toMatchObject({ report: { reminders: 1 } })
  await send(2, { state: 'done' })
  await run()
  push.world.forward(hour)
  await run()
  expect(await push.received(id)).toHaveLength(0)
  expect(waitingMail(push.world).filter(({ cause }) => cause.startsWith('commitment-day'))).toEqual([])
})

test('a push service that is away hears of it again, and after 15 minutes the email has gone', async () => {
  const { id } = await subscribed()
  await push.behave(id, { status: 503 })
  tell()
  await run()
  push.world.forward(16 * minute)
  await run()
  expect(mails()).toHaveLength(1)
  await push.behave(id, {})
  push.world.forward(hour)
  await run()
  expect(await push.received(id)).toHaveLength(1)
})

test.each([404, 410])(
  'a phone answered with %i gets nothing more, unless it has another address by then',
  async (status) => {
    const { id } = await subscribed()
    await push.behave(id, { status })
    tell()
    await run()
    const settings = await (await phone('/api/members/notices')).json()
    expect(settings).toMatchObject({ isSubscribed: false, phones: 0 })
    push.world.forward(20 * minute)
    await run()
    expect(mails()).toHaveLength(1)
  },
)

test('a late 410 of an old address does not end the new one, which gets the notice', async () => {
  const { id } = await subscribed()
  await push.behave(id, { status: 410, delayMs: 500 })
  tell()
  const running = run()
  await push.asked
  const renewed = await push.subscribe(phone)
  await running
  expect(renewed.settings).toMatchObject({ isSubscribed: true, phones: 1 })
  await run()
  expect(await push.received(renewed.id)).toHaveLength(1)
})

test.each([401, 403])(
  'a refusal with %i is our fault: the subscription stays, and the doctor says so',
  async (status) => {
    const { id } = await subscribed()
    await push.behave(id, { status, says: 'BadJwtToken' })
    tell()
    await run()
    expect(await (await phone('/api/members/notices')).json()).toMatchObject({ isSubscribed: true })
    const owner = push.world.signIn(push.world.addOwner())
    const findings = JSON.stringify(await (await owner('/api/admin/today')).json())
    expect(findings).toMatch(/"check":"push".*BadJwtToken/)
    await push.behave(id, {})
    push.world.forward(hour)
    await run()
    expect(await push.received(id)).toHaveLength(1)
  },
)

test('after a logout nothing more comes, and another member’s login takes the browser over', async () => {
  const { id, endpoint, keys } = await subscribed()
  tell()
  await phone('/api/auth/logout', { method: 'POST' })
  await run()
  expect(await push.received(id)).toEqual([])
  const other = push.world.signIn(push.world.addMember({ email: 'kit@example.com' }))
  phone = push.world.signIn(member)
  const subscribe = (as: Call) => as('/api/members/notices/phone', { method: 'PUT', body: { endpoint, keys } })
  await subscribe(phone)
  await subscribe(other)
  tell({ cause: 'answer:2' })
  await run()
  expect(await push.received(id)).toEqual([])
})

test('a person has ten phones at most, the ones renewed last', async () => {
  const first = await subscribed()
  for (let at = 0; at < 10; at += 1) {
    push.world.forward(1000)
    await push.subscribe(push.world.signIn(member))
  }
  tell()
  await run()
  const settings = await (await phone('/api/members/notices')).json()
  expect([settings.phones, settings.isSubscribed, await push.received(first.id)]).toEqual([10, false, []])
})

test('a stray phone’s address is forgotten by anyone who knows it', async () => {
  const { id, endpoint } = await subscribed()
  await push.world.call('/api/notices/stray', { body: { endpoint } })
  tell()
  await run()
  expect(await push.received(id)).toEqual([])
})

test.each([
  ['http://fcm.googleapis.com/x', 'no https'],
  ['https://fcm.googleapis.com.evil.example/x', 'another host'],
  ['https://evil.example/x', 'an unknown host'],
  ['https://push.apple.com/x', 'the name above Apple’s own'],
  ['https://fcm.googleapis.com:8443/x', 'a port'],
  ['http://127.0.0.1:1/sandbox/push/x', 'another program’s port'],
  ['https://[fc00::1]/x', 'a private address'],
])('a subscription at %s is refused: %s', async (endpoint) => {
  const { keys } = await push.subscribe(phone)
  const response = await phone('/api/members/notices/phone', { method: 'PUT', body: { endpoint, keys } })
  expect((await readError(response)).message).toMatch(/Notices don’t work in this browser/)
})

test('keys that don’t work are refused, and a stored row with such keys holds up nobody’s push or email', async () => {
  const { endpoint, keys } = await push.subscribe(phone)
  const none = `B${'A'.repeat(86)}`
  const response = await phone('/api/members/notices/phone', {
    method: 'PUT',
    body: { endpoint, keys: { ...keys, p256dh: none } },
  })
  expect((await readError(response)).message).toMatch(/keys for notices don’t work/)
  await subscribed()
  push.world.ctx.sqlite.prepare('update push_subscriptions set p256dh = ?').run(none)
  tell()
  await run()
  expect(push.world.ctx.sqlite.prepare('select count(*) from push_subscriptions').pluck().get()).toBe(0)
  push.world.forward(hour)
  await run()
  expect(mails()).toHaveLength(1)
})

test.each(['https://fcm.googleapis.com/x', 'https://web.push.apple.com/x', 'https://db5p.notify.windows.com/w'])(
  'a subscription at %s is taken',
  async (endpoint) => {
    const { keys } = await push.subscribe(phone)
    expect((await phone('/api/members/notices/phone', { method: 'PUT', body: { endpoint, keys } })).status).toBe(200)
  },
)

test('the test button sends straight away, at night too', async () => {
  const { id } = await push.subscribe(phone)
  push.world.forward(14 * hour)
  expect((await phone('/api/members/notices/test', { method: 'POST' })).status).toBe(200)
  expect(await push.received(id)).toHaveLength(1)
})
