import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { startStore } from '#api/testing/s3-store.ts'
import { type RunOptions, runCommand } from '#cli/testing/run-command.ts'

let folder = ''
let smtp: Smtp
let world: PaymentWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-setup-'))
  smtp = await startSmtp()
  world = await startPaymentWorld()
})
afterEach(async () => {
  await smtp.stop()
  await world.stop()
  rmSync(folder, { recursive: true })
})

const run = (argv: string, options: RunOptions = {}) => runCommand(argv.split(' '), { cwd: folder, ...options })
const inFolder = (name: string) => join(folder, name)
const env = () => readFileSync(inFolder('.env'), 'utf8')
const endpoints = async () => (await world.ctx.stripe.webhookEndpoints.list()).data.map(({ url }) => url)

function writeAnswers(more = '') {
  const lines = [
    ...['PUBLIC_URL=https://alliance.example', 'OWNER_EMAILS=olive@alliance.test', 'ALLOW_SANDBOX=1'],
    ...[`SANDBOX_PORT=${world.sandbox.port}`, 'STRIPE_PUBLISHABLE_KEY=pk_test_sandbox'],
    ...['STRIPE_SECRET_KEY=sk_test_sandbox', 'MAIL_FROM="Olive’s $ite <olive@alliance.test>"'],
    ...[`SMTP_URL=smtp://127.0.0.1:${smtp.port}`, more],
  ]
  writeFileSync(inFolder('answers.env'), lines.join('\n'))
}

test('setup tries each answer, makes the endpoint, and writes .env for its owner alone, once', async () => {
  writeAnswers()
  const line = 'setup --answers answers.env --skip domain'
  smtp.behaviour = '550'
  const refused = await run(line)
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(/^SMTP_URL refused an email to olive@alliance\.test: 550 .*\n$/)
  expect(await endpoints()).toEqual([])
  smtp.behaviour = 'accept'
  const elsewhere = { cwd: inFolder('docs'), projectDir: folder }
  const done = await run(line.replace('answers.env', '../answers.env'), elsewhere)
  expect([done.code, done.err]).toEqual([
    0,
    `${inFolder('.env')} is written, readable only by you. Next: alliance doctor, then start the server.\n`,
  ])
  expect(done.out).toContain(`WorkingDirectory=${folder}\n`)
  expect(done.out).toContain('alliance.example {\n\treverse_proxy 127.0.0.1:3000 {\n')
  expect(done.out).toContain('server_name alliance.example;')
  expect(await endpoints()).toEqual(['https://alliance.example/api/stripe/webhook'])
  expect(smtp.taken.map(({ to }) => to)).toEqual([['olive@alliance.test']])
  expect(statSync(inFolder('.env')).mode & 0o777).toBe(0o600)
  expect(env()).toMatch(/^STRIPE_WEBHOOK_SECRET=whsec_/m)
  expect(env()).toMatch(/^SESSION_SECRET=.{64}$/m)
  expect(env()).toContain(`MAIL_FROM='Olive’s $ite <olive@alliance.test>'\n`)
  const before = env()
  expect(await run(line)).toMatchObject({
    code: 2,
    out: '',
    err: `Replace ${inFolder('.env')}? Use --yes to confirm.\n`,
  })
  expect((await run(`${line} --yes`)).code).toBe(0)
  expect(env()).toBe(before)
  rmSync(inFolder('.env'))
  const again = await run(line)
  expect([again.code, again.out]).toEqual([1, ''])
  expect(again.err).toMatch(/^There’s already a webhook endpoint .+\. Give/)
})

