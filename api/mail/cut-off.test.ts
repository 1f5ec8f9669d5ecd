// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { sendMail, sendMailOf } from '#api/features/mail/delivery-service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { listJobs, runJob } from '#api/features/operations/jobs/service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { startWorld } from '#api/testing/world.ts'
import { queueMail } from './outbox.ts'
import { onMailQueued, wakeOutbox } from './outbox-wake-up.ts'
import { startSmtp } from './testing/smtp-server.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step()
})

function spawnSender(env: Record<string, string>, now: Date, send = 'sendMail(ctx)') {
  const script = `
    import { openContext } from '#api/context.ts'
    import { readSettings } from '#api/settings.ts'
    import { runJob } from '#api/features/operations/jobs/service.ts'
    import { sendMail } from '#api/features/mail/delivery-service.ts'
    const ctx = openContext(readSettings(process.env), { now: () => new Date(${now.getTime()}) })
    await ${send}`
  return Bun.spawn([process.execPath, '--no-env-file', '-e', script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function openOutbox() {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-mail-'))
  const smtp = await startSmtp()
  const env = { DATA_DIR: dataDir, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }
  const world = startWorld({ file: databaseFile(dataDir), env })
  cleanUp.push(
    () => smtp.stop(),
    () => world.ctx.sqlite.close(),
    () => rmSync(dataDir, { recursive: true }),
  )
  const message = { to: 'sam@example.com', userId: null, subject: 'Tea?', text: 'Kettle is on.', html: '<p>Tea</p>' }
  queueMail(world.ctx, { ...message, cause: 'tea:1' })
  return { env, smtp, world, message }
}

test('after kill -9 the next start sends waiting mail straight away, and what was being handed over', async () => {
  const { env, smtp, world, message } = await openOutbox()
  smtp.behaviour = 'silent'
  const sender = spawnSender(env, world.ctx.now(), `runJob(ctx, 'mail')`)
  await smtp.asked
  queueMail(world.ctx, { ...message, cause: 'tea:2' })
  expect(await runJob(world.ctx, 'mail')).toEqual({ skipped: true })
  expect(listJobs(world.ctx)[0]).toMatchObject({ name: 'mail', isRunning: true })
  sender.kill('SIGKILL')
  await sender.exited
  expect(listJobs(world.ctx)[0]).toMatchObject({ name: 'mail', isRunning: false })

  smtp.behaviour = 'accept'
  const timers = startJobs(world.ctx, jobs.slice(0, 1))
  cleanUp.push(() => timers.stop())
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(3))
  expect(new Set(smtp.taken.map(({ messageId }) => messageId)).size).toBe(2)
})

test('a start sends what waits, even where the last run was a moment ago', async () => {
  const { smtp, world, message } = await openOutbox()
  await runJob(world.ctx, 'mail')
  queueMail(world.ctx, { ...message, cause: 'tea:2' })
  const timers = startJobs(world.ctx, jobs.slice(0, 1))
  cleanUp.push(() => timers.stop())
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(2))
})

test('a sender killed between the hand-over and its own note leaves a mail that goes out again as the same mail', async () => {
  const { env, smtp, world } = await openOutbox()
  smtp.behaviour = 'silent'
  const sender = spawnSender(env, world.ctx.now())
  await smtp.asked
  sender.kill('SIGKILL')
  await sender.exited
  expect(smtp.taken).toHaveLength(1)

  smtp.behaviour = 'accept'
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 0 })
  world.forward(60_000)
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 0 })
  const [first, second] = smtp.taken
  expect(second?.messageId).toBe(first?.messageId)
  expect(second?.messageId).toMatch(/^<.+@localhost>$/)
  const dateOf = (raw: string | undefined) => raw?.match(/^Date: .*$/m)?.[0]
  expect(dateOf(second?.raw)).toBe(dateOf(first?.raw))
})

test('a mail whose document took so long that another program took it again goes out once', async () => {
  const { env, smtp, world, message } = await openOutbox()
  await sendMail(world.ctx)
  queueMail(world.ctx, { ...message, cause: 'call:1', attachment: { kind: 'call', id: 'cancelled' } })
  const other = startWorld({ file: databaseFile(env.DATA_DIR), env })
  cleanUp.unshift(() => other.ctx.sqlite.close())
  const slow = sendMail(world.ctx)
  other.forward(61_000)
  const again = sendMail(other.ctx)
  expect([(await slow).sent, (await again).sent]).toEqual([0, 1])
  expect(smtp.taken).toHaveLength(2)
})

