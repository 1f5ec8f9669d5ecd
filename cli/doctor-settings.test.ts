import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSmtp } from '#api/mail/testing/smtp-server.ts'
import { type Folder, openFolder } from './testing/place.ts'

let place: Folder
const cleanUp: (() => unknown)[] = []
beforeEach(() => {
  place = openFolder()
})
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step()
  place.close()
})

async function finding(name: string, env: Record<string, string>) {
  const { code, out } = await place.local('doctor --json', { env: { ...place.env, ...env } })
  const { checks } = JSON.parse(out)
  return { code, ...checks.find((check: { name: string }) => check.name === name) }
}

const testKeys = {
  STRIPE_SECRET_KEY: 'sk_test_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_real',
  STRIPE_WEBHOOK_SECRET: 'whsec_real',
}
const seller = { SELLER_NAME: 'A Ltd', SELLER_ADDRESS: '1 High Street, Leeds', SELLER_VAT_NUMBER: 'GB 123 4567 82' }

test('INV-4 a sample seller is told where invoices could be taken for real ones, and so is a mistyped VAT number', async () => {
  expect(await finding('seller', {})).toMatchObject({ state: 'ok', says: expect.stringContaining('A sample stands') })
  expect(await finding('seller', { ...testKeys, ...seller, SELLER_VAT_NUMBER: '' })).toMatchObject({
    ...{ state: 'warning', code: 0 },
    says: 'A sample stands on the VAT invoices. Set SELLER_VAT_NUMBER before real money moves.',
  })
  expect(await finding('seller', { ...seller, SELLER_VAT_NUMBER: 'GB 123 4567 83' })).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('The check digits of SELLER_VAT_NUMBER are wrong'),
  })
  expect(await finding('seller', seller)).toMatchObject({ state: 'ok' })
})

test('a mail server that lets us in, one that is not there, and none', async () => {
  const smtp = await startSmtp()
  const url = `smtp://127.0.0.1:${smtp.port}`
  expect(await finding('mail server', { SMTP_URL: url, MAIL_FROM: 'hello@alliance.example' })).toMatchObject({
    ...{ state: 'ok', says: 'It lets us in.' },
  })
  expect(await finding('mail server', { SMTP_URL: url })).toMatchObject({
    says: 'It lets us in. MAIL_FROM is still the sample address.',
  })
  expect(smtp.taken).toEqual([])
  await smtp.stop()
  expect(await finding('mail server', { SMTP_URL: url })).toMatchObject({
    ...{ state: 'warning', code: 0 },
    says: expect.stringMatching(/^SMTP_URL does not work from here: .*ECONNREFUSED/),
  })
  expect(await finding('mail server', testKeys)).toMatchObject({
    says: 'SMTP_URL is not set: mail waits in the outbox.',
  })
})

test('a password is not shown, and not sent where there is no TLS, but on this machine', async () => {
  const heard: string[] = []
  const server = plainSmtp(heard).listen(0, '0.0.0.0')
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)))
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  // To the machine itself, but not by the name of it: as if it were another one.
  const said = await finding('mail server', { SMTP_URL: `smtp://olive:brass-tap-9@0.0.0.0:${port}` })
  expect(said).toMatchObject({ state: 'warning', says: expect.stringContaining('STARTTLS') })
  expect(said.says).not.toContain('brass-tap-9')
  expect(heard.filter((line) => line.startsWith('AUTH'))).toEqual([])
  expect(await finding('mail server', { SMTP_URL: `smtp://olive:brass-tap-9@127.0.0.1:${port}` })).toMatchObject({
    says: expect.stringContaining('It lets us in.'),
  })
  expect(heard.filter((line) => line.startsWith('AUTH'))).toHaveLength(1)
})

/** A mail server as they were once: it knows no TLS and believes every password. */
const plainSmtp = (heard: string[]): Server =>
  createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 old.example\r\n')
    socket.on('data', (data) => {
      const line = data.toString().trim()
      heard.push(line)
      if (line.startsWith('EHLO')) socket.write('250-old.example\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n')
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('502 what?\r\n')
    })
  })
