import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '#api/app.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { type Smtp, startMuteSmtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import { providerDeadlineMs } from '#api/stripe/deadline.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { AdminMail, AdminMailList } from '#shared/contract/mail.ts'

const day = 86_400_000

let smtp: Smtp
let world: World
let owner: Call
beforeEach(async () => {
  smtp = await startSmtp()
  world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })
  owner = world.signIn(world.addOwner())
})
afterEach(() => smtp.stop())

function queue(cause: string, more: Partial<Parameters<typeof queueMail>[1]> = {}) {
  const mail = {
    to: 'sam@example.com',
    userId: null,
    subject: 'Tea?',
    text: 'Kettle token-1 is on.',
    html: '<p>Tea</p>',
  }
  queueMail(world.ctx, { ...mail, cause, ...more })
  world.forward(1000)
}

async function list(query = '') {
  const response = await owner(`/api/admin/mail${query}`)
  return { mails: v.parse(AdminMailList, await response.json()), link: response.headers.get('link') }
}
const resend = (id: string | undefined) => owner(`/api/admin/mail/${id}/resend`, { method: 'POST' })
async function onlyMail() {
  const [mail] = (await list()).mails
  if (mail === undefined) throw new Error('no mail')
  return mail
}

test('owners see each mail and its status, newest first, and never its text or its whole cause', async () => {
  queue('welcome:sub_secret-1')
  await runJob(world.ctx, 'mail')
  smtp.behaviour = '550'
  queue('receipt:secret-2', { to: 'gone@example.com', isRepeatable: true })
  await runJob(world.ctx, 'mail')
  smtp.behaviour = '451'
  queue('contact:secret-3', { subject: 'Later' })
  await runJob(world.ctx, 'mail')
  const { mails } = await list()
  expect(mails).toMatchObject([
    {
      kind: 'contact',
      subject: 'Later',
      status: 'waiting',
      attempts: 1,
      lastError: '451 Try again later',
      canResend: false,
    },
    { kind: 'receipt', to: 'gone@example.com', status: 'refused', nextAttemptAt: null, sentAt: null, canResend: true },
    { kind: 'welcome', status: 'sent', attempts: 1, lastError: null, canResend: false },
  ])
  expect(mails[0]?.nextAttemptAt).toBe(new Date(world.ctx.now().getTime() + 60_000).toISOString())
  expect(JSON.stringify(mails)).not.toMatch(/secret|token|Kettle/)
})

test('the list comes in pages, by status and by address', async () => {
  for (const number of [1, 2, 3]) queue(`tea:${number}`)
  queue('tea:4', { to: 'kim@example.com' })
  const first = await list('?limit=2&to=SAM@example.com')
  expect(first.mails).toHaveLength(2)
  const next = /<([^>]*)>/.exec(first.link ?? '')?.[1]?.replace('/api/admin/mail', '')
  const second = await list(next)
  expect([...first.mails, ...second.mails].map(({ to }) => to)).toEqual(Array(3).fill('sam@example.com'))
  expect(second.link).toBeNull()
  expect((await list('?status=sent')).mails).toEqual([])
  expect((await list('?status=waiting')).mails).toHaveLength(4)
  expect((await owner('/api/admin/mail?status=lost')).status).toBe(422)
})

test('a refused mail is sent again once, to the address that the person has now', async () => {
  const { id } = world.addUser({ email: 'wrong@example.com' })
  smtp.behaviour = '550'
  queue('receipt:1', { to: 'wrong@example.com', userId: id, isRepeatable: true })
  await runJob(world.ctx, 'mail')
  world.ctx.sqlite.prepare(`update users set email = 'right@example.com' where id = ?`).run(id)
  const refused = await onlyMail()
  expect(v.parse(AdminMail, await (await resend(refused.id)).json())).toMatchObject({
    id: refused.id,
    to: 'right@example.com',
    status: 'waiting',
    canResend: false,
  })
  expect(await readError(await resend(refused.id))).toMatchObject({
    status: 409,
    message: 'This email is still on its way.',
  })
  smtp.behaviour = 'accept'
  await runJob(world.ctx, 'mail')
  expect(smtp.taken.map(({ to }) => to)).toEqual([['right@example.com']])
  expect(await readError(await resend(refused.id))).toMatchObject({ message: 'This email has already gone out.' })
  const audited = world.ctx.sqlite.prepare('select targetId from audit_entries where action = ?').all('mail.resent')
  expect(audited).toEqual([{ targetId: refused.id }])
})

