import { afterEach, beforeEach, expect, test } from 'vitest'
import { generationOf, renewGeneration } from '#api/db/generation.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone, type PhoneWorld } from '#pwa/sync/testing/phone.ts'
import type { CommitmentState } from '#shared/contract/commitments.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { changeCommitment, makeCommitment } from './outbox.ts'
import { forgetUnsentWords, unsentCommitments } from './sealed.ts'
import { readCommitments } from './status.ts'

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
let danny: TestPerson
let closers: (() => void)[]
beforeEach(() => {
  site = openSite()
  danny = site.world.addMember({ tier: 'lite' })
  closers = []
})
afterEach(() => {
  for (const close of closers) close()
})

const path = '/api/members/commitments/sync'
const newId = () => uuidV7(site.ctx.now().getTime(), crypto.getRandomValues(new Uint8Array(idRandomBytes)))

async function openPhone() {
  const arrived: string[] = []
  const phone = createPhone(site, { onArrival: (to) => void arrived.push(to) })
  phone.cookie = site.world.signIn(danny).cookie
  const tab = await phone.openTab(danny.id)
  closers.push(() => {
    tab.close()
    expect(phone.faults).toEqual([])
  })
  await tab.engine.syncNow()
  return { phone, tab, arrived }
}

const make = (engine: Engine, id: string, text = 'Put my day rate up', day = '2026-06-19') =>
  makeCommitment(engine, id, { text, day })

const goOffline = (phone: Phone) => {
  phone.isOnline = false
}
async function backInRange(phone: Phone, engine: Engine) {
  phone.isOnline = true
  await engine.syncNow()
}

const stored = () =>
  site.world.ctx.sqlite
    .prepare<[], { text: string; day: string; state: CommitmentState }>(
      'select text, day, state from commitments order by text desc',
    )
    .all()
const shown = async ({ store }: Engine) =>
  (await readCommitments(store)).all.map(({ text, day, state, isWaiting }) => ({ text, day, state, isWaiting }))

test('one made, moved and ticked without signal shows at once, and reaches the server with the signal', async () => {
  const { phone, tab } = await openPhone()
  goOffline(phone)
  const id = newId()
  await make(tab.engine, id)
  await changeCommitment(tab.engine, id, { day: '2026-06-26' })
  await changeCommitment(tab.engine, id, { state: 'done' })
  const wanted = { text: 'Put my day rate up', day: '2026-06-26', state: 'done' as const }
  expect(await shown(tab.engine)).toEqual([{ ...wanted, isWaiting: true }])
  expect(stored()).toEqual([])
  await backInRange(phone, tab.engine)
  expect(stored()).toEqual([wanted])
  expect(await shown(tab.engine)).toEqual([{ ...wanted, isWaiting: false }])
})

test('two presses make one', async () => {
  const { tab } = await openPhone()
  const id = newId()
  await Promise.all([make(tab.engine, id), make(tab.engine, id)])
  await tab.engine.syncNow()
  await make(tab.engine, id, 'Again', '2026-07-01')
  await tab.engine.syncNow()
  expect(stored()).toEqual([{ text: 'Put my day rate up', day: '2026-06-19', state: 'open' }])
})

test('an answer lost on the way back is asked for again, and what was sent counts once', async () => {
  const { phone, tab } = await openPhone()
  const id = newId()
  phone.network.usual = 'lose-response'
  await make(tab.engine, id)
  await tab.engine.settled()
  expect([stored().length, (await shown(tab.engine))[0]?.isWaiting]).toEqual([1, true])
  phone.network.usual = 'deliver'
  await tab.engine.syncNow()
  expect(await shown(tab.engine)).toMatchObject([{ state: 'open', isWaiting: false }])
  expect(stored()).toHaveLength(1)
})

test('a second phone shows what the first did, and a launch with nothing new asks for no commitments', async () => {
  const [first, second] = [await openPhone(), await openPhone()]
  const id = newId()
  await make(first.tab.engine, id)
  await first.tab.engine.syncNow()
  await second.tab.engine.syncNow()
  expect(await shown(second.tab.engine)).toMatchObject([{ text: 'Put my day rate up', isWaiting: false }])
  await changeCommitment(second.tab.engine, id, { state: 'done' })
  await second.tab.engine.syncNow()
  await first.tab.engine.syncNow()
  expect(await shown(first.tab.engine)).toMatchObject([{ state: 'done' }])
  await first.tab.engine.syncNow()
  first.arrived.length = 0
  await first.tab.engine.syncNow()
  expect(first.arrived).toEqual(['/api/video-progress/sync'])
})

test('ticks go first', async () => {
  const [video] = site.world
    .addVideos()
    .filter(({ tierAccess, isPublished }) => isPublished && tierAccess.includes('lite'))
  const { phone, tab, arrived } = await openPhone()
  goOffline(phone)
  await make(tab.engine, newId())
  await tab.tick(video?.id ?? '', true)
  arrived.length = 0
  await backInRange(phone, tab.engine)
  expect(arrived.slice(0, 2)).toEqual(['/api/video-progress/sync', path])
})

