// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type Smtp, startSmtp, type TakenMail } from '#api/mail/testing/smtp-server.ts'
import { sam } from '#api/testing/joining.ts'
import { joinAndPay, refundNewest } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { begunOrder, quotientOrder } from '#api/testing/quotient.ts'

const hour = 3_600_000

let smtp: Smtp
let world: PaymentWorld
beforeEach(async () => {
  smtp = await startSmtp()
  world = await startPaymentWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, OWNER_EMAILS: '' } })
})
afterEach(async () => {
  await world.stop()
  await smtp.stop()
})

/** Decodes the header, which is quoted UTF-8. */
const subjectOf = ({ raw }: TakenMail) =>
  (/^Subject: (.*(?:\n .*)*)$/m.exec(raw)?.[1] ?? '')
    .replace(/\n /g, '')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, quoted: string) =>
      decodeURIComponent(quoted.replaceAll('_', ' ').replaceAll('=', '%')),
    )

async function sent(subject: string): Promise<TakenMail> {
  await runJob(world.ctx, 'mail')
  const [mail, ...more] = smtp.taken.filter((one) => subjectOf(one).startsWith(subject))
  if (mail === undefined || more.length > 0) throw new Error(`${subject}: ${more.length + (mail ? 1 : 0)} mails`)
  return mail
}

function pdfIn({ raw }: TakenMail) {
  const [part, ...more] = raw.split(/\n--.*\n/).filter((one) => one.startsWith('Content-Type: application/pdf'))
  if (part === undefined || more.length > 0) throw new Error('not one PDF')
  const [head = '', body = ''] = part.split('\n\n')
  const bytes = Buffer.from(body, 'base64').toString('latin1').trimEnd()
  return { name: /filename=([^\s;]+)/.exec(head)?.[1], begins: bytes.slice(0, 5), ends: bytes.slice(-5) }
}

test('the VAT invoice goes with its receipt, and the credit note with its refund', async () => {
  await joinAndPay(world)
  const receipt = await sent('Receipt for')
  expect(receipt.to).toEqual([sam.email])
  expect(pdfIn(receipt)).toEqual({ name: 'invoice-A-000001.pdf', begins: '%PDF-', ends: '%%EOF' })
  await refundNewest(world)
  expect(pdfIn(await sent('Refund of'))).toMatchObject({ name: 'credit-note-C-000001.pdf', begins: '%PDF-' })
})

test('the buyer of a setup, who has no account, gets the VAT invoice with the receipt and no link to a login', async () => {
  const { clientSecret } = await begunOrder(world, { ...quotientOrder, email: 'buyer@example.com' })
  await world.pay(clientSecret)
  await world.sandbox.settle()
  const receipt = await sent('Receipt for')
  expect(receipt.to).toEqual(['buyer@example.com'])
  expect(pdfIn(receipt).name).toBe('invoice-A-000001.pdf')
  // The footer links to the legal pages, which need no account.
  const paths = [...receipt.raw.matchAll(/https?:\/\/[^/\s]+(\/[\w-]*)/g)].map(([, path]) => path)
  expect(new Set(paths)).toEqual(new Set(['/privacy', '/terms', '/cancellation']))
})

test('with the mail server down for an hour every mail of a join waits, and goes out once after it', async () => {
  const { port } = smtp
  await smtp.stop()
  await joinAndPay(world)
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await runJob(world.ctx, 'mail')
    world.forward(60_000)
  }
  smtp = await startSmtp(port)
  world.forward(hour)
  await runJob(world.ctx, 'mail')
  await runJob(world.ctx, 'mail')
  const subjects = smtp.taken.map(subjectOf).sort()
  expect(subjects).toEqual(['Receipt for £300.00, VAT invoice A-000001', 'Your membership is active'])
})

test('a document that cannot be made holds up its own mail alone, and is made for a later try', async () => {
  await joinAndPay(world)
  const kept = world.ctx.sqlite
    .prepare<[], { attachment: string }>(`select attachment from mail_outbox where cause like 'receipt:%'`)
    .get()
  const name = world.ctx.sqlite.prepare(`update mail_outbox set attachment = ? where cause like 'receipt:%'`)
  name.run(JSON.stringify({ kind: 'invoice', id: 'lost' }))
  await sent('Your membership is active')
  expect(smtp.taken).toHaveLength(1)
  name.run(kept?.attachment ?? null)
  world.forward(60_000)
  expect(pdfIn(await sent('Receipt for')).name).toBe('invoice-A-000001.pdf')
})

test('without a mail server the mailbox names the document', async () => {
  const local = await startPaymentWorld()
  await joinAndPay(local)
  await runJob(local.ctx, 'mail')
  const receipt = listMailbox(local.ctx).find(({ subject }) => subject.startsWith('Receipt'))
  const call = local.signIn(local.addOwner())
  const response = await call(receipt?.attachment ?? '')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  await local.stop()
})
