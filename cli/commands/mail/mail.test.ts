import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { eximReport, ordinaryMail } from '#api/mail/testing/reports.ts'
import { type DataFolder, openDataFolder, startServer } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const json = async (argv: string) => JSON.parse((await folder.local(`${argv} --json`)).out)
const queue = (cause: string) =>
  queueMail(folder.world.ctx, {
    cause,
    to: 'Sam@alliance.test',
    userId: null,
    subject: 'Receipt',
    text: 'Paid.',
    html: '<p>Paid.</p>',
    isRepeatable: true,
  })

test('a test mail goes out at once, and says what became of it', async () => {
  expect(await folder.local('mail test you@alliance.test')).toMatchObject({ code: 2, out: '' })
  expect(await json('mail test you@alliance.test --yes')).toMatchObject({ to: 'you@alliance.test', status: 'sent' })
  await folder.local('mail suppress you@alliance.test --yes')
  const refused = await folder.local('mail test you@alliance.test --yes')
  expect(refused).toMatchObject({
    code: 1,
    out: expect.stringContaining('An owner has blocked this address.'),
  })
  expect((await folder.local('mail test you')).code).toBe(2)
})

test('nothing goes to a suppressed address, until that is lifted; its mails can be sent then', async () => {
  queue('receipt:1')
  const line = 'mail suppress SAM@alliance.test --reason Asked'
  expect(await json(`${line} --dry-run`)).toMatchObject({ command: 'mail suppress', facts: { lifts: false } })
  expect(await json('mail suppressed')).toEqual([])
  for (let twice = 0; twice < 2; twice += 1) expect((await folder.local(`${line} --yes`)).code).toBe(0)
  expect(await json('mail suppressed')).toMatchObject([{ email: 'sam@alliance.test', reason: 'Asked' }])
  await runJob(folder.world.ctx, 'mail')
  const [mail] = await json('mail list --status refused')
  expect(mail).toMatchObject({ to: 'Sam@alliance.test', canResend: true })
  expect((await folder.local('mail suppress sam@alliance.test --lift --yes')).code).toBe(0)
  expect((await folder.local('mail suppress sam@alliance.test --lift --yes')).code).toBe(3)
  expect((await folder.local(`mail resend ${mail.id}`)).err).toBe(
    'Send “Receipt” to Sam@alliance.test again? Use --yes to confirm.\n',
  )
  const plan = (await folder.local(`mail resend ${mail.id} --dry-run --json`)).out
  expect(await folder.local('apply - --yes', { input: plan })).toMatchObject({ code: 0 })
  await runJob(folder.world.ctx, 'mail')
  expect(await json(`mail show ${mail.id}`)).toMatchObject({ status: 'sent' })
  expect(await folder.local('apply - --yes', { input: plan })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Something has changed since this plan was made'),
  })
})

test('a delivery report is piped in, over both transports alike, and says what followed', {
  tags: ['full'],
}, async () => {
  const server = await startServer()
  const { ctx } = server.world
  const mail = { to: 'sam@alliance.test', userId: null, subject: 'Receipt', text: 'Paid.', html: '<p>Paid.</p>' }
  queueMail(ctx, { ...mail, cause: 'receipt:3' })
  await runJob(ctx, 'mail')
  const messageId = ctx.sqlite.prepare<[], string>('select messageId from mail_outbox').pluck().get() ?? ''
  const forged = { input: eximReport({ to: mail.to, messageId: '<made-up@alliance.test>' }) }
  const said = await server.local('mail bounce --json', forged)
  expect(JSON.parse(said.out)).toMatchObject({ mail: null, addresses: [{ email: mail.to, outcome: 'not-ours' }] })
  expect(await server.remote('mail bounce --json', forged)).toEqual(said)
  const ours = { input: eximReport({ to: mail.to, messageId }) }
  const stopped = await server.remote('mail bounce', ours)
  expect(stopped).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/Receipt \(.*Blocked: no more email goes/s),
  })
  expect((await server.local('mail bounce', ours)).out).toContain('Already blocked')
  for (const run of [server.local, server.remote]) {
    const oneLine = (words: RegExp) => ({ code: 2, out: '', err: expect.stringMatching(words) })
    expect(await run('mail bounce', { input: ordinaryMail })).toMatchObject(oneLine(/^.*isn’t a delivery report.*\n$/))
    expect(await run('mail bounce')).toMatchObject(oneLine(/^.*bounce < report\.eml\n$/))
  }
  server.close()
})

test('who is removed is forgotten with it, and gets no last mail there', async () => {
  const { world } = folder
  const sam = world.addUser({ email: 'sam@alliance.test' })
  queueMail(world.ctx, {
    cause: 'receipt:2',
    to: sam.email,
    userId: sam.id,
    subject: 'Receipt',
    text: 'Paid.',
    html: '<p>Paid.</p>',
  })
  await folder.local('mail suppress sam@alliance.test --yes')
  expect((await folder.local('members remove sam@alliance.test --yes')).code).toBe(0)
  expect([await json('mail suppressed'), await json('mail list')]).toEqual([[], []])
})

test('all that was refused since a time goes again at a campaign’s pace, each once, and nothing that has expired', async () => {
  const { world } = folder
  const mail = { userId: null, subject: 'Receipt', text: 'Paid.', html: '<p>Paid.</p>', isRepeatable: true }
  for (let number = 0; number < 70; number += 1)
    queueMail(world.ctx, { ...mail, cause: `receipt:${number}`, to: `member${number}@alliance.test` })
  const link = { ...mail, isRepeatable: false, lapsesAt: world.ctx.now().toISOString() }
  queueMail(world.ctx, { ...link, cause: 'reset:1', to: 'sam@alliance.test' })
  world.ctx.sqlite.exec(`update mail_outbox set status = 'refused'`)
  world.ctx.sqlite.exec(`update mail_outbox set nextAttemptAt = '2026-06-01T08:00:00.000Z' where cause = 'receipt:0'`)
  await folder.local('mail suppress member1@alliance.test --yes')
  const line = 'mail resend --all --since 2026-06-02'
  const plan = (await folder.local(`${line} --dry-run --json`)).out
  expect(JSON.parse(plan)).toMatchObject({ facts: { emails: 68, minutes: 2, blocked: 1, unwanted: 0 } })
  expect(await json('mail list --status waiting')).toEqual([])
  expect(await folder.local('apply - --yes', { input: plan })).toMatchObject({ code: 0 })
  expect((await folder.local(`${line} --yes`)).out).toContain('0 emails')
  world.forward(60_000)
  await runJob(world.ctx, 'mail')
  expect(await json('mail list --status sent -n 100')).toHaveLength(61)
  world.forward(60_000)
  await runJob(world.ctx, 'mail')
  expect(await json('mail list --status sent -n 100')).toHaveLength(68)
  expect((await folder.local('mail resend --all')).code).toBe(2)
  expect((await folder.local('mail resend')).code).toBe(2)
  expect((await folder.local('mail resend abc --since 2026-06-02')).code).toBe(2)
})
