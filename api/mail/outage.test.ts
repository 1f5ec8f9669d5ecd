// @module-tag full
import { afterEach, describe, expect, test, vi } from 'vitest'
import { sendMail, sendMailOf } from '#api/features/mail/delivery-service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { queueMail } from './outbox.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { startMuteSmtp, startSmtp } from './testing/smtp-server.ts'

const second = 1000
const minute = 60 * second

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step()
})

async function startSite(options = '') {
  const server = await startSmtp()
  cleanUp.push(() => server.stop())
  return { server, ...worldOf(`smtp://127.0.0.1:${server.port}${options}`) }
}

function worldOf(url: string) {
  const world = startWorld({ env: { SMTP_URL: url } })
  const queue = (cause: string, to: string, isRepeatable: boolean) =>
    queueMail(world.ctx, { cause, to, userId: null, subject: 'Tea?', text: 'Tea', html: '<p>Tea</p>', isRepeatable })
  return {
    world,
    queue,
    queueLink: (cause: string, to = 'sam@example.com') => queue(cause, to, false),
    queueNews(count: number, to = 'olive@example.com') {
      for (let number = 0; number < count; number += 1) queue(`news:${number}`, to, true)
    },
  }
}

type Row = { to: string; status: string; attempts: number; waitMs: number; lastError: string | null }
const rows = ({ ctx }: World) =>
  ctx.sqlite
    .prepare<[string], Row>(
      `select "to", status, attempts, lastError,
        cast(round((julianday(nextAttemptAt) - julianday(?)) * 86400000) as integer) as waitMs
      from mail_outbox order by id`,
    )
    .all(ctx.now().toISOString())

/** Runs like the server's timer for so many seconds. Returns the seconds at which an email was tried. */
async function runFor(world: World, seconds: number): Promise<number[]> {
  const tried: number[] = []
  for (let elapsed = 0; elapsed < seconds; elapsed += 5) {
    const { delayed } = await sendMail(world.ctx)
    if (delayed > 0) tried.push(elapsed)
    world.forward(5 * second)
  }
  return tried
}

test('a link at which the server hangs up, and then turns us away, stops no other mail', async () => {
  const { server, world, queueLink, queueNews } = await startSite()
  server.behaviours.set('sam@example.com', 'leave')
  queueLink('reset:1')
  queueNews(20)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1, sent: 0 })
  world.forward(5 * second)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1, sent: 0 })
  expect(rows(world)[0]).toMatchObject({ to: 'sam@example.com', status: 'waiting', attempts: 1 })
  server.isAway = false
  world.forward(10 * second)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 0, sent: 20 })
  world.forward(minute)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
  expect(rows(world)[0]).toMatchObject({
    status: 'waiting',
    attempts: 2,
    lastError: expect.stringContaining('hung up'),
  })
  server.behaviours.clear()
  server.isAway = false
  world.forward(minute)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  expect(new Set(server.taken.map(({ messageId }) => messageId)).size).toBe(21)
})

test('a mail at which the server goes away is tried at longer and longer intervals while it is the only one', async () => {
  const { server, world, queueNews } = await startSite()
  server.behaviour = 'leave'
  queueNews(1)
  for (const wait of [1, 2, 4, 8]) {
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
    expect(rows(world)[0]?.waitMs).toBe(wait * minute)
    server.isAway = false
    world.forward(wait * minute)
  }
})

test('a server that says 421 to every mail is away: all wait for it together, and go within a minute once it is back', async () => {
  const { server, world, queueLink, queueNews } = await startSite()
  server.behaviour = '421'
  queueNews(60)
  queueLink('reset:1')
  expect(await runFor(world, 20 * 60)).toHaveLength(5 + 18)
  expect(rows(world).filter(({ status, attempts }) => status !== 'waiting' || attempts > 1)).toEqual([])
  expect(rows(world).filter(({ attempts }) => attempts > 0)).toHaveLength(1)
  expect(Math.max(...rows(world).map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(minute)
  server.behaviour = 'accept'
  await runFor(world, 60)
  await sendMail(world.ctx)
  expect(server.taken).toHaveLength(61)
})

test('a mail that the server answers with 421 stops no other, be it a link', async () => {
  const { server, world, queueLink, queueNews } = await startSite()
  server.behaviours.set('sam@example.com', '421')
  queueLink('reset:1')
  queueNews(20)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1, sent: 0 })
  world.forward(5 * second)
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 0, sent: 20 })
  expect(rows(world)[0]).toMatchObject({ status: 'waiting', attempts: 1, lastError: expect.stringContaining('421') })
})

