import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendMail, sendMailOf } from '#api/features/mail/delivery-service.ts'
import { checkMailAndJobs } from '#api/features/operations/doctor/mail-and-jobs-rules.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import type { AdminMail } from '#shared/contract/mail.ts'
import type { Today } from '#shared/contract/today.ts'
import { queueMail } from './outbox.ts'
import { type Smtp, startSmtp } from './testing/smtp-server.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let smtp: Smtp
let world: World
let people: TestPerson[]
let owner: Call
beforeEach(async () => {
  smtp = await startSmtp()
  world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })
  people = domains.map((domain, at) => world.addMember({ email: `member${at}@${domain}` }))
  owner = world.signIn(world.addOwner())
})
afterEach(() => smtp.stop())

const domains = ['gmail.example', 'outlook.example', 'builders.example', 'gmail.example']

const rows = () =>
  world.ctx.sqlite
    .prepare<[], { to: string; status: string; attempts: number; text: string; lastError: string | null }>(
      'select "to", status, attempts, text, lastError from mail_outbox order by id',
    )
    .all()
const statuses = () => [...new Set(rows().map(({ status }) => status))]
const sentTo = () => smtp.taken.flatMap(({ to }) => to)

function queueReceipts(count: number) {
  for (let number = 0; number < count; number += 1) {
    const { id, email } = people[number % people.length] ?? { id: '', email: '' }
    queueMail(world.ctx, {
      cause: `receipt:${number}`,
      to: email,
      userId: id,
      subject: 'Receipt',
      text: 'Paid.',
      html: '<p>Paid.</p>',
      isRepeatable: true,
    })
  }
}

async function askForLinks() {
  for (const { email } of people) await world.call('/api/auth/forgot-password', { body: { email } })
}

async function sendCampaign() {
  const segment = { state: 'with-access' }
  const campaign = { subject: 'Friday', text: 'Bring your quotes.', purpose: 'service', perMinute: 60, segment }
  const { id } = await (await owner('/api/admin/mailings', { body: campaign })).json()
  await owner(`/api/admin/mailings/${id}/send`, { body: { version: 1, gets: people.length } })
  await runJob(world.ctx, 'mailings')
}

/** Runs like the server's timer. Returns the minutes after which someone was asked for. */
async function runFor(minutes: number): Promise<number[]> {
  const asked: number[] = []
  for (let elapsed = 0; elapsed < minutes; elapsed += 1) {
    const before = smtp.askedFor.length
    await sendMail(world.ctx)
    if (smtp.askedFor.length > before) asked.push(elapsed)
    world.forward(minute)
  }
  return asked
}

const doctorSays = () => checkMailAndJobs(world.ctx.db, [], world.ctx.now())[0]?.message
const today = async (): Promise<Today['mail']> => (await (await owner('/api/admin/today')).json()).mail

/** What providers say when they've stopped a sender, and where. */
const replies = [
  ['DATA', '550 5.4.5 Daily user sending quota exceeded'],
  ['DATA', '554 Message rejected: Sending paused for this account.'],
  ['MAIL FROM', '554 5.7.1 Sender suspended'],
  ['RCPT TO', '554 5.7.1 Service unavailable; client host blocked'],
  ['MAIL FROM', '454 Throttling failure: Daily message quota exceeded'],
  ['RCPT TO', '550 Domain alliance.example has exceeded the max emails per hour (100/100 (100%)) allowed.'],
] as const

const title = 'at %s “%s” loses no link, receipt or campaign: the queue stops and goes on by itself'

test.each([['DATA', '550 5.7.26 This mail is unauthenticated']] as const)(title, losesNothing)

test.each(replies)(title, { tags: ['full'] }, losesNothing)

async function losesNothing(at: 'MAIL FROM' | 'RCPT TO' | 'DATA', says: string) {
  smtp.refuses = { at, says }
  await askForLinks()
  queueReceipts(8)
  await sendCampaign()
  await runFor(20)
  expect(statuses()).toEqual(['waiting'])
  expect(rows().every(({ text }) => text !== '')).toBe(true)
  expect(smtp.askedFor.length).toBeLessThan(14)
  expect(await (await owner('/api/admin/suppressed-addresses')).json()).toEqual([])
  smtp.refuses = null
  await runFor(41)
  await sendMail(world.ctx)
  expect(statuses()).toEqual(['sent'])
  expect(new Set(smtp.taken.map(({ messageId }) => messageId)).size).toBe(smtp.taken.length)
  expect(smtp.taken).toHaveLength(16)
}

