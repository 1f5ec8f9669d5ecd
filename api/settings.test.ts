import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings, StartupError } from './settings.ts'

const secret = 'x'.repeat(32)
const testKeys = {
  STRIPE_SECRET_KEY: 'sk_test_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_real',
  STRIPE_WEBHOOK_SECRET: 'whsec_real',
}
const liveKeys = { ...testKeys, STRIPE_SECRET_KEY: 'sk_live_real', STRIPE_PUBLISHABLE_KEY: 'pk_live_real' }
const liveSite = { NODE_ENV: 'production', SESSION_SECRET: secret, PUBLIC_URL: 'https://alliance.example' }
const live = { ...liveSite, ...liveKeys }

test('every option has a default that works', () => {
  expect(readSettings({})).toMatchObject({
    isProduction: false,
    isLive: false,
    isSandbox: true,
    port: 3000,
    host: '0.0.0.0',
    dataDir: 'data/local',
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
    ownerEmails: ['owner@alliance.test', 'owner2@alliance.test'],
    simpleAdminEmail: 'owner@alliance.test',
    sessionSecret: undefined,
    stripe: { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' },
    sandboxPort: 3001,
    smtpUrl: undefined,
    mailFrom: 'The Alliance <hello@alliance.test>',
    showsApiDocs: true,
    site: {},
  })
})

test('an empty value counts as none', () => {
  const names = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(20)
  for (const empty of ['', '  ']) {
    expect(readSettings(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(readSettings({}))
  }
})

test('LIMIT-7 who runs the business comes from the settings, read and normalised', () => {
  const settings = readSettings({
    PORT: '4000',
    PUBLIC_URL: 'https://alliance.example//',
    TRUSTED_PROXIES: ' 10.0.0.1,, 10.0.0.2 ',
    OWNER_EMAILS: 'Olive@Example.com , owen@example.com',
    SIMPLE_ADMIN_EMAIL: 'Olive@Example.com',
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    SALES_PARTNER: 'Pat Reed',
  })
  expect(settings).toMatchObject({
    port: 4000,
    sandboxPort: 4001,
    publicUrl: 'https://alliance.example',
    isSandbox: true,
    trustedProxies: ['10.0.0.1', '10.0.0.2'],
    simpleAdminEmail: 'olive@example.com',
    ownerEmails: ['olive@example.com', 'owen@example.com'],
    site: { SALES_PARTNER: 'Pat Reed' },
  })
  expect(readSettings({ SANDBOX_PORT: '5000' }).sandboxPort).toBe(5000)
})

test('outside the sandbox the site has no owners until they are named', () => {
  expect(readSettings(testKeys)).toMatchObject({ isSandbox: false, isLive: false, ownerEmails: [] })
  expect(readSettings(testKeys).simpleAdminEmail).toBeUndefined()
  expect(readSettings(live)).toMatchObject({ isLive: true, ownerEmails: [] })
})

test('the API is documented in production only when asked for', () => {
  const production = { NODE_ENV: 'production', SESSION_SECRET: secret, ...testKeys }
  expect(readSettings(production).showsApiDocs).toBe(false)
  expect(readSettings({ ...production, API_DOCS: '1' }).showsApiDocs).toBe(true)
})

function refusal(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
  return 'nothing'
}

test('a store is reached by https; by http only on this machine', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', BACKUP_KEY: secret, LITESTREAM: '1' }
  for (const name of ['BACKUP_URL', 'MEDIA_URL', 'LITESTREAM_URL']) {
    const said = (endpoint: string) => refusal({ ...keys, [name]: `s3://nights/alliance?endpoint=${endpoint}` })
    for (const own of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000', 'localhost'])
      expect([own, said(`http://${own}`)]).toEqual([own, 'nothing'])
    for (const other of ['minio:9000', '10.0.0.9', 'localhost.example', '127.0.0.1.example', 'localhost@s3.example'])
      expect([other, said(`http://${other}`)]).toEqual([
        other,
        `${name} must be s3://bucket/folder?endpoint=https://… .`,
      ])
  }
})

describe('unsafe mixes are refused, each with one line', () => {
  const production = { NODE_ENV: 'production', SESSION_SECRET: secret }
  const mixes: [name: string, env: Record<string, string>, says: RegExp][] = [
    ['a live key with the sandbox allowed', { ...live, ALLOW_SANDBOX: '1' }, /live STRIPE_SECRET_KEY and the sandbox/],
    ['a live key with a sandbox port', { ...live, SANDBOX_PORT: '3001' }, /live STRIPE_SECRET_KEY and the sandbox/],
    ['a restricted live key with the sandbox', { ...live, STRIPE_SECRET_KEY: 'rk_live_x', ALLOW_SANDBOX: '1' }, /live/],
    ['production without a secret', { NODE_ENV: 'production', ...testKeys }, /Set SESSION_SECRET in production/],
    ['production with a short secret', { ...production, ...testKeys, SESSION_SECRET: 'short' }, /SESSION_SECRET: .*32/],
    ['production with the sandbox', production, /doesn’t run in production.*ALLOW_SANDBOX=1/],
    ['a live key outside production', { ...live, NODE_ENV: '' }, /needs NODE_ENV=production/],
    [
      'a restricted live key in a test',
      { ...live, STRIPE_SECRET_KEY: 'rk_live_x', NODE_ENV: 'test' },
      /needs NODE_ENV/,
    ],
    ['a live key without an address', { ...live, PUBLIC_URL: '' }, /needs a PUBLIC_URL that begins with https/],
    ['a live key on plain http', { ...live, PUBLIC_URL: 'http://alliance.example' }, /needs a PUBLIC_URL/],
    ['a live key with a test’s publishable one', { ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, /pk_live_/],
    ['a live key without the publishable one', { ...live, STRIPE_PUBLISHABLE_KEY: '' }, /pk_live_/],
    ['a mode that nobody knows', { NODE_ENV: 'prod' }, /^NODE_ENV: must be development, test or production$/],
    ['a key without the publishable one', { ...testKeys, STRIPE_PUBLISHABLE_KEY: '' }, /STRIPE_PUBLISHABLE_KEY/],
    ['a key without the webhook’s secret', { ...testKeys, STRIPE_WEBHOOK_SECRET: '' }, /STRIPE_WEBHOOK_SECRET/],
    ['one port for both', { PORT: '4000', SANDBOX_PORT: '4000' }, /SANDBOX_PORT can’t be the same as PORT/],
    ['a sandbox port that is none', { PORT: '65535' }, /SANDBOX_PORT can’t be the same as PORT/],
  ]
  for (const [name, env, says] of mixes) {
    test(name, () => {
      expect(refusal(env)).toMatch(says)
      expect(refusal(env)).not.toContain('\n')
    })
  }

  test('of several reasons the gravest is named', () => {
    expect(refusal({ ...liveKeys, NODE_ENV: 'prod', PORT: 'x' })).toMatch(/live STRIPE_SECRET_KEY needs NODE_ENV/)
    expect(refusal({ ...liveSite, ...liveKeys, SESSION_SECRET: '', SMTP_URL: 'x' })).toMatch(/^SMTP_URL/)
    expect(refusal({ ...liveSite, ...liveKeys, SESSION_SECRET: '' })).toMatch(/^Set SESSION_SECRET/)
    expect(refusal({ NODE_ENV: 'production', SANDBOX_PORT: '3000' })).toMatch(/sandbox doesn’t run in production/)
  })

  test('and pass once what was missing is set', () => {
    expect(refusal(live)).toBe('nothing')
    expect(refusal({ ...production, ALLOW_SANDBOX: '1' })).toBe('nothing')
    expect(refusal({ ...production, ...testKeys })).toBe('nothing')
  })
})

test('the calendars of the coaches are none or two', () => {
  const [one, two, three] = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3']
  for (const name of ['COACH_CALL_URLS', 'CATCH_UP_URLS']) {
    for (const wrong of [one, `${one},`, `${one},${two},${three}`]) {
      expect(refusal({ [name]: wrong })).toBe(
        `${name}: must be empty, or two addresses with a comma between them, one for each coach`,
      )
    }
    expect(refusal({ [name]: `${one}, nowhere` })).toBe(`${name}: has something that isn’t an address`)
  }
})

test('a proxy is trusted by its IP address, of either kind', () => {
  for (const wrong of ['localhost', '10.0.0.0/8', '10.0.0.1, proxy.example', '10.0.0.256']) {
    expect(refusal({ TRUSTED_PROXIES: wrong })).toBe('TRUSTED_PROXIES: has something that isn’t an IP address')
  }
  expect(readSettings({ TRUSTED_PROXIES: '10.0.0.1,::1' }).trustedProxies).toEqual(['10.0.0.1', '::1'])
})

test('the public address is a scheme and a host, with a port if need be', () => {
  for (const more of ['/club', '/?a=1', '?a=1', '/#top']) {
    expect(refusal({ PUBLIC_URL: `https://a.example${more}` })).toMatch(/^PUBLIC_URL: .*without a path$/)
  }
  expect(refusal({ PUBLIC_URL: 'https://olive:secret@a.example' })).toMatch(/^PUBLIC_URL: /)
  for (const right of ['https://a.example', 'https://a.example/', 'http://a.example:8080']) {
    expect(readSettings({ PUBLIC_URL: right }).publicUrl).toBe(right.replace(/\/$/, ''))
  }
})

test('the sender of mail is an address, with a name before it or none', () => {
  for (const wrong of [
    'The Alliance',
    'hello@',
    'A <hello@>',
    'A <a@example.com> <b@example.com>',
    'A\r\nBcc: x@y.zz',
  ]) {
    expect(refusal({ MAIL_FROM: wrong })).toMatch(/^MAIL_FROM: must be a sender such as /)
  }
  for (const right of [
    'hello@alliance.example',
    'The Alliance <hello@alliance.example>',
    '<hello@alliance.example>',
    'hello@localhost',
  ]) {
    expect(readSettings({ MAIL_FROM: right }).mailFrom).toBe(right)
  }
})

test('an invalid value is named, and not repeated', () => {
  const wrong: Record<string, string> = {
    PORT: 'eighty',
    SANDBOX_PORT: '70000',
    PUBLIC_URL: 'localhost:3000',
    OWNER_EMAILS: 'olive@example.com, olive',
    SIMPLE_ADMIN_EMAIL: 'olive',
    ALLOW_SANDBOX: 'yes',
    SMTP_URL: 'mail.example.com',
    MAIL_FROM: 'The Alliance',
    EMBED_HOSTS: 'player.example, *',
    BOOKING_URL: 'javascript:alert(1)',
    ANALYTICS_URL: 'nowhere',
    API_DOCS: 'true',
  }
  for (const [name, value] of Object.entries(wrong)) {
    const said = refusal({ [name]: value })
    expect(said.startsWith(`${name}: `), said).toBe(true)
    expect(said).not.toContain('\n')
  }
  const key = 'a-secret-that-is-too-short'
  expect(refusal({ SESSION_SECRET: key })).not.toContain(key)
})

test('a secret may be in a file, and is refused if it’s set twice or can’t be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-secrets-'))
  const file = join(folder, 'secret')
  writeFileSync(file, `${secret}\n`)
  expect(readSettings({ SESSION_SECRET_FILE: file }).sessionSecret).toBe(secret)
  expect(refusal({ SESSION_SECRET_FILE: file, SESSION_SECRET: secret })).toBe(
    'Set SESSION_SECRET or SESSION_SECRET_FILE, not both.',
  )
  expect(refusal({ SMTP_URL_FILE: join(folder, 'none') })).toBe(
    `SMTP_URL_FILE: we can’t read ${join(folder, 'none')} (ENOENT).`,
  )
  // A live key in a file is as live as one in the environment.
  writeFileSync(file, 'sk_live_real')
  expect(refusal({ STRIPE_SECRET_KEY_FILE: file })).toContain('NODE_ENV=production')
  rmSync(folder, { recursive: true })
})
