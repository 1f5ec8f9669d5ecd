import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import { contentOf } from '#api/site/content.ts'
import { contactMessage, enquiryForms, rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import { countRows } from '#api/testing/joining.ts'
import { startWorld, type World } from '#api/testing/world.ts'

const owners = ['olive@example.com', 'owen@example.com']
const env = { OWNER_EMAILS: owners.join(',') }

let world: World
beforeEach(() => {
  world = startWorld({ env })
})

test('another trade’s site calls the forms’ choices what it likes: page, mails and the owners’ lists say it', async () => {
  const owner = world.signIn(world.addOwner())
  for (const [page, entry, value] of [
    ['coaching-application', 'trades.painter', 'Colourist'],
    ['book-coaching-call', 'trades.painter', 'Stylist'],
  ] as const) {
    const body = { version: 0, entry, value }
    expect((await owner(`/api/admin/content/${page}`, { method: 'PUT', body })).status).toBe(200)
    const { trades } = await (await world.call(`/api/site-content?page=${page}`)).json()
    expect(trades.painter).toBe(value)
  }
  for (const { path, body } of enquiryForms) await send(path, body)
  expect(waitingMail(world).filter(({ text }) => text.includes('Trade: Colourist'))).toHaveLength(owners.length)
  expect(waitingMail(world).filter(({ text }) => text.includes('Trade: Stylist'))).toHaveLength(owners.length)
  const [coaching] = await (await owner('/api/admin/coaching-applications')).json()
  expect(coaching).toMatchObject({ trade: 'painter', tradeName: 'Colourist' })
  const [booking] = await (await owner('/api/admin/coaching-bookings')).json()
  expect(booking).toMatchObject({ trade: 'Painter & Decorator', tradeName: 'Stylist' })
})

const send = (path: string, body: object) => world.call(path, { body })

test('a mail has the name that the pages show, also after an owner has changed it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'content-'))
  cpSync('data/content', folder, { recursive: true })
  const before = contentOf(world.ctx, { folder, everyMs: 0 }).read().site.brand.name
  const file = join(folder, 'site.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"name": "[^"]*"/, '"name": "Bench & Co"'))
  await send('/api/contact', contactMessage)
  const pages = await (await world.call('/api/site-content')).json()
  expect(pages.site.brand.name).toBe('Bench & Co')
  for (const { text, html } of waitingMail(world)) {
    expect([text, html]).toEqual([
      expect.stringContaining('-- \nBench & Co\n'),
      expect.stringContaining('Bench &amp; Co'),
    ])
    expect(text + html).not.toContain(before)
  }
  rmSync(folder, { recursive: true })
})

describe.each(enquiryForms)('what is mailed about $path', ({ path, body }) => {
  test('each owner gets all of it, and can reply to the sender; the sender gets a confirmation: one mail each', async () => {
    const { id } = await (await send(path, body)).json()
    const mails = waitingMail(world)
    expect(mails.map(({ to, replyTo }) => [to, replyTo])).toEqual([
      ['olive@example.com', 'sam@example.com'],
      ['owen@example.com', 'sam@example.com'],
      ['sam@example.com', null],
    ])
    expect(new Set(mails.map(({ cause }) => cause)).size).toBe(3)
    for (const { cause } of mails) expect(cause).toContain(id)
    expect(mails[0]).toMatchObject({ subject: expect.stringMatching(/ from Sam Field$/) })
    for (const { text, to } of mails) {
      expect([to, text]).toEqual([to, expect.stringContaining('Sam Field')])
      if (owners.includes(to)) expect(text).toContain('Email: sam@example.com')
    }
  })

  test('nothing, where the spam trap was filled in; it is stored and acknowledged like any other', async () => {
    const clean = await send(path, { ...body, homepage: '' })
    const before = countRows(world, 'mail_outbox')
    const caught = await send(path, { ...body, homepage: 'https://cheap.example' })
    const [first, second] = [await clean.json(), await caught.json()]
    expect([caught.status, { ...second, id: first.id }]).toEqual([200, first])
    expect([...caught.headers.keys()]).toEqual([...clean.headers.keys()])
    expect(countRows(world, 'mail_outbox')).toBe(before)
    const table = enquiryForms.find((form) => form.path === path)?.table ?? ''
    const [kept, { id, isSpam, ...rest } = {}] = rowsOf(world, table)
    expect([id, isSpam, kept?.isSpam]).toEqual([second.id, 1, 0])
    expect({ ...rest, id: first.id, isSpam: 0 }).toEqual(kept)
  })

  test('nothing, where the form was refused', async () => {
    expect((await send(path, { ...body, email: 'sam' })).status).toBe(422)
    expect(countRows(world, 'mail_outbox')).toBe(0)
  })
})

test('five confirmations an hour to one address; the owners are mailed each', async () => {
  for (let count = 0; count < 7; count += 1) expect((await send('/api/contact', contactMessage)).status).toBe(200)
  const confirmations = () => waitingMail(world).filter(({ to }) => to === 'sam@example.com').length
  expect([confirmations(), countRows(world, 'mail_outbox'), countRows(world, 'contacts')]).toEqual([5, 19, 7])
  world.forward(3_600_000)
  await send('/api/contact', contactMessage)
  expect(confirmations()).toBe(6)
})

test('an owner who is named twice gets one mail', async () => {
  world = startWorld({ env: { OWNER_EMAILS: 'olive@example.com,Olive@example.com' } })
  await send('/api/contact', contactMessage)
  expect(waitingMail(world).map(({ to }) => to)).toEqual(['olive@example.com', 'sam@example.com'])
})

describe('as it leaves', () => {
  let smtp: Smtp | undefined
  afterEach(async () => {
    await smtp?.stop()
    smtp = undefined
  })

  test('a name and a message cannot add headers, and a reply goes to the sender only', async () => {
    smtp = await startSmtp()
    world = startWorld({
      env: {
        OWNER_EMAILS: 'olive@example.com',
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM: 'hello@a.example',
      },
    })
    const name = 'Sam "Bcc: eve@example.com" <eve@example.com>, =?utf-8?Q?x?='
    await send('/api/contact', { ...contactMessage, name, message: 'Bcc: eve@example.com\n\nSubject: x\n.\nQUIT' })
    await sendMail(world.ctx)
    expect(smtp.taken.map(({ to }) => to)).toEqual([['olive@example.com'], ['sam@example.com']])
    const heads = smtp.taken.map(({ raw }) => raw.slice(0, raw.indexOf('\n\n')))
    expect(heads[0]).toMatch(/^Reply-To: sam@example\.com$/m)
    expect(heads[1]).not.toMatch(/^Reply-To:/im)
    for (const head of heads) {
      expect(head).not.toMatch(/^(bcc|cc):/im)
      expect(head.match(/^(to|subject|from):/gim)).toHaveLength(3)
    }
  })
})
