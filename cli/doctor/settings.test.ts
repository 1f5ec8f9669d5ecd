import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { startSmtp } from '#api/mail/testing/smtp-server.ts'
import { startServer } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
const cleanUp: (() => unknown)[] = []
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step()
  folder.close()
})

async function findCheck(name: string, env: Record<string, string>) {
  const { code, out } = await folder.local('doctor --json', { env: { ...folder.env, ...env } })
  const { checks } = JSON.parse(out)
  return { code, ...checks.find((check: { name: string }) => check.name === name) }
}

const testKeys = {
  STRIPE_SECRET_KEY: 'sk_test_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_real',
  STRIPE_WEBHOOK_SECRET: 'whsec_real',
}
const seller = { SELLER_NAME: 'A Ltd', SELLER_ADDRESS: '1 High Street, Leeds', SELLER_VAT_NUMBER: 'GB 123 4567 82' }

test('a sample seller and a mistyped VAT number are reported', async () => {
  expect(await findCheck('seller', {})).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('Invoices name a sample seller'),
  })
  expect(await findCheck('seller', { ...testKeys, ...seller, SELLER_VAT_NUMBER: '' })).toMatchObject({
    state: 'warning',
    code: 0,
    message: 'VAT invoices name a sample seller. Set SELLER_VAT_NUMBER before you go live.',
  })
  expect(await findCheck('VAT number', { ...seller, SELLER_VAT_NUMBER: 'GB 123 4567 83' })).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('SELLER_VAT_NUMBER looks mistyped'),
  })
  expect(await findCheck('seller', seller)).toMatchObject({ state: 'ok' })
})

test('with a key of Stripe’s doctor asks whether its own renewal emails are off, until somebody says so', async () => {
  expect((await findCheck('Stripe’s emails', {})).state).toBe('ok')
  expect(await findCheck('Stripe’s emails', testKeys)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(
      /^Are Stripe’s own renewal emails off\? .*alliance settings set STRIPE_MAILS_OFF yes$/,
    ),
  })
  expect((await findCheck('Stripe’s emails', { ...testKeys, STRIPE_MAILS_OFF: 'yes' })).state).toBe('ok')
})

test('with a live key doctor names all that the start refuses, so that nothing is left to surprise', {
  tags: ['full'],
}, async () => {
  expect((await findCheck('live start', testKeys)).state).toBeUndefined()
  const live = {
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    NODE_ENV: 'production',
    SESSION_SECRET: 'x'.repeat(40),
    PUBLIC_URL: 'https://bench.example',
    OWNER_EMAILS: 'me@bench.example',
    ...seller,
  }
  expect(await findCheck('live start', live)).toMatchObject({
    state: 'failed',
    code: 1,
    message: expect.stringMatching(
      / is a sample.*coaches\.0\.chat\).*Company number is not set \(SELLER_COMPANY_NUMBER\).*\(MAIL_FROM\)/,
    ),
    fix: 'content check --live',
  })
  const { message } = await findCheck('live start', live)
  expect(await findCheck('live start', { ...live, DATA_DIR: `${folder.dataDir}/none-yet` })).toMatchObject({
    state: 'failed',
    message,
  })
  expect(await findCheck('domain', live)).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^https:\/\/bench\.example doesn’t respond over https/),
  })
  expect(await findCheck('backup schedule', live)).toMatchObject({ state: 'warning', fix: 'backup schedule 03:15' })
  expect((await findCheck('backup schedule', testKeys)).state).toBe('ok')
})

