import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { exchangeReport, eximReport, ordinaryMail, postfixReport } from '#api/mail/testing/reports.ts'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { BounceReport, maxReportLength, SuppressedAddressList } from '#shared/contract/mail.ts'

let smtp: Smtp
let world: World
let owner: Call
let mail: { id: string; messageId: string }
beforeEach(async () => {
  smtp = await startSmtp()
  world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })
  owner = world.signIn(world.addOwner())
  mail = await sendTo('Sam@example.com')
})
afterEach(() => smtp.stop())

async function sendTo(to: string) {
  const cause = `receipt:${to}`
  queueMail(world.ctx, { cause, to, userId: null, subject: 'Receipt', text: 'Paid.', html: '<p>Paid.</p>' })
  await runJob(world.ctx, 'mail')
  const [sent] = world.ctx.sqlite
    .prepare<[string], { id: string; messageId: string }>('select id, messageId from mail_outbox where cause = ?')
    .all(cause)
  if (sent === undefined) throw new Error('no mail')
  return sent
}

const send = (report: string, more: { isTrusted?: boolean } = {}) =>
  owner('/api/admin/bounces', { body: { report, ...more } })
const bounce = async (report: string, more: { isTrusted?: boolean } = {}) =>
  v.parse(BounceReport, await (await send(report, more)).json())
const stopped = async () =>
  v.parse(SuppressedAddressList, await (await owner('/api/admin/suppressed-addresses')).json())
const state = (id: string) =>
  world.ctx.sqlite.prepare('select status, "lastError" from mail_outbox where id = ?').get(id)
const audits = () =>
  world.ctx.sqlite
    .prepare<[], string>(`select action from audit_entries where action like 'mail.%' order by id`)
    .pluck()
    .all()

describe('a report of a mail of ours stops its address, once, and the outbox says that it came back', () => {
  const shapes = [
    ['Postfix', postfixReport, '5.1.1', '550 5.1.1 User unknown'],
    ['Exim', eximReport, '5.0.0', '550 no such person here'],
    ['Exchange', exchangeReport, '5.1.10', /^550 5\.1\.10 RESOLVER/],
  ] as const
  test.each(shapes)('%s', async (_name, write, status, says) => {
    const report = write({ to: 'SAM@example.com', messageId: mail.messageId })
    const address = { email: 'sam@example.com', status, diagnostic: expect.stringMatching(says) }
    expect(await bounce(report)).toEqual({
      mail: { id: mail.id, to: 'Sam@example.com', subject: 'Receipt' },
      addresses: [{ ...address, outcome: 'stopped' }],
    })
    expect(await stopped()).toMatchObject([
      { email: 'sam@example.com', reason: expect.stringMatching(/^Came back: 550/) },
    ])
    expect(state(mail.id)).toEqual({ status: 'refused', lastError: address.diagnostic })
    expect(await bounce(report)).toMatchObject({ addresses: [{ outcome: 'known' }] })
    expect(audits()).toEqual(['mail.returned', 'mail.suppressed'])
    // With Unix line endings too.
    await owner('/api/admin/suppressed-addresses/sam@example.com', { method: 'DELETE' })
    expect(await bounce(report.replaceAll('\r\n', '\n'))).toMatchObject({ addresses: [{ outcome: 'stopped' }] })
  })
})

test.each([
  ['delayed', '4.4.1', 'delayed', 'sent'],
  ['failed', '4.4.7', 'given-up', 'failed'],
  ['failed', '', 'given-up', 'failed'],
  ['failed', '5.7.1', 'policy', 'refused'],
  ['relayed', '2.0.0', 'delivered', 'sent'],
])('Action %s with status “%s” stops nothing: %s', async (action, status, outcome, becomes) => {
  const report = postfixReport({ to: 'sam@example.com', messageId: mail.messageId, action, status })
  expect(await bounce(report)).toMatchObject({ mail: { id: mail.id }, addresses: [{ status, outcome }] })
  expect([await stopped(), state(mail.id)]).toMatchObject([[], { status: becomes }])
})

describe('a report that anybody could have written stops nobody’s mail', () => {
  const forged = (to: string, messageId: string) => postfixReport({ to, messageId })
  test('without a Message-ID of ours, until an owner trusts it', async () => {
    const report = forged('sam@example.com', '<made-up@alliance.test>')
    expect(await bounce(report)).toMatchObject({ mail: null, addresses: [{ outcome: 'not-ours' }] })
    expect([await stopped(), state(mail.id), audits()]).toMatchObject([[], { status: 'sent' }, []])
    expect(await bounce(report, { isTrusted: true })).toMatchObject({ mail: null, addresses: [{ outcome: 'stopped' }] })
    expect(await stopped()).toMatchObject([{ email: 'sam@example.com' }])
  })

  test('with the Message-ID of a mail to somebody else', async () => {
    const report = forged('olive@alliance.test', mail.messageId)
    expect(await bounce(report)).toMatchObject({ mail: null, addresses: [{ outcome: 'not-ours' }] })
    expect([await stopped(), state(mail.id)]).toMatchObject([[], { status: 'sent' }])
  })

  test('with the id of a mail, and another host', async () => {
    const report = forged('sam@example.com', mail.messageId.replace(/@.*/, '@elsewhere.test>'))
    expect(await bounce(report)).toMatchObject({ mail: null, addresses: [{ outcome: 'not-ours' }] })
  })
})

test('of an address that is passed on, the one that we write to is stopped', async () => {
  const report = postfixReport({ to: 'sam@example.com', passedTo: 'old@gmail.example', messageId: mail.messageId })
  expect(await bounce(report)).toMatchObject({ addresses: [{ email: 'sam@example.com', outcome: 'stopped' }] })
  expect((await stopped()).map(({ email }) => email)).toEqual(['sam@example.com'])
})

test('what is no report is refused in one line, and so is what is too long or names nobody', {
  tags: ['full'],
}, async () => {
  const refused = async (report: string) => {
    const response = await send(report)
    return [response.status, (await readError(response)).message]
  }
  const noReport = 'This isn’t a delivery report: it has no part of the type message/delivery-status.'
  expect(await refused(ordinaryMail)).toEqual([422, noReport])
  expect(await refused('\u0000\u0001 nonsense')).toEqual([422, noReport])
  const nobody = postfixReport({ to: 'nobody', messageId: mail.messageId })
  expect(await refused(nobody)).toEqual([422, 'This delivery report names no address.'])
  expect((await refused('x'.repeat(maxReportLength + 1)))[0]).toBe(422)
  expect((await refused('x'.repeat(3 * 1024 ** 2)))[0]).toBe(413)
  const nested = Array.from(
    { length: 40 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  )
  expect((await refused(nested.join('')))[1]).toMatch(/^We couldn’t read this email: /)
  expect(await stopped()).toEqual([])
})
