import { afterEach, describe, expect, test, vi } from 'vitest'
import { transact } from '#api/db/open.ts'
import { sendMail, sendMailOf } from '#api/features/mail/delivery-service.ts'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { queueMail } from './outbox.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { type Smtp, startSmtp } from './testing/smtp-server.ts'

const minute = 60_000
const hour = 60 * minute

let smtp: Smtp | undefined
afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
})

async function worldWithServer(): Promise<{ world: World; server: Smtp }> {
  const server = await startSmtp()
  smtp = server
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, PUBLIC_URL: 'https://alliance.example' }
  return { world: startWorld({ env: { ...env, MAIL_FROM: 'The Alliance <hello@alliance.example>' } }), server }
}

const message = {
  to: 'sam@example.com',
  userId: null,
  subject: 'Tea?',
  text: 'Kettle is on.',
  html: '<p>Kettle is on.</p>',
}

type Row = {
  status: string
  attempts: number
  nextAttemptAt: string
  lastError: string | null
  text: string
  messageId: string
}
const rows = ({ ctx }: World) =>
  ctx.sqlite
    .prepare<[], Row>('select status, attempts, nextAttemptAt, lastError, text, messageId from mail_outbox order by id')
    .all()
const row = (world: World) => rows(world)[0]

describe('queueing', () => {
  test('one cause is one mail, the first one', () => {
    const world = startWorld()
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    queueMail(world.ctx, { ...message, cause: 'tea:1', text: 'Another text' })
    expect(rows(world)).toMatchObject([{ status: 'waiting', text: 'Kettle is on.' }])
  })

  test('a cause that is undone takes its mail with it', () => {
    const world = startWorld()
    const undone = () =>
      transact(world.ctx, () => {
        queueMail(world.ctx, { ...message, cause: 'tea:1' })
        throw new Error('no tea')
      })
    expect(undone).toThrow('no tea')
    expect(rows(world)).toEqual([])
  })

  test('deleting a person deletes the mail that waits for them', () => {
    const world = startWorld()
    const { id } = world.addUser()
    queueMail(world.ctx, { ...message, cause: 'tea:1', userId: id })
    world.ctx.sqlite.prepare('delete from users where id = ?').run(id)
    expect(rows(world)).toEqual([])
  })
})

describe('the local mailbox', () => {
  test('shows what was sent, newest first', async () => {
    const world = startWorld()
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    expect(listMailbox(world.ctx)).toEqual([])
    expect(await sendMail(world.ctx)).toEqual({ sent: 1, delayed: 0, refused: 0, failed: 0 })
    const at = world.ctx.now().toISOString()
    world.forward(minute)
    queueMail(world.ctx, { ...message, cause: 'tea:2', subject: 'Biscuits?' })
    await sendMail(world.ctx)
    const { to, subject, text, html } = message
    expect(listMailbox(world.ctx)).toMatchObject([{ subject: 'Biscuits?' }, { to, subject, text, html, at }])
  })
})

