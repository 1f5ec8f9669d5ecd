// @module-tag full
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawBatches } from '#api/testing/seeds.ts'
import { startWorld } from '#api/testing/world.ts'
import type { Delivery } from '#pwa/sync/testing/network.ts'
import { createOracle, isGreater } from '#pwa/sync/testing/oracle.ts'
import { createPhone, type Phone, type Tab } from '#pwa/sync/testing/phone.ts'

const hour = 3_600_000
const skews = [-2 * hour, 0, 2 * hour, 10 * 365 * 24 * hour]
const deliveries: Delivery[] = ['deliver', 'lose-request', 'lose-response', 'twice', 'delay']

const phone = fc.nat(skews.length - 1)
const video = fc.nat(4)
const completed = fc.boolean()
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant<'tick'>('tick'), phone, video, completed }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant<'sync'>('sync'), phone, delivery: fc.constantFrom(...deliveries) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'late'>('late'), phone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'button'>('button'), video, completed }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'wait'>('wait'), ms: fc.nat(10 * 60_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant<'restart'>('restart'), phone, skew: fc.constantFrom(0, -hour, hour) }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** Four phones of one member, one server, and an oracle that computes the expected result independently. */
async function startFour() {
  const world = startWorld()
  const videos = world
    .addVideos()
    .flatMap(({ id, isPublished, tierAccess }) => (isPublished && tierAccess.includes('lite') ? [id] : []))
  const member = world.addMember({ tier: 'lite' })
  const call = world.signIn(member)
  const oracle = createOracle(() => world.ctx.now().getTime())
  const phones: { phone: Phone; tab: Tab }[] = []
  for (const skew of skews) {
    const phone = createPhone(world, { skew, onArrival: oracle.arrived })
    phone.cookie = call.cookie
    phone.isOnline = false
    phones.push({ phone, tab: await phone.openTab(member.id) })
  }
  /** For each change, the rows and changes its phone showed when it was made. */
  const after = new Map<string, { id: string; at: number; counter: number; deviceId: string }[]>()
  const madeOn = phones.map((): string[] => [])
  return { world, videos, member, call, oracle, phones, after, madeOn }
}
type Four = Awaited<ReturnType<typeof startFour>>

async function act(four: Four, step: Action): Promise<void> {
  const { world, videos, member, call, oracle, phones } = four
  if (step.do === 'wait') return world.forward(step.ms)
  if (step.do === 'button') {
    const path = `/api/video-progress/${videos[step.video]}/${step.completed ? 'complete' : 'incomplete'}`
    oracle.arrived(path, null)
    await call(path, { method: 'POST' })
    return
  }
  const held = phones[step.phone]
  if (held === undefined) throw new Error('There is no such phone.')
  const { phone, tab } = held
  if (step.do === 'tick') await tick(four, step)
  if (step.do === 'late') await phone.network.delayed.shift()?.()
  if (step.do === 'sync') {
    phone.network.next(step.delivery)
    await tab.engine.syncNow()
  }
  if (step.do === 'restart') {
    tab.close()
    phone.skew += step.skew
    phones[step.phone] = { phone, tab: await phone.openTab(member.id) }
  }
}

async function tick({ videos, phones, after, madeOn }: Four, step: Extract<Action, { do: 'tick' }>): Promise<void> {
  const tab = phones[step.phone]?.tab
  const videoId = videos[step.video] ?? ''
  const seen = (await tab?.store.progress.get(videoId))?.server
  await tab?.tick(videoId, step.completed)
  const made = await tab?.store.outbox.toCollection().last()
  if (made === undefined) throw new Error('A tick makes an entry.')
  after.set(made.id, seen ? [{ ...seen, at: Date.parse(seen.at), id: '' }] : [])
  madeOn[step.phone]?.push(made.id)
}

async function settle({ phones }: Four): Promise<void> {
  for (const round of ['send', 'pull']) {
    for (const { phone, tab } of phones) {
      while (phone.network.delayed.length > 0) await phone.network.delayed.shift()?.()
      expect([round, await tab.engine.syncNow()]).toEqual([round, 'done'])
    }
  }
}

async function check({ world, oracle, phones, after, madeOn }: Four): Promise<void> {
  const stored = world.ctx.sqlite
    .prepare<[], { videoId: string; completed: number; at: string; counter: number; deviceId: string }>(
      'select videoId, completed, at, counter, deviceId from video_progress',
    )
    .all()
  const rows = new Map(
    stored.map(({ videoId, ...row }) => [videoId, { ...row, completed: row.completed === 1, at: Date.parse(row.at) }]),
  )
  const expected = new Map([...oracle.rows].map(([videoId, { id: _, ...row }]) => [videoId, row]))
  expect(rows).toEqual(expected)
  const applied = world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n
  expect([applied, oracle.fixed.size]).toEqual([after.size, after.size])
  const shown = Object.fromEntries([...expected].map(([videoId, { completed }]) => [videoId, completed]))
  for (const { tab } of phones) {
    expect(await tab.shown()).toEqual(shown)
    expect(await tab.state()).toMatchObject({ pending: 0, sending: 0, refused: [] })
  }
  const fixed = (id: string) => oracle.fixed.get(id) ?? { at: 0, counter: 0, deviceId: '', id: '' }
  for (const [id, seen] of after) for (const earlier of seen) expect(isGreater(fixed(id), earlier)).toBe(true)
  for (const made of madeOn) {
    for (const [index, id] of made.entries()) {
      if (index > 0) expect(isGreater(fixed(id), fixed(made[index - 1] ?? ''))).toBe(true)
    }
  }
}

const isFull = Boolean(process.env.FULL)

test('PROG-01 PROG-02 four phones with wrong clocks and bad signal end as the server: each change once, and what was made after seeing another wins', async () => {
  const size = isFull ? 1_100 : 80
  const property = fc.asyncProperty(
    fc.array(action, { minLength: size, maxLength: size, size: 'max' }),
    async (steps) => {
      const four = await startFour()
      for (const step of steps) await act(four, step)
      await settle(four)
      await check(four)
      for (const { phone, tab } of four.phones) {
        tab.close()
        expect(phone.faults).toEqual([])
      }
      four.world.ctx.sqlite.close()
    },
  )
  await drawBatches(0.5, () => fc.assert(property, { numRuns: 5, endOnFailure: true }))
}, 1_800_000)
