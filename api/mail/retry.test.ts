// @module-tag full
import { afterEach, describe, expect, test } from 'vitest'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { countStuckMail } from '#api/features/operations/doctor/mail-and-jobs-rules.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { queueMail } from './outbox.ts'
import { requeueMail } from './retry.ts'
import { type Smtp, startSmtp } from './testing/smtp-server.ts'

const minute = 60_000
const hour = 60 * minute
/** Minutes between an hour's attempts. */
const waits = [1, 2, 4, 8, 16, 32]

let smtp: Smtp | undefined
afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
})

async function worldWithServer(): Promise<{ world: World; server: Smtp }> {
  const server = await startSmtp()
  smtp = server
  return { world: startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } }), server }
}

const body = { subject: 'Tea?', text: 'Kettle is on.', html: '<p>Kettle is on.</p>' }
const message = { ...body, to: 'sam@example.com', userId: null }

type Row = { id: string; status: string; attempts: number; lastError: string | null; text: string }
const rows = ({ ctx }: World) =>
  ctx.sqlite.prepare<[], Row>('select id, status, attempts, lastError, text from mail_outbox order by id').all()
const row = (world: World) => rows(world)[0]

describe('after days in which nobody sent, a server', () => {
  test('that is away gives up no mail', async () => {
    const { world, server } = await worldWithServer()
    queueMail(world.ctx, { ...message, cause: 'welcome:1' })
    queueMail(world.ctx, { ...message, cause: 'receipt:1', isRepeatable: true })
    server.isAway = true
    world.forward(96 * hour)
    for (let run = 0; run < 3; run += 1) {
      expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 0 })
      world.forward(minute)
    }
    expect(countStuckMail(world.ctx.db, world.ctx.now())).toMatchObject([{}, { count: 0 }, { count: 2 }])
    server.isAway = false
    expect(await sendMail(world.ctx)).toMatchObject({ sent: 2 })
    expect(server.taken.map(({ raw }) => raw)).toEqual(Array(2).fill(expect.stringContaining(message.text)))
  })

  test.each(['451', '421', 'drop'] as const)(
    'that says %s at first gets the mail once it takes it',
    async (behaviour) => {
      const { world, server } = await worldWithServer()
      queueMail(world.ctx, { ...message, cause: 'welcome:1' })
      server.behaviour = behaviour
      world.forward(96 * hour)
      for (const wait of waits) {
        expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
        expect(row(world)).toMatchObject({ status: 'waiting', text: message.text })
        world.forward(wait * minute)
      }
      server.behaviour = 'accept'
      expect(await sendMail(world.ctx)).toMatchObject({ sent: 1 })
      expect(server.taken.at(-1)?.raw).toContain(message.text)
    },
  )

  test('that still defers after an hour gets no further attempt, until an owner has it sent again', async () => {
    const { world, server } = await worldWithServer()
    queueMail(world.ctx, { ...message, cause: 'receipt:1', isRepeatable: true })
    server.behaviour = '451'
    world.forward(96 * hour)
    for (const wait of waits) {
      expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
      world.forward(wait * minute)
    }
    expect(await sendMail(world.ctx)).toMatchObject({ failed: 1 })
    requeueMail(world.ctx, row(world)?.id ?? '')
    world.forward(96 * hour)
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
  })
})

describe('a server that is away for weeks', () => {
  test('gets no link of then once it is back, but all that holds none', async () => {
    const { world, server } = await worldWithServer()
    server.isAway = true
    for (const number of [1, 2]) queueMail(world.ctx, { ...message, cause: `code:${number}` })
    queueMail(world.ctx, { ...message, cause: 'receipt:1', isRepeatable: true })
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1 })
    world.forward(7 * 24 * hour - 1)
    expect(await sendMail(world.ctx)).toMatchObject({ delayed: 1, failed: 0 })
    world.forward(14 * 24 * hour)
    queueMail(world.ctx, { ...message, cause: 'code:3', text: 'A new code' })
    server.isAway = false
    expect(await sendMail(world.ctx)).toEqual({ sent: 2, delayed: 0, refused: 0, failed: 2 })
    const lapsed = { status: 'failed', attempts: 0, text: '', lastError: expect.stringContaining('7 days') }
    expect(rows(world)).toMatchObject([lapsed, lapsed, { status: 'sent' }, { status: 'sent' }])
    expect(server.taken.map(({ raw }) => raw)).toEqual([
      expect.stringContaining('A new code'),
      expect.stringContaining(message.text),
    ])
  })

  test('has its links end while it is still away', async () => {
    const { world, server } = await worldWithServer()
    server.isAway = true
    queueMail(world.ctx, { ...message, cause: 'code:1' })
    queueMail(world.ctx, { ...message, cause: 'receipt:1', isRepeatable: true })
    world.forward(7 * 24 * hour)
    expect(await sendMail(world.ctx)).toEqual({ sent: 0, delayed: 1, refused: 0, failed: 1 })
    expect(rows(world)).toMatchObject([{ status: 'failed' }, { status: 'waiting', text: message.text }])
  })
})