describe('an SMTP server', () => {
  test('gets the mail once, under its Message-ID, and the text is not kept', async () => {
    const { world, server } = await worldWithServer()
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 0 })
    const [mail, ...more] = server.taken
    expect(more).toEqual([])
    expect(mail?.to).toEqual(['sam@example.com'])
    expect(mail?.raw).toMatch(/^From: The Alliance <hello@alliance\.example>$/m)
    expect(mail?.raw).toMatch(/^Subject: Tea\?$/m)
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(mail?.messageId).toMatch(/^<[0-9a-f-]{36}@alliance\.example>$/)
    expect(row(world)).toMatchObject({ status: 'sent', text: '', messageId: mail?.messageId, lastError: null })
    expect(listMailbox(world.ctx)).toEqual([])
  })

  test('that defers is tried again later, at longer and longer intervals', { tags: ['full'] }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = '451'
    queueMail(world.ctx, { ...message, cause: 'tea:1', isRepeatable: true })
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
      world.forward(wait * minute - 1)
      expect(await sendMail(world.ctx)).toMatchObject({ delayed: 0 })
      world.forward(1)
    }
    expect(row(world)).toMatchObject({ status: 'waiting', attempts: 8, lastError: '451 Try again later' })
    server.behaviour = 'accept'
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
    expect(server.taken).toHaveLength(1)
  })

  test('that defers a one-time link is asked each minute for as long as somebody may wait for it', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = '451'
    queueMail(world.ctx, { ...message, cause: 'reset:1' })
    for (const wait of [1, 1, 1, 1, 1, 54, 1, 1]) {
      expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
      world.forward(wait * minute)
    }
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 0 })
    world.forward(hour)
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
  })

  test('that defers for three days gets no further attempt', { tags: ['full'] }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = '451'
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    for (const wait of [1, 2, 4, 8, 16, 32]) {
      expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
      world.forward(wait * minute)
    }
    world.forward(71 * hour - 3 * minute - 1)
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
    world.forward(hour)
    expect(await sendMail(world.ctx)).toMatchObject({ failed: 1 })
    world.forward(72 * hour)
    expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 0, refused: 0, failed: 0 })
    expect(row(world)).toMatchObject({ status: 'failed', attempts: 8, text: '' })
  })

  test('that refuses ends the attempts, and its own error is stored without control characters', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = '550'
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    queueMail(world.ctx, { ...message, cause: 'tea:2' })
    expect(await sendMail(world.ctx)).toMatchObject({ refused: 2 })
    world.forward(hour)
    expect(await sendMail(world.ctx)).toMatchObject({ refused: 0, delayed: 0 })
    expect(row(world)).toMatchObject({
      status: 'refused',
      attempts: 1,
      lastError: '550 No such [31m person here',
      text: '',
    })
    expect(world.logged.join()).not.toContain('sam@')
  })

  test('that wants another password does not count as a refusal of the mail', async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = '530'
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1, refused: 0 })
    expect(row(world)).toMatchObject({ status: 'waiting' })
  })

  test('that refuses our sender does not count as a refusal of the recipient: all mails wait until MAIL_FROM is right', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = 'sender'
    for (const number of [1, 2]) queueMail(world.ctx, { ...message, cause: `tea:${number}` })
    expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
    expect(row(world)).toMatchObject({ status: 'waiting', lastError: expect.stringContaining('553 Not your address') })
    server.behaviour = 'accept'
    world.forward(minute)
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 2 })
  })

  test('that goes away after DATA gets the same mail again, under the same Message-ID', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviour = 'drop'
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
    server.behaviour = 'accept'
    world.forward(minute)
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
    const [first, second] = server.taken
    expect(second?.messageId).toBe(first?.messageId)
    expect(second?.raw.match(/^Date: .*$/m)?.[0]).toBe(first?.raw.match(/^Date: .*$/m)?.[0])
  })

  test('that is down for an hour loses nothing, and is not asked for each mail in turn', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    await server.stop()
    for (const number of [1, 2, 3]) queueMail(world.ctx, { ...message, cause: `tea:${number}` })
    expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
    for (let elapsed = 0; elapsed < hour; elapsed += minute) {
      await sendMail(world.ctx)
      world.forward(minute)
    }
    expect(rows(world).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting'])
    smtp = await startSmtp(server.port)
    world.forward(hour)
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 3 })
    expect(new Set(smtp.taken.map(({ messageId }) => messageId)).size).toBe(3)
  })

  test('that was away for hours gets all that waits within a minute, links first, and no mail was delayed', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    await server.stop()
    for (let number = 0; number < 20; number += 1)
      queueMail(world.ctx, { ...message, cause: `news:${number}`, isRepeatable: true })
    queueMail(world.ctx, { ...message, cause: 'reset:1', subject: 'Your new password' })
    for (let elapsed = 0; elapsed < 3 * hour; elapsed += minute / 4) {
      await sendMail(world.ctx)
      world.forward(minute / 4)
    }
    expect(rows(world).every(({ status, attempts }) => status === 'waiting' && attempts === 0)).toBe(true)
    expect(rows(world).some(({ lastError }) => lastError?.includes('ECONNREFUSED'))).toBe(true)
    smtp = await startSmtp(server.port)
    world.forward(minute)
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 21, delayed: 0 })
    expect(smtp.taken[0]?.raw).toMatch(/^Subject: Your new password$/m)
  })

  test('that is away is asked after longer and longer pauses, of a minute at most, and not by what is queued', async () => {
    const { world, server } = await worldWithServer()
    await server.stop()
    queueMail(world.ctx, { ...message, cause: 'tea:0' })
    const asked: number[] = []
    for (let second = 0; second <= 240; second += 5) {
      queueMail(world.ctx, { ...message, cause: `reset:${second}` })
      const { delayed } = await sendMail(world.ctx)
      if (delayed > 0) asked.push(second)
      world.forward(5000)
    }
    expect(asked).toEqual([0, 5, 15, 35, 75, 135, 195])
  })

  test('that was away before the clock was set back is asked at once', async () => {
    const { world, server } = await worldWithServer()
    await server.stop()
    world.forward(24 * hour)
    queueMail(world.ctx, { ...message, cause: 'tea:1' })
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
    smtp = await startSmtp(server.port)
    world.forward(-24 * hour)
    queueMail(world.ctx, { ...message, cause: 'tea:2' })
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  })

  test('that breaks off at one mail gets the others with the next run', { tags: ['full'] }, async () => {
    const { world, server } = await worldWithServer()
    server.behaviours.set('sam@example.com', 'drop')
    queueMail(world.ctx, { ...message, cause: 'reset:1' })
    for (const number of [1, 2, 3])
      queueMail(world.ctx, { ...message, to: 'olive@example.com', cause: `news:${number}`, isRepeatable: true })
    expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
    expect(await sendMail(world.ctx)).toEqual({ sent: 3, delayed: 0, refused: 0, failed: 0 })
    expect(row(world)).toMatchObject({ status: 'waiting', attempts: 1 })
  })
})

