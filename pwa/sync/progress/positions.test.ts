import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { drawBatches } from '#api/testing/seeds.ts'
import { startWorld } from '#api/testing/world.ts'
import type { Delivery } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone, type Tab } from '#pwa/sync/testing/phone.ts'

const hour = 3_600_000
const skews = [-2 * hour, 0, 2 * hour, 10 * 365 * 24 * hour]
const deliveries: Delivery[] = ['deliver', 'lose-request', 'lose-response', 'twice', 'delay']

const phone = fc.nat(skews.length - 1)
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant<'stop'>('stop'), phone, video: fc.nat(3), seconds: fc.nat(3600) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant<'sync'>('sync'), phone, delivery: fc.constantFrom(...deliveries) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'late'>('late'), phone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'tick'>('tick'), phone, video: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'wait'>('wait'), ms: fc.nat(10 * 60_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'restart'>('restart'), phone }) },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

type Row = { seconds: number; at: number; deviceId: string }

const Arrived = v.object({
  deviceId: v.string(),
  positions: v.array(v.object({ videoId: v.string(), seconds: v.number(), at: v.string() })),
})

/** Two from the same device have equal times if both were too far ahead of the server's clock. */
const compareRows = (one: Row, other: Row): number =>
  one.at - other.at || one.deviceId.localeCompare(other.deviceId) || one.seconds - other.seconds

/**
 * The product's rule again, written independently and as plainly as possible: the later one, then the greater device id, then the
 * further one.
 */
function createOracle(now: () => number) {
  const rows = new Map<string, Row>()
  const arrived = (_path: string, body: unknown) => {
    const request = v.safeParse(Arrived, body)
    if (!request.success) return
    const { deviceId, positions } = request.output
    for (const { videoId, seconds, at } of positions) {
      const row = { seconds, at: Math.min(Date.parse(at), now() + 300_000), deviceId }
      const stored = rows.get(videoId)
      if (!stored || compareRows(row, stored) > 0) rows.set(videoId, row)
    }
  }
  return { rows, arrived }
}

async function startFour() {
  const world = startWorld()
  const videos = world.addVideos().flatMap(({ id, tierAccess }) => (tierAccess.includes('lite') ? [id] : []))
  const member = world.addMember({ tier: 'lite' })
  const { cookie } = world.signIn(member)
  const oracle = createOracle(() => world.ctx.now().getTime())
  const phones: { phone: Phone; tab: Tab }[] = []
  for (const skew of skews) {
    const phone = createPhone(world, { skew, onArrival: oracle.arrived })
    phone.cookie = cookie
    phone.isOnline = false
    phones.push({ phone, tab: await phone.openTab(member.id) })
  }
  return { world, videos, member, oracle, phones }
}
type Four = Awaited<ReturnType<typeof startFour>>

async function act({ world, videos, member, phones }: Four, step: Action): Promise<void> {
  if (step.do === 'wait') return world.forward(step.ms)
  const held = phones[step.phone]
  if (held === undefined) throw new Error('There is no such phone.')
  const { phone, tab } = held
  if (step.do === 'stop') {
    const videoId = videos[step.video] ?? ''
    const seen = await tab.store.positions.get(videoId)
    await tab.engine.savePosition(videoId, step.seconds, false)
    const made = await tab.store.positions.get(videoId)
    expect(made?.seconds).toBe(step.seconds)
    // A position made after seeing another is later than that one.
    if (seen && seen.seconds !== step.seconds) expect(made?.at).toBeGreaterThan(seen.at)
  }
  if (step.do === 'tick') await tab.tick(videos[step.video] ?? '', true)
  if (step.do === 'late') await phone.network.delayed.shift()?.()
  if (step.do === 'sync') {
    phone.network.next(step.delivery)
    await tab.engine.syncNow()
  }
  if (step.do === 'restart') {
    tab.close()
    phones[step.phone] = { phone, tab: await phone.openTab(member.id) }
  }
}

async function settleAndCheck({ world, oracle, phones }: Four): Promise<void> {
  for (const round of ['send', 'pull']) {
    for (const { phone, tab } of phones) {
      while (phone.network.delayed.length > 0) await phone.network.delayed.shift()?.()
      expect([round, await tab.engine.syncNow()]).toEqual([round, 'done'])
    }
  }
  const stored = world.ctx.sqlite
    .prepare<[], { videoId: string; seconds: number; at: string; deviceId: string }>(
      'select videoId, seconds, at, deviceId from video_positions',
    )
    .all()
    .map(({ videoId, at, ...row }) => [videoId, { ...row, at: Date.parse(at) }] as const)
  expect(new Map(stored)).toEqual(oracle.rows)
  for (const { phone, tab } of phones) {
    const shown = (await tab.store.positions.toArray()).map(({ videoId, isPending, ...row }) => {
      expect(isPending).toBe(false)
      return [videoId, row] as const
    })
    expect(new Map(shown)).toEqual(oracle.rows)
    tab.close()
    expect(phone.faults).toEqual([])
  }
}

const isFull = Boolean(process.env.FULL)

test('PROG-01 four phones with wrong clocks and bad signal end with the server’s positions: of each video the latest', {
  tags: ['full'],
}, async () => {
  const size = isFull ? 300 : 40
  const property = fc.asyncProperty(
    fc.array(action, { minLength: size, maxLength: size, size: 'max' }),
    async (steps) => {
      const four = await startFour()
      for (const step of steps) await act(four, step)
      await settleAndCheck(four)
      four.world.ctx.sqlite.close()
    },
  )
  await drawBatches(0.5, () => fc.assert(property, { numRuns: 3, endOnFailure: true }))
})

test('PROG-01 a tick moves no position, and a position makes no tick', async () => {
  const { videos, phones, world } = await startFour()
  const [video = ''] = videos
  const [held] = phones
  await held?.tab.engine.savePosition(video, 570, false)
  await held?.tab.engine.syncNow()
  expect([await held?.tab.shown(), world.ctx.sqlite.prepare('select * from video_progress').all()]).toEqual([{}, []])
  await held?.tab.tick(video, true)
  await held?.tab.engine.syncNow()
  expect((await held?.tab.store.positions.get(video))?.seconds).toBe(570)
  for (const { tab } of phones) tab.close()
})