test('a mail that was handed over and could not be recorded is recorded by the next run, and not sent again', async () => {
  const { smtp, world, message } = await openOutbox()
  smtp.behaviour = 'first'
  queueMail(world.ctx, { ...message, cause: 'tea:2' })
  const run = sendMail(world.ctx).catch(String)
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(2))
  world.ctx.sqlite.pragma('query_only = 1')
  smtp.replyToAll()
  expect(await run).toContain('readonly')
  await expect(sendMail(world.ctx)).rejects.toThrow('readonly')
  world.ctx.sqlite.pragma('query_only = 0')
  const statuses = () => world.ctx.sqlite.prepare('select status from mail_outbox order by id').pluck().all()
  expect(statuses()).toEqual(['sent', 'sending'])
  world.forward(120_000)
  await sendMailOf(world.ctx, 'tea:2')
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 0 })
  expect(statuses()).toEqual(['sent', 'sent'])
  expect(smtp.taken).toHaveLength(2)
})

test('a mail that could not be recorded in the last run of a server that stops is recorded as it stops', async () => {
  const { smtp, world, message } = await openOutbox()
  smtp.behaviour = 'first'
  queueMail(world.ctx, { ...message, cause: 'tea:2' })
  const timers = startJobs(world.ctx, jobs.slice(0, 1))
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(2))
  world.ctx.sqlite.pragma('query_only = 1')
  smtp.replyToAll()
  await vi.waitFor(() => expect(world.logged.join()).toContain('job failed'))
  world.ctx.sqlite.pragma('query_only = 0')
  await timers.stop()
  expect(world.ctx.sqlite.prepare('select status from mail_outbox').pluck().all()).toEqual(['sent', 'sent'])
})

test('a mail whose document is made while another program writes goes out, and no attempt of it has failed', async () => {
  const { env, smtp, world, message } = await openOutbox()
  await sendMail(world.ctx)
  queueMail(world.ctx, { ...message, cause: 'call:1', attachment: { kind: 'call', id: 'cancelled' } })
  const other = new Database(databaseFile(env.DATA_DIR))
  cleanUp.unshift(() => other.close())
  const run = sendMail(world.ctx)
  other.exec('begin immediate')
  // Give it time to happen, if it was going to.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  other.exec('rollback')
  expect(await run).toEqual({ sent: 1, delayed: 0, refused: 0, failed: 0 })
  expect(smtp.taken).toHaveLength(2)
})

test('while the server is silent at a mail, another program that writes for a moment holds up no other', async () => {
  const { env, smtp, world, message } = await openOutbox()
  smtp.behaviours.set(message.to, 'hang')
  queueMail(world.ctx, { ...message, to: 'olive@example.com', cause: 'tea:2' })
  const other = new Database(databaseFile(env.DATA_DIR))
  cleanUp.unshift(() => other.close())
  const run = sendMail(world.ctx)
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(1))
  await new Promise(setImmediate)
  other.exec('begin immediate')
  wakeOutbox(world.ctx)
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  other.exec('rollback')
  queueMail(world.ctx, { ...message, to: 'kim@example.com', cause: 'tea:3' })
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(2))
  await smtp.stop()
  expect(await run).toMatchObject({ sent: 2 })
})

test('a look while another program writes holds up nothing else, and there is another once that has ended', async () => {
  const { env, smtp, world } = await openOutbox()
  const other = new Database(databaseFile(env.DATA_DIR))
  cleanUp.unshift(() => other.close())
  other.exec('begin immediate')
  const from = performance.now()
  const run = sendMail(world.ctx)
  // Waiting for the lock would take the busy timeout's five seconds.
  expect(performance.now() - from).toBeLessThan(2_500)
  expect(await run).toMatchObject({ sent: 0 })
  const { promise: woken, resolve: onWoken } = Promise.withResolvers<void>()
  cleanUp.push(onMailQueued(world.ctx, onWoken))
  other.exec('rollback')
  await woken
  expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
  expect(smtp.taken).toHaveLength(1)
})
