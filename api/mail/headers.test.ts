import { rmSync } from 'node:fs'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { mediaFile, storeMedia } from '#api/features/media/store-service.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { queueMail, queueMessage } from './outbox.ts'
import { type Smtp, startSmtp } from './testing/smtp-server.ts'

const blue = { create: { width: 60, height: 30, channels: 3, background: '#0000ff' } } as const

let smtp: Smtp
let world: World
beforeEach(async () => {
  smtp = await startSmtp()
  world = startWorld({
    env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Thé Alliance <hello@alliance.example>' },
  })
})
afterEach(() => smtp.stop())

async function headOf(mail: Partial<Parameters<typeof queueMail>[1]>): Promise<string[]> {
  const message = { to: 'sam@example.com', userId: null, subject: 'Tea?', text: 'On.', html: '<p>On.</p>' }
  queueMail(world.ctx, { ...message, cause: 'tea:1', ...mail })
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  const [head = ''] = smtp.taken[0]?.raw.split('\n\n') ?? []
  return head.replace(/\n[ \t]+/g, ' ').split('\n')
}

test('a mail has the fields that it should, once each, and both forms of its text', async () => {
  const head = await headOf({ replyTo: 'kim@example.com' })
  const names = head.map((line) => line.split(':')[0])
  expect([...names].sort()).toEqual([
    ...['Auto-Submitted', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Reply-To', 'Subject', 'To'],
  ])
  expect(head).toContain('Date: Fri, 12 Jun 2026 07:40:00 +0000')
  expect(head).toContain('Reply-To: kim@example.com')
  expect(head.find((line) => line.startsWith('From:'))).toMatch(/^From: =\?UTF-8\?.+\?= <hello@alliance\.example>$/)
  expect(head.find((line) => line.startsWith('Content-Type:'))).toMatch(/^Content-Type: multipart\/alternative;/)
  expect(smtp.taken[0]?.raw.match(/^Content-Type: text\/(plain|html); charset=utf-8$/gm)).toHaveLength(2)
})

test('the owners’ logo goes with a mail that shows it, and a mail whose logo is gone goes all the same', {
  tags: ['full'],
}, async () => {
  const content = new Blob([new Uint8Array(await sharp(blue).png().toBuffer())])
  const stored = await storeMedia(world.ctx, content, { name: 'logo.png', isPublic: true })
  const updatedAt = world.ctx.now().toISOString()
  const logo = { page: 'site', entry: 'brand.logo', value: `/media/${stored.id}.png`, updatedAt }
  insertRow(world.ctx, contentOverrides, logo)
  invalidateResponses(world.ctx)
  const message = { subject: 'Tea', heading: 'Tea', blocks: [] }
  const send = async (cause: string) => {
    queueMessage(world.ctx, { cause, to: 'sam@example.com', userId: null }, message)
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
    return smtp.taken.at(-1)?.raw ?? ''
  }
  const raw = await send('tea:1')
  expect(raw).toMatch(/^Content-Id: <logo>$/im)
  expect(raw).toMatch(/^Content-Type: image\/png/m)
  expect(raw.replace(/=\n/g, '')).toContain('cid:logo')
  rmSync(mediaFile(world.ctx, stored))
  expect(await send('tea:2')).not.toMatch(/^Content-Id:/im)
})

test('RFC 8058 a mail that a member may do without says how to stop it with one press', async () => {
  const { id } = world.addMember()
  const head = await headOf({ userId: id, purpose: 'call-reminder' })
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(head.find((line) => line.startsWith('List-Unsubscribe:'))).toMatch(
    /^List-Unsubscribe: <http:\/\/localhost:\d+\/api\/mail\/unsubscribe\?token=[\w.-]+>$/,
  )
})

test.each(['Tea\r\nBcc: eve@example.com', 'Tea\nBcc: eve@example.com', 'Tea\r\n\r\n<p>Bcc: eve@example.com</p>'])(
  'a subject that was typed cannot add a field or an addressee: %j',
  async (subject) => {
    const head = await headOf({ subject })
    expect(head.filter((line) => /^(bcc|cc):/i.test(line))).toEqual([])
    expect(head.filter((line) => line.startsWith('Subject: Tea'))).toHaveLength(1)
    expect(smtp.taken.map(({ to }) => to)).toEqual([['sam@example.com']])
  },
)

test('a subject of any length and in any letters arrives whole, on lines that servers take', async () => {
  const subject = `Message from ${'Łukasz 王小明 🔧 '.repeat(20)}`.trim()
  await headOf({ subject })
  const raw = smtp.taken[0]?.raw ?? ''
  expect(Math.max(...raw.split('\n').map(({ length }) => length))).toBeLessThan(998)
  const encoded = /^Subject: ((?:.+\n )*.+)$/m.exec(raw)?.[1] ?? ''
  expect(decoded(encoded)).toBe(subject)
})

/** Decodes RFC 2047 words. */
function decoded(field: string): string {
  const bytes = [...field.replace(/\?=\s+=\?/g, '?==?').matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(
    ([, kind, words = '']) =>
      kind?.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64')
        : Buffer.from(
            words
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ),
  )
  return Buffer.concat(bytes).toString('utf8')
}

test('the part with a call’s calendar file names the method that’s in the file', async () => {
  openCalendar(world)
  const startsAt = '2026-06-15T08:00:00.000Z'
  const made = { kind: 'coaching', coach: 'coach-1', startsAt }
  await world.signIn(world.addMember())('/api/calendar/calls', { body: made })
  const token = /book-call\?call=([\w.-]+)/.exec(String(waitingMail(world)[0]?.text))?.[1]
  const partsSent = async () => {
    await sendMail(world.ctx)
    return smtp.taken
      .splice(0)
      .flatMap(({ raw }) => raw.replace(/\n[ \t]+/g, ' ').match(/^Content-Type: text\/calendar.*$/gm) ?? [])
  }
  const part = (method: string) => `Content-Type: text/calendar; charset=utf-8; method=${method}; name=call.ics`
  expect(await partsSent()).toContain(part('PUBLISH'))
  await world.call('/api/calendar/call/cancel', { body: { token } })
  expect(await partsSent()).toContain(part('CANCEL'))
})