test('however many links the server answers with 421, other mail goes', async () => {
  const { server, world, queueLink, queueNews } = await startSite()
  server.behaviours.set('sam@example.com', '421')
  for (let number = 0; number < 20; number += 1) queueLink(`reset:${number}`)
  queueNews(1)
  await sendMail(world.ctx)
  world.forward(5 * second)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
})

test('a server that goes away in the middle of a run loses nothing, and gets the rest within a minute, each as the same mail', async () => {
  const { server, world, queueNews, queueLink } = await startSite()
  queueNews(20)
  world.forward(second)
  queueLink('reset:1', 'kim@example.com')
  server.behaviours.set('olive@example.com', 'leave')
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1, refused: 0, failed: 0 })
  expect(rows(world).filter(({ attempts }) => attempts > 1)).toEqual([])
  server.behaviours.clear()
  server.isAway = false
  await runFor(world, 65)
  expect(rows(world).filter(({ status }) => status !== 'sent')).toEqual([])
  expect(new Set(server.taken.map(({ messageId }) => messageId)).size).toBe(21)
})

test('a server that hangs before the mail is asked once a run, and no mail is at fault', async () => {
  const server = startMuteSmtp()
  cleanUp.push(() => server.stop())
  const { world, queueNews } = worldOf(`smtp://127.0.0.1:${server.port}?socketTimeout=1000`)
  queueNews(3)
  expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
  expect(server.connections).toBe(1)
  const [mail] = rows(world)
  expect(mail).toMatchObject({ attempts: 0, lastError: expect.stringContaining('didn’t answer in time') })
})

test('a server that hangs at a mail is not asked a second time, and other mail goes first', async () => {
  const { server, world, queueNews, queueLink } = await startSite('?socketTimeout=1000')
  server.behaviour = 'silent'
  queueLink('reset:1')
  queueNews(3)
  expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
  expect(rows(world)[0]).toMatchObject({ attempts: 1, waitMs: minute })
  expect(server.connections).toBe(1)
  server.behaviour = 'accept'
  world.forward(5 * second)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 3 })
})

test('addresses at which the server hangs hold up no other mail, nor a link that is asked for meanwhile', async () => {
  const { server, world, queueLink, queueNews } = await startSite('?socketTimeout=9000')
  for (const number of [1, 2, 3]) {
    server.behaviours.set(`hang${number}@example.com`, 'hang')
    queueLink(`hang:${number}`, `hang${number}@example.com`)
  }
  queueNews(5)
  const run = sendMail(world.ctx)
  await vi.waitFor(() => expect(server.taken).toHaveLength(5))
  queueLink('reset:1')
  await vi.waitFor(() => expect(server.taken).toHaveLength(6))
  expect(await run).toEqual({ sent: 6, delayed: 3, refused: 0, failed: 0 })
  // The server was up, so each email has its own back-off and new ones go straight away.
  expect(rows(world).filter(({ status }) => status === 'waiting')).toMatchObject([
    ...[1, 2, 3].map((number) => ({ to: `hang${number}@example.com`, attempts: 1, waitMs: minute })),
  ])
  queueLink('reset:2')
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
})

test('a server that hangs at every mail is asked by a few, one after the other', async () => {
  const { server, world, queueNews } = await startSite('?socketTimeout=5000')
  server.behaviour = 'hang'
  queueNews(40)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 0, delayed: server.connections })
  expect(server.connections).toBeLessThanOrEqual(4)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 0, delayed: 0 })
})