test('a server in trouble is asked again later, without a press', async () => {
  const { phone, tab } = await openPhone()
  phone.network.usual = ourError(503, 'busy')
  await make(tab.engine, newId())
  await tab.engine.settled()
  expect(await shown(tab.engine)).toMatchObject([{ isWaiting: true }])
  phone.network.usual = 'deliver'
  phone.wait(10 * 60_000)
  await tab.engine.settled()
  expect(await shown(tab.engine)).toMatchObject([{ isWaiting: false }])
})

test('what the server refuses is set aside with its reason, and the rest goes', async () => {
  const { tab } = await openPhone()
  await changeCommitment(tab.engine, newId(), { state: 'done' })
  await make(tab.engine, newId())
  await tab.engine.syncNow()
  const { all, refused } = await readCommitments(tab.engine.store)
  expect(all).toMatchObject([{ isWaiting: false }])
  expect(refused).toMatchObject([{ message: expect.stringContaining('isn’t on your list any more') }])
})

test('after a restore the phone sends again what the older copy lacks, and a second phone has it too', async () => {
  const { tab } = await openPhone()
  const [early, late] = [newId(), newId()]
  await make(tab.engine, early, 'Before the backup')
  await tab.engine.syncNow()
  const backup = site.backUp()
  await changeCommitment(tab.engine, early, { state: 'done' })
  await make(tab.engine, late, 'After the backup')
  await tab.engine.syncNow()
  site.restore(backup)
  expect(stored()).toMatchObject([{ state: 'open' }])
  await tab.engine.syncNow()
  expect(stored().map(({ text, state }) => [text, state])).toEqual([
    ['Before the backup', 'done'],
    ['After the backup', 'open'],
  ])
  const other = await openPhone()
  expect(await shown(other.tab.engine)).toHaveLength(2)
})

test('the service worker sends what waits', async () => {
  const { phone, tab } = await openPhone()
  goOffline(phone)
  await make(tab.engine, newId())
  phone.isOnline = true
  const app = phone.openApp()
  closers.push(() => app.close())
  await app.enter(danny.id)
  await flushFromServiceWorker(phone.platform)
  expect(stored()).toHaveLength(1)
})

test('a logout keeps a waiting “done” without a word of it, and it goes with the next login; new texts and days are named before', async () => {
  const phone = createPhone(site)
  const app = phone.openApp()
  closers.push(() => app.close())
  await app.start()
  const logIn = async () => {
    phone.cookie = site.world.signIn(danny).cookie
    const engine = await app.enter(danny.id)
    await engine.settled()
    return engine
  }
  const engine = await logIn()
  const [known, moved] = [newId(), newId()]
  await make(engine, known)
  await make(engine, moved, 'Ring three builders')
  await engine.syncNow()
  goOffline(phone)
  await changeCommitment(engine, known, { state: 'done' })
  await changeCommitment(engine, moved, { day: '2026-07-03' })
  await make(engine, newId(), 'Only on this phone')
  expect(await unsentCommitments(engine.store)).toEqual([
    { text: 'Ring three builders', day: '2026-07-03' },
    { text: 'Only on this phone', day: '2026-06-19' },
  ])
  phone.isOnline = true
  await forgetUnsentWords(engine.store)
  await app.logout()
  expect(await phone.databases()).toEqual(['alliance-device'])
  const again = await logIn()
  await again.syncNow()
  expect(stored().map(({ text, state, day }) => [text, state, day])).toEqual([
    ['Ring three builders', 'open', '2026-06-19'],
    ['Put my day rate up', 'done', '2026-06-19'],
  ])
  expect(phone.faults).toEqual([])
})

test('a login that was ended from elsewhere loses no new text and no new day', async () => {
  const phone = createPhone(site)
  const app = phone.openApp()
  closers.push(() => app.close())
  await app.start()
  const logIn = async () => {
    phone.cookie = site.world.signIn(danny).cookie
    const engine = await app.enter(danny.id)
    await engine.settled()
    return engine
  }
  const engine = await logIn()
  const moved = newId()
  await make(engine, moved, 'Ring three builders')
  await engine.syncNow()
  goOffline(phone)
  const made = newId()
  await make(engine, made, 'Only on this phone')
  await changeCommitment(engine, made, { state: 'done' })
  await changeCommitment(engine, moved, { day: '2026-07-03' })
  phone.isOnline = true
  await app.logout()
  expect(await phone.databases()).toEqual(['alliance-device'])
  await (await logIn()).syncNow()
  expect(stored().map(({ text, state, day }) => [text, state, day])).toEqual([
    ['Ring three builders', 'open', '2026-07-03'],
    ['Only on this phone', 'done', '2026-06-19'],
  ])
  expect(phone.faults).toEqual([])
})
