import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/open.ts'
import { startWorld } from '#api/testing/world.ts'
import { sendMail } from './delivery.ts'
import { queueMail } from './outbox.ts'
import { startSmtp } from './testing/smtp-server.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step()
})

/** A process of its own that sends what is due, on the same database and at the same time of day. */
function spawnSender(env: Record<string, string>, now: Date) {
  const script = `
    import { openContext } from '#api/context.ts'
    import { readSettings } from '#api/settings.ts'
    import { sendMail } from '#api/mail/delivery.ts'
    await sendMail(openContext(readSettings(process.env), { now: () => new Date(${now.getTime()}) }))`
  return Bun.spawn([process.execPath, '--no-env-file', '-e', script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

test('a sender killed between the hand-over and its own note leaves a mail that goes out again as the same mail', async () => {
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