test('without a terminal and answers, with an unknown option, or where the domain does not answer, it says so in a line', async () => {
  expect(await run('setup')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--answers <file>') })
  expect(await run('setup --api https://alliance.example')).toMatchObject({ code: 2, out: '' })
  writeAnswers('TEA=1')
  expect((await run('setup --answers answers.env')).err).toMatch(/line 9: this isn’t an option in \.env\.example\.\n$/)
  writeAnswers(`PUBLIC_URL=https://127.0.0.1:${smtp.port}`)
  expect((await run('setup --answers answers.env')).err).toMatch(
    /^PUBLIC_URL doesn’t respond over https .*--skip domain\.\n$/,
  )
})

test('a second place for backups is tried first, and its key is made and shown once', async () => {
  const store = await startStore()
  const answers = (url: string) =>
    writeAnswers(`BACKUP_URL=${url}\nS3_ACCESS_KEY_ID=S3RVER\nS3_SECRET_ACCESS_KEY=S3RVER`)
  const line = 'setup --answers answers.env --skip domain'
  try {
    answers('s3://nights/alliance?endpoint=http://127.0.0.1:9')
    expect((await run(line)).err).toMatch(/^S3_SECRET_ACCESS_KEY doesn’t work: Listing at s3:\/\/nights.*\n$/)
    answers(store.url)
    const done = await run(line)
    expect(done.code).toBe(0)
    const [, key = ''] = /^BACKUP_KEY=(.{64})$/m.exec(env()) ?? []
    const folder = inFolder('data/live/backups')
    expect(done.err).toContain(`Nightly backup at 03:15, into ${folder}. Change it: alliance backup schedule\n`)
    const scheduled = await run('backup schedule --json', { env: { DATA_DIR: inFolder('data/live') } })
    expect(JSON.parse(scheduled.out)).toMatchObject({ at: '03:15', folder })
    expect(done.err).toContain(`Write it down somewhere else now:\n${key}\n`)
    const again = await run(`${line} --yes`)
    expect([again.code, again.err.includes(key)]).toEqual([0, false])
    expect(env()).toContain(`BACKUP_KEY=${key}\n`)
  } finally {
    await store.close()
  }
})

test('on a terminal a wrong answer is asked again, and a domain alone is an address', async () => {
  const input = ['sandbox, please\r', 'live\r', 'our site\r', 'alliance.example\r', 'olive\r', '\u0003']
  const asked = await run('setup --skip domain,mail', { isTTY: { stdin: true, stdout: false }, input })
  expect(asked.code).toBe(130)
  expect(asked.err).toContain('PUBLIC_URL must start with http:// or https://')
  expect(asked.err).toContain('OWNER_EMAILS has something that isn’t an email address')
  expect(readFileSync(inFolder('.env.answers'), 'utf8')).toContain('PUBLIC_URL=https://alliance.example\n')
})

test('a demo needs an address and its owners alone, and what was answered before a Ctrl-C is there the next time', async () => {
  const isTTY = { stdin: true, stdout: false }
  const answers = ['live\r', 'https://alliance.example\r', 'olive@alliance.test\r', 'pk_test_sandbox\r', '\u0003']
  const left = await run('setup --skip domain,mail', { isTTY, input: answers })
  expect([left.code, left.err]).toEqual([130, expect.stringContaining(`kept in ${inFolder('.env.answers')}`)])
  expect(statSync(inFolder('.env.answers')).mode & 0o777).toBe(0o600)
  const again = await run('setup --skip domain,mail', { isTTY, input: ['\r', '\r', '\r', '\r', '\u0003'] })
  expect(again.err).toContain('Stripe publishable key (pk_…) [pk_test_sandbox]: ')
  rmSync(inFolder('.env.answers'))
  const input = ['https://demo.example\r', 'olive@alliance.test\r', '\r']
  const demo = await run('setup --sandbox --skip domain', { isTTY, input })
  expect([demo.code, existsSync(inFolder('.env.answers'))]).toEqual([0, false])
  expect(env()).toMatch(/^ALLOW_SANDBOX=1\nPUBLIC_URL=https:\/\/demo\.example\n/m)
  expect(env()).toContain('DATA_DIR=data/demo\n')
  expect(env()).not.toMatch(/STRIPE|SMTP/)
  writeFileSync(inFolder('.env'), `${env()}EMBED_HOSTS=player.example\n`)
  const changed = await run('setup --sandbox --skip domain', {
    isTTY,
    input: ['y\r', '\r', 'owen@alliance.test\r', '\r'],
  })
  expect([changed.code, changed.err]).toEqual([0, expect.stringContaining('Kept as before: EMBED_HOSTS.')])
  expect(env()).toMatch(/^OWNER_EMAILS=owen@alliance\.test$[\s\S]*^EMBED_HOSTS=player\.example$/m)
})
