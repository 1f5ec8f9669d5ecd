import { beforeEach, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'

const fields = { firstName: 'Sam', lastName: 'Fields', phone: '', businessName: null, trade: 'Plasterer' }

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
})

const send = (path: string, method: string, body: object) => owner(path, { method, body })
const mailsTo = (to: string) =>
  world.ctx.sqlite.prepare<[string], { text: string }>('select text from mail_outbox where "to" = ?').all(to)

async function changedByOwner(more = {}) {
  const { id, email } = world.addUser({ email: 'before@example.com' })
  const body = { ...fields, email: 'after@example.com', version: 1, ...more }
  expect((await send(`/api/admin/members/${id}/profile`, 'PUT', body)).status).toBe(200)
  const token = /not-me\?token=([\w-]+)/.exec(mailsTo(email)[0]?.text ?? '')?.[1] ?? ''
  const report = () => world.call('/api/email-change/report', { body: { token } })
  return {
    id,
    email,
    report,
    decide: (keeps: boolean) => send(`/api/admin/members/${id}/email-report`, 'POST', { keeps }),
  }
}
const reports = async () => (await (await owner('/api/admin/today')).json()).emailReports
async function askForSignIn() {
  const body = { email: 'after@example.com' }
  const asked = [await world.call('/api/auth/forgot-password', { body }), await world.call('/api/auth/code', { body })]
  return { statuses: asked.map(({ status }) => status), mails: mailsTo('after@example.com').length }
}

test('the old address says it wasn’t them: sign-in emails wait until an owner keeps the new address', async () => {
  const { id, report, decide } = await changedByOwner()
  expect(await askForSignIn()).toEqual({ statuses: [200, 200], mails: 2 })
  expect([(await report()).status, (await report()).status]).toEqual([200, 200])
  expect(await reports()).toMatchObject([{ memberId: id, name: 'Sam Fields', before: 'before@example.com' }])
  expect(await askForSignIn()).toEqual({ statuses: [200, 200], mails: 2 })
  expect([(await decide(true)).status, (await decide(true)).status, await reports()]).toEqual([200, 409, []])
  expect(await askForSignIn()).toEqual({ statuses: [200, 200], mails: 4 })
  expect((await report()).status).toBe(400)
  expect((await (await world.signIn({ id, email: '' })('/api/user/profile')).json()).emailFixedUntil).toBeNull()
})

test('or puts the old one back, and ends what the new one opened; the link alone does neither, and works for 7 days', async () => {
  const { id, email, report, decide } = await changedByOwner()
  const member = world.signIn({ id, email: 'after@example.com' })
  await askForSignIn()
  await send(`/api/admin/inbox/members/${id}/reply`, 'POST', { text: 'Your code is 1234' })
  await report()
  expect((await member('/api/auth/user')).status).toBe(200)
  expect((await decide(false)).status).toBe(200)
  expect((await member('/api/auth/user')).status).toBe(401)
  expect(countRows(world, 'users', `id = '${id}' and email = '${email}'`)).toBe(1)
  expect(countRows(world, 'mail_outbox', `"to" = 'after@example.com' and status = 'waiting'`)).toBe(0)
  const late = await changedLate()
  expect((await late()).status).toBe(400)
})

async function changedLate() {
  const { id } = world.addUser({ email: 'late@example.com' })
  await send(`/api/admin/members/${id}/profile`, 'PUT', { ...fields, email: 'later@example.com', version: 1 })
  const token = /token=([\w-]+)/.exec(mailsTo('late@example.com')[0]?.text ?? '')?.[1] ?? ''
  world.forward(7 * 86_400_000)
  return () => world.call('/api/email-change/report', { body: { token } })
}

test('an old mailbox that isn’t safe is told nothing, and the reason is in the log', async () => {
  const { id, email } = await changedByOwner({ unsafeMailbox: 'Her ex reads it' })
  expect(mailsTo(email)).toEqual([])
  expect(countRows(world, 'audit_entries', `"targetId" = '${id}' and detail like '%Her ex reads it%'`)).toBe(1)
})