describe('a long queue', () => {
  const queueMany = ({ ctx }: World, count: number) => {
    for (let number = 0; number < count; number += 1)
      queueMail(ctx, { ...message, cause: `news:${number}`, isRepeatable: true })
  }

  test('goes on at once where a run was not enough', { tags: ['full'] }, async () => {
    const world = startWorld()
    queueMany(world, 250)
    const timers = startJobs(
      world.ctx,
      jobs.filter(({ name }) => name === 'mail'),
    )
    await vi.waitFor(() => expect(rows(world).every(({ status }) => status === 'sent')).toBe(true))
    await timers.stop()
    expect(rows(world)).toHaveLength(250)
  })

  test('lets one-time links go before all else, and is handed over in parallel, by eight connections at most', {
    tags: ['full'],
  }, async () => {
    const { world, server } = await worldWithServer()
    const sending = () => rows(world).filter(({ status }) => status === 'sending').length
    const subjects = () => server.taken.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1])
    queueMany(world, 21)
    world.forward(hour)
    queueMail(world.ctx, { ...message, cause: 'reset:1', subject: 'Your new password' })
    server.behaviour = 'first'
    const run = sendMail(world.ctx)
    await vi.waitFor(() => expect(server.taken).toHaveLength(9))
    expect([subjects()[0], sending()]).toEqual(['Your new password', 8])
    queueMail(world.ctx, { ...message, cause: 'reset:2', subject: 'Another password' })
    server.behaviour = 'accept'
    server.replyToAll()
    expect(await run).toMatchObject({ sent: 23 })
    expect(subjects().slice(9, 17)).toContain('Another password')
  })
})

test('mail that was queued or cut off before the clock was set back goes out at once', { tags: ['full'] }, async () => {
  const { world, server } = await worldWithServer()
  const tenYears = 10 * 365 * 24 * hour
  world.forward(tenYears)
  await runJob(world.ctx, 'mail')
  for (const number of [1, 2]) queueMail(world.ctx, { ...message, cause: `tea:${number}` })
  world.ctx.sqlite.exec(`update mail_outbox set status = 'sending' where cause = 'tea:1'`)
  world.forward(-tenYears)
  expect(await runJob(world.ctx, 'mail')).toMatchObject({ report: { sent: 2 } })
  expect(server.taken).toHaveLength(2)
})

test('a mail that is being handed over is taken by nobody else here, wherever the clock is moved', {
  tags: ['full'],
}, async () => {
  const { world, server } = await worldWithServer()
  for (const number of [1, 2]) queueMail(world.ctx, { ...message, cause: `tea:${number}` })
  server.behaviour = 'first'
  const run = sendMail(world.ctx)
  await vi.waitFor(() => expect(server.taken).toHaveLength(2))
  server.behaviour = 'accept'
  for (const move of [2 * minute, 24 * hour, -48 * hour]) {
    world.forward(move)
    wakeOutbox(world.ctx)
    expect(await sendMail(world.ctx, { isTakenOver: true, isClockSetBack: true })).toMatchObject({ sent: 0 })
    await sendMailOf(world.ctx, 'tea:2')
  }
  server.replyToAll()
  expect(await run).toMatchObject({ sent: 2 })
  expect(server.taken).toHaveLength(2)
})
