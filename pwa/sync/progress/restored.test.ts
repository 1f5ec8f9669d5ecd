import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generationOf, renewGeneration } from '#api/db/generation.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { drawBatches } from '#api/testing/seeds.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { Delivery } from '#pwa/sync/testing/network.ts'
import { createOracle } from '#pwa/sync/testing/oracle.ts'
import { createPhone, type Phone, type PhoneWorld, type Tab } from '#pwa/sync/testing/phone.ts'
import { refreshVideos } from './snapshots.ts'

const day = 86_400_000

/** A site whose database can go back to an earlier copy, as `alliance backup restore` does. */
type Site = PhoneWorld & { world: World; backUp(): Buffer; restore(backup: Buffer): void }

function openSite(): Site {
  const site: Site = {
    world: startWorld(),
    ctx: { now: () => site.world.ctx.now() },
    handle: (request) => site.world.handle(request),
    forward: (ms) => site.world.forward(ms),
    backUp: () => site.world.ctx.sqlite.serialize(),
    restore: (copy) => {
      const [startsAt, old] = [site.world.ctx.now(), generationOf(site.world.ctx)]
      site.world.ctx.sqlite.close()
      site.world = startWorld({ copy, startsAt })
      renewGeneration(site.world.ctx, { old, newest: null })
    },
  }
  return site
}

let site: Site
let videos: string[]
let danny: TestPerson
let opened: { phone: Phone; tab: Tab }[]

beforeEach(() => {
  site = openSite()
  videos = site.world
    .addVideos()
    .flatMap(({ id, isPublished, tierAccess }) => (isPublished && tierAccess.includes('lite') ? [id] : []))
  danny = site.world.addMember({ tier: 'lite' })
  opened = []
})

afterEach(() => {
  for (const { phone, tab } of opened) {
    tab.close()
    expect(phone.faults).toEqual([])
  }
  site.world.ctx.sqlite.close()
})

const video = (index = 0) => videos[index] ?? ''

async function openPhone(onArrival: (path: string, body: unknown) => void = () => {}) {
  const phone = createPhone(site, { onArrival })
  phone.cookie = site.world.signIn(danny).cookie
  const tab = await phone.openTab(danny.id)
  opened.push({ phone, tab })
  return { phone, tab }
}

async function tickAndSend(tab: Tab, ...indexes: number[]): Promise<void> {
  for (const index of indexes) await tab.tick(video(index), true)
  await tab.engine.settled()
}

const stored = () =>
  Object.fromEntries(
    site.world.ctx.sqlite
      .prepare<[], { videoId: string; completed: number }>('select videoId, completed from video_progress')
      .all()
      .map(({ videoId, completed }) => [videoId, completed === 1]),
  )
const applied = () =>
  site.world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n

test('PROG-01 PROG-02 a tick the site lost with yesterday’s backup comes again from the phone, once, and never leaves the screen', async () => {
  const { phone, tab } = await openPhone()
  // Completions are counted by title.
  await refreshVideos(tab.store, phone.platform.fetch, 0)
  await tickAndSend(tab, 0)
  const backup = site.backUp()
  site.forward(day)
  await tickAndSend(tab, 1, 2)
  phone.isOnline = false
  await tab.tick(video(1), false)
  await tab.engine.settled()
  site.restore(backup)
  phone.isOnline = true
  phone.network.next('deliver', 'lose-response')
  expect(await tab.engine.syncNow()).toBe('later')
  const all = { [video(0)]: true, [video(1)]: false, [video(2)]: true }
  expect(await tab.shown()).toEqual(all)
  expect(await tab.engine.syncNow()).toBe('done')
  expect([stored(), applied(), await tab.shown()]).toEqual([all, 3, all])
  expect(await tab.state()).toMatchObject({ pending: 0, refused: [] })
  expect(phone.completions).toHaveLength(3)
})

test('PROG-01 an update that went back over a backup, to a site that names no generation, loses no tick, and nor does the next update', async () => {
  const { phone, tab } = await openPhone()
  await tickAndSend(tab, 0)
  tab.close()
  const isOld = { now: false }
  const old = await phone.openTab(danny.id, {
    ...phone.platform,
    fetch: async (path, init) => {
      const response = await phone.platform.fetch(path, init)
      if (!isOld.now || response.status !== 200) return response
      const { generation: _, ...body } = (await response.json()) as Record<string, unknown>
      return Response.json(body)
    },
  })
  opened.push({ phone, tab: old })
  const backup = site.backUp()
  await tickAndSend(old, 1)
  site.restore(backup)
  isOld.now = true
  await old.engine.syncNow()
  expect(applied()).toBe(2)
  const second = site.backUp()
  await tickAndSend(old, 2)
  site.restore(second)
  isOld.now = false
  await old.engine.syncNow()
  expect([applied(), stored()]).toEqual([3, { [video(0)]: true, [video(1)]: true, [video(2)]: true }])
})