describe('while the server is silent at some addresses', () => {
  /** A server that hangs on these for the whole test, and the run that has noticed. */
  async function runWithSilent(count: number) {
    const site = await startSite()
    const { server, world, queueNews } = site
    queueNews(1)
    for (let number = 0; number < count; number += 1) {
      server.behaviours.set(`hang${number}@example.com`, 'hang')
      site.queue(`hang:${number}`, `hang${number}@example.com`, true)
    }
    const run = sendMail(world.ctx)
    const end = async () => {
      await server.stop()
      return run
    }
    const sent = () => rows(world).filter(({ status }) => status === 'sent').length
    const isSent = (mails: number) => vi.waitFor(() => expect(sent()).toBe(mails))
    await isSent(1)
    const asked = () => rows(world).filter(({ status }) => status === 'sending').length
    await vi.waitFor(() => expect(asked()).toBeGreaterThanOrEqual(Math.min(count, 8)))
    /** All of these can be in progress once each hang has been noticed. After that, nothing happens on its own. */
    const untilNoticed = async () => {
      server.behaviour = 'first'
      for (let number = 1; number <= 8; number += 1) site.queueLink(`tea:${number}`)
      await vi.waitFor(() => expect(server.taken).toHaveLength(9))
      server.behaviour = 'accept'
      server.replyToAll()
      await isSent(9)
    }
    return { ...site, untilNoticed, run, end, isSent, asked }
  }

  test('a mailing goes on, and so does a link that is asked for after a hundred mails', async () => {
    const { queueLink, queue, isSent, end } = await runWithSilent(1)
    for (let number = 1; number < 130; number += 1) queue(`news:${number}`, 'olive@example.com', true)
    await isSent(130)
    queueLink('reset:1')
    await isSent(131)
    expect(await end()).toMatchObject({ sent: 131 })
  })

  test.each(['drop', '421'] as const)('%s at another stops what follows for a moment only', async (behaviour) => {
    const { server, world, queueLink, queue, untilNoticed, isSent, end } = await runWithSilent(1)
    await untilNoticed()
    server.behaviours.set('kim@example.com', behaviour)
    queueLink('reset:1', 'kim@example.com')
    await vi.waitFor(() => expect(rows(world).find(({ to }) => to === 'kim@example.com')?.lastError).not.toBeNull())
    world.forward(5 * second)
    queue('news:1', 'olive@example.com', true)
    queueLink('reset:2')
    await isSent(11)
    await end()
  })

  test('what is due again, and what another program has queued, goes within a few seconds', async () => {
    const { server, world, untilNoticed, isSent, end } = await runWithSilent(8)
    await untilNoticed()
    const asAnotherProgram = world.ctx.sqlite.prepare(
      `update mail_outbox set status = 'waiting', nextAttemptAt = ? where cause = 'tea:1'`,
    )
    asAnotherProgram.run(world.ctx.now().toISOString())
    await vi.waitFor(() => expect(server.taken).toHaveLength(10))
    await isSent(9)
    expect(await end()).toMatchObject({ sent: 10 })
  })

  test('a link goes however many there are', async () => {
    const { queueLink, isSent, asked, end } = await runWithSilent(40)
    await vi.waitFor(() => expect(asked()).toBe(16))
    queueLink('reset:1')
    await isSent(2)
    await end()
  })

  test('a server of ours that stops takes no more', async () => {
    const { server, world, queue, queueNews, queueLink } = await startSite()
    server.behaviours.set('hang@example.com', 'hang')
    queueNews(1)
    queue('hang:1', 'hang@example.com', true)
    const timers = startJobs(world.ctx, jobs.slice(0, 1))
    await vi.waitFor(() => expect(rows(world)).toMatchObject([{ status: 'sent' }, { status: 'sending' }]))
    const stopped = timers.stop()
    queueLink('reset:1')
    await server.stop()
    await stopped
    expect(rows(world)[2]).toMatchObject({ status: 'waiting', attempts: 0, lastError: null })
  })
})

test('a mail that the server never heard of says nothing about it', async () => {
  const { server, world, queueNews, queueLink } = await startSite('?socketTimeout=1000')
  world.ctx.sqlite
    .prepare(`insert into suppressed_addresses (address, reason, since) values ('sam@example.com', 'Asked', ?)`)
    .run(world.ctx.now().toISOString())
  server.behaviour = 'silent'
  queueLink('reset:1')
  queueNews(10)
  expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 1, failed: 0 })
  expect(server.connections).toBe(1)
  queueLink('reset:2')
  await sendMailOf(world.ctx, 'reset:2')
  expect(rows(world)).toMatchObject([
    { status: 'refused' },
    ...Array.from({ length: 10 }, () => ({})),
    { status: 'refused' },
  ])
  expect(await sendMail(world.ctx)).toMatchObject({ delayed: 0 })
})

test('a run that cannot take more ends once what is under way is recorded', async () => {
  const { server, world, queueNews } = await startSite()
  server.behaviour = 'first'
  queueNews(2)
  const failure = sendMail(world.ctx).catch((error: unknown) => ({ error: String(error), rows: rows(world) }))
  await vi.waitFor(() => expect(server.taken).toHaveLength(2))
  world.ctx.sqlite.pragma('query_only = 1')
  wakeOutbox(world.ctx)
  // Wake-ups come in the next turn.
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  world.ctx.sqlite.pragma('query_only = 0')
  server.replyToAll()
  expect(await failure).toMatchObject({
    error: expect.stringContaining('readonly'),
    rows: [{ status: 'sent' }, { status: 'sent' }],
  })
})
