import * as v from 'valibot'
import { expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { SyncResponse, syncBatchLimit } from '#shared/contract/progress.ts'
import { uuidV7 } from '#shared/rules/id.ts'

const day = 86_400_000
const dailyLimit = 20_000

function start(options: Parameters<typeof startWorld>[0] = {}) {
  const world = startWorld(options)
  const [video] = world.addVideos()
  const member = world.addMember({ tier: 'xl' })
  const own: Call = (path, options) => world.signIn(member)(path, options)
  let counter = 0
  const changeAt = (ms: number) => {
    counter += 1
    const id = uuidV7(ms, crypto.getRandomValues(new Uint8Array(10)))
    return { id, videoId: video?.id ?? '', completed: counter % 2 === 0, at: new Date(ms).toISOString(), counter }
  }
  const make = (count: number, ms = world.ctx.now().getTime()) => Array.from({ length: count }, () => changeAt(ms))
  const send = (changes: unknown[], as = own) =>
    as('/api/video-progress/sync', {
      body: { memberId: as === own ? member.id : undefined, deviceId: 'van', changes },
    })
  return { world, make, send }
}

const applied = (world: World) => countRows(world, 'applied_changes')

test('a member has 20,000 changes a day: then 429, of which nothing is applied, rejected or lost', {
  tags: ['full'],
}, async () => {
  const { world, make, send } = start()
  const [first = []] = [make(syncBatchLimit)]
  for (let sent = 0; sent < dailyLimit; sent += syncBatchLimit) {
    expect((await send(sent === 0 ? first : make(syncBatchLimit))).status).toBe(200)
  }
  expect(applied(world)).toBe(dailyLimit)
  const late = make(3)
  const response = await send(late)
  expect(await readError(response)).toMatchObject({ status: 429, code: 'rate_limited' })
  // Until midnight.
  expect(Number(response.headers.get('retry-after'))).toBe((16 * 60 + 20) * 60)
  expect(applied(world)).toBe(dailyLimit)
  expect((await send(first)).status).toBe(200)
  expect((await send([])).status).toBe(200)
  const other = world.signIn(world.addMember({ tier: 'xl' }))
  expect((await send(make(1), other)).status).toBe(200)
  world.forward(day)
  const { rejected } = v.parse(SyncResponse, await (await send(late)).json())
  expect([rejected, applied(world)]).toEqual([[], dailyLimit + 4])
})

test('a phone that was away may bring 10,000 at once', { tags: ['full'] }, async () => {
  const { world, make, send } = start()
  for (let sent = 0; sent < 10_000; sent += syncBatchLimit) expect((await send(make(syncBatchLimit))).status).toBe(200)
  expect(applied(world)).toBe(10_000)
})

test('applied changes are forgotten after 18 months, counted from their arrival, and the progress stays', async () => {
  const { world, make, send } = start()
  await send(make(5))
  world.forward(30 * day)
  // Made long ago, but we only learn about it now.
  await send(make(2, world.ctx.now().getTime() - 400 * day))
  world.forward((548 - 31) * day)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(7)
  world.forward(2 * day)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(2)
  world.forward(30 * day)
  await runJob(world.ctx, 'clean-up')
  expect([applied(world), countRows(world, 'video_progress')]).toEqual([0, 1])
})

test('a change whose id is of a time to come is forgotten as long after its arrival as any other', async () => {
  const { world, make, send } = start()
  const now = world.ctx.now().getTime()
  const [next, last] = [make(2, now + 300 * day), make(3, 2 ** 48 - 1)]
  for (const changes of [next, last.map((change) => ({ ...change, at: next[0]?.at }))]) {
    expect((await send(changes)).status).toBe(200)
  }
  world.forward(day)
  await send(make(1))
  world.forward(547 * day)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(6)
  world.forward(1)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(1)
  world.forward(day)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(0)
})

test('what came while the clock of the server was years ahead keeps nothing else', async () => {
  const { world, make, send } = start()
  await send(make(2))
  world.ctx.sqlite.exec(`update applied_changes set receivedAt = '2031-01-01T00:00:00.000Z'`)
  await send(make(3))
  world.forward(549 * day)
  await runJob(world.ctx, 'clean-up')
  expect(applied(world)).toBe(2)
})

test('to forget reads the old changes and the first that is kept, by the order in which they came', async () => {
  const statements: string[] = []
  const { world, make, send } = start({ onStatement: (text) => statements.push(text) })
  await send(make(1))
  await runJob(world.ctx, 'clean-up')
  const deleting = statements.filter((text) => text.startsWith('delete from "applied_changes"'))
  const plan = world.ctx.sqlite.prepare<[], { detail: string }>(`explain query plan ${deleting[0]}`).all()
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH applied_changes USING INTEGER PRIMARY KEY (rowid<?)',
    'SCALAR SUBQUERY 1',
    'SCAN applied_changes',
  ])
})