test('a confirmed tick stays on the phone for 30 days, and 500 of them at most', { tags: ['full'] }, async () => {
  const { phone, tab } = await openPhone()
  for (let count = 0; count < 502; count++) await tab.tick(video(), count % 2 === 0)
  await tab.engine.settled()
  const kept = async () => (await tab.store.confirmed.toArray()).map(({ seq }) => seq)
  expect([(await kept()).length, (await kept())[0]]).toEqual([500, 3])
  site.forward(30 * day + 1)
  phone.cookie = site.world.signIn(danny).cookie
  await tickAndSend(tab, 1)
  expect(await kept()).toEqual([503])
})

test('PROG-01 a tick that yesterday’s backup still has comes again when the site goes back to last week’s', async () => {
  const { tab } = await openPhone()
  const lastWeek = site.backUp()
  await tickAndSend(tab, 0)
  const yesterday = site.backUp()
  site.restore(yesterday)
  expect(await tab.engine.syncNow()).toBe('done')
  site.restore(lastWeek)
  expect(await tab.engine.syncNow()).toBe('done')
  expect([stored(), applied()]).toEqual([{ [video(0)]: true }, 1])
})

test('a repeated tick of a video that’s gone since says nothing to the member', async () => {
  const { tab } = await openPhone()
  const backup = site.backUp()
  await tickAndSend(tab, 0)
  site.restore(backup)
  site.world.ctx.sqlite.prepare('update member_videos set isPublished = 0 where id = ?').run(video())
  await tab.engine.syncNow()
  expect(await tab.state()).toMatchObject({ pending: 0, refused: [] })
  expect(await tab.shown()).toEqual({})
})

const phoneOf = fc.nat(2)
const deliveries: Delivery[] = ['deliver', 'lose-request', 'lose-response', 'twice', 'delay']
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant<'tick'>('tick'),
      phone: phoneOf,
      video: fc.nat(4),
      completed: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant<'sync'>('sync'),
      phone: phoneOf,
      delivery: fc.constantFrom(...deliveries),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'late'>('late'), phone: phoneOf }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'backUp'>('backUp') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'restore'>('restore'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'wait'>('wait'), ms: fc.nat(day) }) },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

async function act(phones: { phone: Phone; tab: Tab }[], backups: Buffer[], step: Action): Promise<void> {
  if (step.do === 'wait') return site.forward(step.ms)
  if (step.do === 'backUp') return void backups.push(site.backUp())
  if (step.do === 'restore') {
    const backup = backups[step.which % Math.max(backups.length, 1)]
    return backup && site.restore(backup)
  }
  const held = phones[step.phone]
  if (held === undefined) throw new Error('There is no such phone.')
  if (step.do === 'late') return void (await held.phone.network.delayed.shift()?.())
  if (step.do === 'tick') return held.tab.tick(video(step.video), step.completed)
  held.phone.network.next(step.delivery)
  await held.tab.engine.syncNow()
}

const isFull = Boolean(process.env.FULL)

test('PROG-01 PROG-02 three phones with bad signal, and a site that goes back to backups, end with every tick once', async () => {
  const size = isFull ? 200 : 60
  const property = fc.asyncProperty(
    fc.array(action, { minLength: size, maxLength: size, size: 'max' }),
    async (steps) => {
      const oracle = createOracle(() => site.world.ctx.now().getTime())
      danny = site.world.addMember({ tier: 'lite' })
      const phones = [await openPhone(oracle.arrived), await openPhone(oracle.arrived), await openPhone(oracle.arrived)]
      for (const { phone } of phones) phone.isOnline = false
      const backups = [site.backUp()]
      for (const step of steps) await act(phones, backups, step)
      for (const _ of ['send', 'pull']) {
        for (const { phone, tab } of phones) {
          while (phone.network.delayed.length > 0) await phone.network.delayed.shift()?.()
          expect(await tab.engine.syncNow()).toBe('done')
        }
      }
      const ticks = steps.filter((step) => step.do === 'tick').length
      const shown = Object.fromEntries([...oracle.rows].map(([videoId, { completed }]) => [videoId, completed]))
      expect(applied()).toBeLessThanOrEqual(ticks)
      expect(stored()).toEqual(shown)
      for (const { tab } of phones) {
        expect(await tab.shown()).toEqual(shown)
        expect(await tab.state()).toMatchObject({ pending: 0, sending: 0, refused: [] })
      }
      site.world.ctx.sqlite.exec('delete from applied_changes; delete from video_progress')
    },
  )
  await drawBatches(0.5, () => fc.assert(property, { numRuns: 5, endOnFailure: true }))
}, 600_000)
