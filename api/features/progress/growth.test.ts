import * as v from 'valibot'
import { expect, test } from 'vitest'
import { runJob } from '#api/jobs/run.ts'
import { countRows } from '#api/testing/joining.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { SyncResponse, syncBatchLimit } from '#shared/contract/progress.ts'
import { uuidV7 } from '#shared/rules/id.ts'

const day = 86_400_000
const dailyLimit = 20_000

function start() {
  const world = startWorld()
  const [video] = world.addVideos()
  const member = world.addMember({ tier: 'xl' })
  /** A login of today. */
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

test('a member has 20,000 changes a day: then 429, of which nothing is applied, rejected or lost', async () => {
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

test('a phone that was away may bring 10,000 at once', async () => {
  const { world, make, send } = start()
  for (let sent = 0; sent < 10_000; sent += syncBatchLimit) expect((await send(make(syncBatchLimit))).status).toBe(200)
  expect(applied(world)).toBe(10_000)
})

test('applied changes are forgotten after 18 months, counted from their arrival, and the progress stays', async () => {
  const { world, make, send } = start()
  await send(make(5))
  world.forward(30 * day)
  // Made long ago, and known to us only now.
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