describe('a queue that stopped', () => {
  beforeEach(() => {
    smtp.refuses = { at: 'RCPT TO', says: '554 5.7.1 Blocked' }
  })

  test('tries one mail every five minutes, rising to an hour, each time another recipient', async () => {
    queueReceipts(20)
    await sendMail(world.ctx)
    smtp.askedFor.length = 0
    expect(await runFor(4 * 60)).toEqual([5, 15, 35, 75, 135, 195])
    expect(new Set(smtp.askedFor.slice(0, people.length)).size).toBe(people.length)
  })

  test('is told of once, in words, and says when it tries again', async () => {
    queueReceipts(8)
    await sendMail(world.ctx)
    world.forward(2 * hour)
    await sendMail(world.ctx)
    expect(doctorSays()).toBe(
      'The mail server isn’t taking our emails. It says: “554 5.7.1 Blocked”. 8 emails are waiting. We’ll try one again at 10:50, and send the rest once it gets through.',
    )
    expect(await today()).toMatchObject({
      late: 0,
      refused: 0,
      failed: 0,
      rows: [],
      stopped: { says: '554 5.7.1 Blocked', waiting: 8 },
    })
    expect(rows()).toHaveLength(8)
    smtp.refuses = null
    await runFor(61)
    expect(doctorSays()).toBe('Nothing is stuck.')
    expect(await today()).toMatchObject({ stopped: null })
  })

  test('survives a restart, but not other settings', async () => {
    queueReceipts(8)
    await sendMail(world.ctx)
    const copy = world.ctx.sqlite.serialize()
    const restart = (env = {}) =>
      startWorld({ copy, env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, ...env }, startsAt: world.ctx.now() })
    smtp.askedFor.length = 0
    await sendMail(restart().ctx)
    expect(smtp.askedFor).toEqual([])
    smtp.refuses = null
    const mended = restart({ MAIL_FROM: 'The Alliance <post@other.example>' })
    expect(await sendMail(mended.ctx)).toMatchObject({ sent: 8 })
  })

  test('goes on once a test mail is taken', async () => {
    queueReceipts(8)
    await sendMail(world.ctx)
    smtp.refuses = null
    const sent: AdminMail = await (
      await owner('/api/admin/mail-test', { body: { email: 'sam@plumbers.example' } })
    ).json()
    expect(sent).toMatchObject({ status: 'sent' })
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 8 })
  })

  test('sends nothing that has expired meanwhile', async () => {
    await askForLinks()
    queueReceipts(4)
    await runFor(3 * 60)
    smtp.refuses = null
    await runFor(61)
    expect(smtp.taken).toHaveLength(4)
    const links = rows().slice(0, 4)
    expect(links).toMatchObject(links.map(() => ({ status: 'failed', lastError: expect.stringContaining('expired') })))
  })

  test('isn’t set going by an address that doesn’t exist', async () => {
    queueReceipts(8)
    await sendMail(world.ctx)
    smtp.refuses = { at: 'RCPT TO', says: '550 5.1.1 No such user' }
    world.forward(5 * minute)
    await sendMail(world.ctx)
    expect(statuses().sort()).toEqual(['refused', 'waiting'])
    expect(rows().filter(({ status }) => status === 'refused')).toHaveLength(1)
    smtp.refuses = null
    await runFor(61)
    expect(rows().filter(({ status }) => status === 'sent')).toHaveLength(7)
  })
})

test('one address alone is final at its second try, a day later, and stops nothing', async () => {
  smtp.refuses = { at: 'RCPT TO', says: '550 5.7.1 Not from you', isFor: (to) => to === people[0]?.email }
  queueReceipts(4)
  expect(await sendMail(world.ctx)).toEqual({ sent: 3, delayed: 1, refused: 0, failed: 0 })
  await runFor(120)
  expect(smtp.askedFor).toHaveLength(4)
  world.forward(day)
  expect(await sendMail(world.ctx)).toMatchObject({ refused: 1 })
  expect(rows()[0]).toMatchObject({ status: 'refused', attempts: 2, text: 'Paid.' })
})

test('two that are refused in a row stop the rest for five minutes, but not again and again', async () => {
  const bad = [people[0]?.email, people[1]?.email]
  smtp.refuses = { at: 'RCPT TO', says: '550 5.7.1 Not from you', isFor: (to) => bad.includes(to) }
  queueReceipts(2)
  await sendMail(world.ctx)
  queueReceipts(4)
  await runFor(12)
  expect(sentTo()).toHaveLength(2)
  for (let number = 10; number < 14; number += 1) queueReceipts(number)
  await sendMail(world.ctx)
  expect(sentTo().length).toBeGreaterThan(4)
  expect(rows().filter(({ to, status }) => !bad.includes(to) && status !== 'sent')).toEqual([])
})

test('two at one domain, and two with a mail taken between them, say nothing about us', async () => {
  const refused = ['member0@gmail.example', 'member3@gmail.example']
  smtp.refuses = { at: 'RCPT TO', says: '550 5.7.1 Not from you', isFor: (to) => refused.includes(to) }
  const write = (cause: string, to: string) =>
    queueMail(world.ctx, { cause, to, userId: null, subject: 'Tea?', text: 'Tea', html: 'Tea', isRepeatable: true })
  for (const [at, to] of refused.entries()) write(`tea:${at}`, to)
  await sendMail(world.ctx)
  write('tea:2', 'member1@outlook.example')
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  refused.push('sam@plumbers.example')
  write('tea:3', 'sam@plumbers.example')
  await sendMail(world.ctx)
  write('tea:4', 'member2@builders.example')
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
})

test('a test mail tells that we’re blocked, and a password that’s wrong waits as before', async () => {
  smtp.refuses = { at: 'MAIL FROM', says: '530 5.7.57 Client not authenticated to send mail' }
  queueReceipts(2)
  await sendMail(world.ctx)
  world.forward(minute)
  smtp.refuses = null
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 2 })
  smtp.refuses = { at: 'MAIL FROM', says: '550 5.7.1 Account suspended' }
  const { status, lastError } = await (
    await owner('/api/admin/mail-test', { body: { email: 'sam@plumbers.example' } })
  ).json()
  expect({ status, lastError }).toEqual({ status: 'waiting', lastError: expect.stringContaining('Account suspended') })
  expect(doctorSays()).toContain('Account suspended')
  await sendMailOf(world.ctx, 'none')
})