test('an address that the mail server refuses is marked at the member, until a mail arrives or the address changes', async () => {
  const { id } = world.addUser({ email: 'wrong@example.com' })
  const marks = async () => {
    const [listed] = await (await owner('/api/admin/members?email=wrong%40example.com')).json()
    const { mailRefused } = await (await owner(`/api/admin/member/${id}`)).json()
    return [listed?.mailRefused, mailRefused]
  }
  queue('receipt:1', { to: 'wrong@example.com', userId: id, isRepeatable: true })
  expect(await marks()).toEqual([null, null])
  smtp.behaviour = '550'
  await runJob(world.ctx, 'mail')
  const words = '550 No such [31m person here'
  expect(await marks()).toEqual([words, words])
  queue('receipt:2', { to: 'wrong@example.com', userId: id })
  expect(await marks()).toEqual([words, words])
  smtp.behaviour = 'accept'
  await runJob(world.ctx, 'mail')
  expect(await marks()).toEqual([null, null])
  smtp.behaviour = '550'
  queue('receipt:3', { to: 'wrong@example.com', userId: id })
  await runJob(world.ctx, 'mail')
  world.ctx.sqlite.prepare(`update users set email = 'right@example.com' where id = ?`).run(id)
  expect(await marks()).toEqual([undefined, null])
})

test('a mail that is sent again after it failed is tried for three more days', { tags: ['full'] }, async () => {
  smtp.behaviour = '451'
  queue('receipt:1', { isRepeatable: true })
  world.forward(3 * day)
  for (const minutes of [1, 2, 4, 8, 16, 32, 60]) {
    await runJob(world.ctx, 'mail')
    world.forward(minutes * 60_000)
  }
  owner = world.signIn(world.addOwner())
  const { id, status } = await onlyMail()
  expect(status).toBe('failed')
  await resend(id)
  await runJob(world.ctx, 'mail')
  expect((await onlyMail()).status).toBe('waiting')
})

test('a mail with a one-time link is not stored, so it is not sent again; stored texts are deleted after 30 days', async () => {
  smtp.behaviour = '550'
  queue('reset:1')
  queue('receipt:1', { isRepeatable: true })
  await runJob(world.ctx, 'mail')
  world.forward(30 * day)
  await runJob(world.ctx, 'clean-up')
  owner = world.signIn(world.addOwner())
  for (const { id } of (await list()).mails) {
    const { status, message } = await readError(await resend(id))
    expect(status).toBe(409)
    expect(message).toMatch(/^We haven’t kept this email’s text/)
  }
  expect((await resend(world.ctx.newId())).status).toBe(404)
})

test('a test email asks a mail server that was away at once, and what waited goes with it', {
  tags: ['full'],
}, async () => {
  const { port } = smtp
  await smtp.stop()
  queue('receipt:1', { isRepeatable: true })
  for (let run = 0; run < 10; run += 1) {
    await runJob(world.ctx, 'mail')
    world.forward(60_000)
  }
  await runJob(world.ctx, 'mail')
  smtp = await startSmtp(port)
  expect(await runJob(world.ctx, 'mail')).toMatchObject({ report: { sent: 0, delayed: 0 } })
  const timers = startJobs(
    world.ctx,
    jobs.filter(({ name }) => name === 'mail'),
  )
  const response = await owner('/api/admin/mail-test', { body: { email: 'you@example.com' } })
  expect(v.parse(AdminMail, await response.json())).toMatchObject({ status: 'sent', lastError: null })
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(2))
  await timers.stop()
  expect(smtp.taken.flatMap(({ to }) => to).sort()).toEqual(['sam@example.com', 'you@example.com'])
})

test('a test email says itself why it did not go, however many links wait for the mail server', async () => {
  await smtp.stop()
  for (const number of [1, 2, 3]) queue(`reset:${number}`)
  const response = await owner('/api/admin/mail-test', { body: { email: 'you@example.com' } })
  expect(v.parse(AdminMail, await response.json())).toMatchObject({
    to: 'you@example.com',
    status: 'waiting',
    lastError: expect.stringMatching(/^The mail server can’t be reached: .*ECONNREFUSED/),
  })
})

/** A second normally; the full run uses the real deadline. */
const deadlines = process.env.FULL ? [1000, providerDeadlineMs] : [1000]

describe.each(deadlines)('a test email to a server that hangs ends after %d ms', (deadlineMs) => {
  const isLate = { status: 'waiting', lastError: 'The mail server didn’t answer in time.' }

  async function press() {
    const headers = { 'content-type': 'application/json', cookie: world.signIn(world.addOwner()).cookie }
    const request = { method: 'POST', body: JSON.stringify({ email: 'you@example.com' }), headers }
    const since = performance.now()
    const site = createApp(world.ctx, { deadlineMs })
    const response = await site.handle(new Request('http://localhost/api/admin/mail-test', request))
    expect(performance.now() - since).toBeLessThan(20_000)
    return v.parse(AdminMail, await response.json())
  }

  test('before the email, which was not tried then', { tags: ['full'] }, async () => {
    const mute = startMuteSmtp()
    world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${mute.port}` } })
    expect(await press()).toMatchObject({ ...isLate, attempts: 0 })
    expect(mute.connections).toBe(1)
    mute.stop()
  })

  test('at the email itself, which goes again as the same email', { tags: ['full'] }, async () => {
    smtp.behaviour = 'silent'
    expect(await press()).toMatchObject(isLate)
    expect(smtp.connections).toBe(1)
    smtp.behaviour = 'accept'
    world.forward(60_000)
    expect(await runJob(world.ctx, 'mail')).toMatchObject({ report: { sent: 1 } })
    expect(new Set(smtp.taken.map(({ messageId }) => messageId)).size).toBe(1)
  })
})