test('a proxy that TRUSTED_PROXIES doesn’t name is named once a request came through it, until the settings do', {
  tags: ['full'],
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-proxies-'))
  const [port, sandboxPort] = freePorts(2).map(String)
  const env = { DATA_DIR: dataDir, PORT: port ?? '', SANDBOX_PORT: sandboxPort ?? '', SANDBOX_PEOPLE: 'few' }
  const server = await startServer(readSettings(env))
  const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/api/health`, { headers })
  try {
    await ask({})
    expect((await findCheck('proxies', env)).state).toBe('ok')
    await ask({ 'x-forwarded-for': '203.0.113.9' })
    const seen = expect.stringMatching(/^Requests come through 127\.0\.0\.1, which TRUSTED_PROXIES doesn’t name, /)
    expect(await findCheck('proxies', env)).toMatchObject({ state: 'warning', message: seen })
    const named = { ...env, TRUSTED_PROXIES: '127.0.0.1' }
    expect((await findCheck('proxies', named)).state).toBe('ok')
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
})

test('on a public site, which a proxy serves by https, TRUSTED_PROXIES has to be set', async () => {
  const site = { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(40), PUBLIC_URL: 'https://bench.example' }
  const unset = expect.stringMatching(/^TRUSTED_PROXIES isn’t set, /)
  expect(await findCheck('proxies', { ...testKeys, ...site })).toMatchObject({ state: 'warning', message: unset })
  const set = { ...testKeys, ...site, TRUSTED_PROXIES: '10.0.0.1' }
  expect(await findCheck('proxies', set)).toMatchObject({ message: 'We can tell visitors apart behind 10.0.0.1.' })
})

test('a mail server that accepts the login, one that is down, and none', async () => {
  const smtp = await startSmtp()
  const url = `smtp://127.0.0.1:${smtp.port}`
  expect(await findCheck('mail server', { SMTP_URL: url, MAIL_FROM: 'hello@alliance.example' })).toMatchObject({
    state: 'ok',
    message: 'Login succeeded.',
  })
  expect(await findCheck('mail server', { SMTP_URL: url })).toMatchObject({
    message: 'Login succeeded. MAIL_FROM is still the sample address.',
  })
  expect(smtp.taken).toEqual([])
  await smtp.stop()
  expect(await findCheck('mail server', { SMTP_URL: url })).toMatchObject({
    state: 'warning',
    code: 0,
    message: expect.stringMatching(/^SMTP_URL doesn’t work from this machine: .*ECONNREFUSED/),
  })
  expect(await findCheck('mail server', testKeys)).toMatchObject({
    message: 'SMTP_URL is not set, so no email goes out.',
  })
})

test('a password is never printed, and without TLS it is sent only on this machine', async () => {
  const received: string[] = []
  const server = plainSmtp(received).listen(0, '0.0.0.0')
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)))
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  // This machine by an address that doesn't count as local, like another machine's.
  const loginRefused = await findCheck('mail server', { SMTP_URL: `smtp://olive:brass-tap-9@0.0.0.0:${port}` })
  expect(loginRefused).toMatchObject({ state: 'warning', message: expect.stringContaining('STARTTLS') })
  expect(loginRefused.message).not.toContain('brass-tap-9')
  expect(received.filter((line) => line.startsWith('AUTH'))).toEqual([])
  expect(await findCheck('mail server', { SMTP_URL: `smtp://olive:brass-tap-9@127.0.0.1:${port}` })).toMatchObject({
    message: expect.stringContaining('Login succeeded.'),
  })
  expect(received.filter((line) => line.startsWith('AUTH'))).toHaveLength(1)
})

const plainSmtp = (received: string[]): Server =>
  createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 old.example\r\n')
    socket.on('data', (data) => {
      const line = data.toString().trim()
      received.push(line)
      if (line.startsWith('EHLO')) socket.write('250-old.example\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('235 welcome\r\n')
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('502 what?\r\n')
    })
  })

test('doctor and content check name what is not set, and what an owner wrote that no longer fits', async () => {
  const { ctx } = folder.world
  const updatedAt = ctx.now().toISOString()
  expect(await findCheck('content', {})).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/\d+ links not set\. See: alliance content check$/),
  })
  insertRow(ctx, contentOverrides, { page: 'about', entry: 'title', value: '', updatedAt })
  const unfit = 'data/content/pages/about.json title'
  expect(await findCheck('content', {})).toMatchObject({
    state: 'warning',
    code: 0,
    message: expect.stringContaining(
      `${unfit} doesn’t fit, so the page shows the file’s own: title: must not be empty.`,
    ),
  })
  const checked = await folder.local('content check')
  expect(checked).toMatchObject({ code: 1, err: expect.stringContaining('Where an edit doesn’t fit') })
  expect(checked.out).toMatch(/doesn’t fit +title: must not be empty +data\/content\/pages\/about\.json title/)
  expect(checked.out).toMatch(/not set +Community +COMMUNITY_URL/)
  insertRow(ctx, contentOverrides, { page: 'site', entry: 'brand.name', value: 'Bench & Sons', updatedAt })
  insertRow(ctx, contentOverrides, { page: 'site', entry: 'brand.shortName', value: 'Bench', updatedAt })
  const rebranded = await folder.local('content check')
  expect(rebranded.out).toMatch(/old name +Alliance Lite +tiers lite\.name/)
  expect((await findCheck('content', {}))?.message).toMatch(/Not ready to go live: .* samples, \d+ old names\./)
})
