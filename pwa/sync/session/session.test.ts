import Dexie from 'dexie'
import { IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { readStored } from '#pwa/sync/progress/status.ts'
import { readFlush } from '#pwa/sync/progress/store.ts'
import { createKillable } from '#pwa/sync/testing/killable.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import type { SyncSession } from './session.ts'

let world: World
let phone: Phone
let videos: string[]
let danny: { id: string; email: string }
let priya: { id: string; email: string }
let apps: SyncSession[]

beforeEach(() => {
  world = startWorld()
  videos = world
    .addVideos()
    .flatMap(({ id, isPublished, tierAccess }) => (isPublished && tierAccess.includes('lite') ? [id] : []))
  danny = world.addMember({ tier: 'lite' })
  priya = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  apps = []
})

afterEach(() => {
  for (const app of apps) app.close()
  expect(phone.faults).toEqual([])
})

const video = (index = 0) => videos[index] ?? ''

async function openApp() {
  const app = phone.openApp()
  apps.push(app)
  await app.start()
  return app
}

async function logIn(app: SyncSession, person: { id: string; email: string }) {
  phone.cookie = world.signIn(person).cookie
  const engine = await app.enter(person.id)
  await engine.settled()
  return engine
}

const storedFor = (person: { id: string }) =>
  world.ctx.sqlite
    .prepare<[string], { videoId: string }>('select videoId from video_progress where userId = ? and completed = 1')
    .all(person.id)
    .map(({ videoId }) => videoId)
const sessions = (person: { id: string }) =>
  world.ctx.sqlite
    .prepare<[string], { n: number }>('select count(*) as n from sessions where userId = ?')
    .get(person.id)?.n
const paths = () => phone.network.sent.map(({ path }) => path)

/** Every byte left on the device, as text. */
async function leftOnDevice(): Promise<string> {
  const parts: unknown[] = await phone.databases()
  for (const name of await phone.databases()) {
    const dexie = await new Dexie(name, { indexedDB: phone.idb, IDBKeyRange }).open()
    for (const table of dexie.tables) parts.push(table.name, await table.toArray())
    dexie.close()
  }
  return JSON.stringify(parts, (_, value) =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value,
  )
}

test('MEMB-10 logging out with signal ends the session, and leaves nothing of the person here', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  await engine.toggle(video(), true)
  await engine.settled()
  expect(await app.logout()).toBe('done')
  expect([sessions(danny), app.engine(), phone.wipes]).toEqual([0, null, 1])
  expect(await phone.databases()).toEqual(['alliance-device'])
  expect(await leftOnDevice()).not.toContain(danny.id)
  await expect(engine.toggle(video(1), true)).rejects.toThrow()
})

test('MEMB-10 logging out without signal counts here at once, and reaches the server before anything else', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.isOnline = false
  phone.network.usual = 'lose-request'
  await engine.toggle(video(), true)
  expect(await app.logout()).toBe('pending')
  expect([app.engine(), await phone.databases(), phone.backgroundSyncs]).toEqual([null, ['alliance-device'], 2])
  await expect(app.fetch('/api/auth/user', {})).rejects.toThrow('The last logout goes first.')
  app.close()

  phone.network.sent = []
  const again = await openApp()
  expect([again.engine(), sessions(danny)]).toEqual([null, 1])
  await expect(again.enter(danny.id)).rejects.toThrow('not reached the server')
  await expect(again.fetch('/api/blog', {})).rejects.toThrow()
  expect(new Set(paths())).toEqual(new Set(['/api/auth/logout']))

  phone.network.usual = 'deliver'
  phone.network.sent = []
  expect((await again.fetch('/api/auth/user', {})).status).toBe(401)
  expect([paths(), sessions(danny)]).toEqual([['/api/auth/logout', '/api/auth/user'], 0])
})

test('MEMB-10 a pending logout is sent by itself when the signal is back, and with time', async () => {
  const app = await openApp()
  await logIn(app, danny)
  phone.network.usual = 'lose-request'
  expect(await app.logout()).toBe('pending')
  phone.network.usual = 'deliver'
  phone.wait(2_000)
  expect((await app.fetch('/api/membership-tiers', {})).status).toBe(200)
  expect([sessions(danny), paths().filter((path) => path === '/api/auth/logout').length]).toEqual([0, 2])
})

test('a pending logout that is being tried when the page closes leaves no timer behind, and no fault', async () => {
  const app = await openApp()
  await logIn(app, danny)
  phone.network.usual = 'lose-request'
  expect(await app.logout()).toBe('pending')
  phone.network.usual = 'hang'
  const trying = app.fetch('/api/blog', {})
  await expect.poll(() => paths().filter((path) => path === '/api/auth/logout').length).toBe(2)
  app.close()
  phone.wait(10_000)
  await expect(trying).rejects.toThrow()
  phone.wait(60 * 60_000)
  await expect(app.hasPendingLogout()).rejects.toThrow('closed')
  expect(phone.faults).toEqual([])
})

test.each([
  ['a session that is over already', ourError(401, 'unauthenticated'), 'done'],
  ['a failing server', ourError(500, 'internal'), 'pending'],
  ['a Wi-Fi sign-in page', { status: 200, body: '<html>Welcome, guest</html>' }, 'pending'],
  ['a lost response', 'lose-response', 'pending'],
] as const)('MEMB-10 logging out into %s', async (_, delivery, end) => {
  const app = await openApp()
  await logIn(app, danny)
  phone.network.next(delivery)
  expect(await app.logout()).toBe(end)
})

test('a page that closes at any moment of a login starts nothing any more', async () => {
  let turns = 0
  for (let hasEntered = false; !hasEntered; turns += 1) {
    phone = createPhone(world)
    const app = await openApp()
    const entering = app.enter(danny.id).catch(() => null)
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
    hasEntered = app.engine() !== null
    app.close()
    expect([await entering, app.engine()]).toEqual([hasEntered ? expect.anything() : null, null])
  }
  expect(turns).toBeGreaterThan(3)
})

test('PROG-02 ticks that are pending at logout are sealed, and sent only when their member is back', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  const { id: deviceName } = { id: await engine.store.meta.get('clock') }
  phone.isOnline = false
  await engine.toggle(video(), true)
  await engine.toggle(video(1), true)
  await engine.toggle(video(1), false)
  await app.logout()
  const left = await leftOnDevice()
  for (const secret of [danny.id, danny.email, video(), video(1), 'Danny']) expect(left).not.toContain(secret)

  phone.isOnline = true
  phone.network.sent = []
  const ofPriya = await logIn(app, priya)
  await ofPriya.toggle(video(2), true)
  await ofPriya.settled()
  expect([...(await readStored(ofPriya.store)).progress.keys()]).toEqual([video(2)])
  expect([storedFor(danny), storedFor(priya)]).toEqual([[], [video(2)]])
  expect(JSON.stringify(phone.network.sent)).not.toContain(danny.id)
  await app.logout()

  phone.isOnline = false
  const back = await logIn(app, danny)
  expect(
    [...(await readStored(back.store)).progress].map(([id, { completed, tick }]) => [id, completed, tick.kind]),
  ).toEqual(
    [
      [video(), true, 'pending'],
      [video(1), false, 'pending'],
    ].sort(),
  )
  expect(await back.store.meta.get('clock')).toMatchObject({
    deviceId: deviceName && 'deviceId' in deviceName ? deviceName.deviceId : '',
    counter: 3,
  })
  phone.isOnline = true
  await back.syncNow()
  expect(storedFor(danny)).toEqual([video()])
  expect(world.ctx.sqlite.prepare('select count(*) as n from applied_changes where userId = ?').get(danny.id)).toEqual({
    n: 3,
  })
})

test('PROG-01 where a video was stopped and not sent yet is sealed at logout too, and reaches the server for its member alone', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.isOnline = false
  await engine.savePosition(video(), 571, false)
  await app.logout()
  expect(await leftOnDevice()).not.toContain(video())

  phone.isOnline = true
  const ofPriya = await logIn(app, priya)
  await ofPriya.syncNow()
  expect((await readStored(ofPriya.store)).positions.size).toBe(0)
  await app.logout()
  const back = await logIn(app, danny)
  await back.syncNow()
  const stored = world.ctx.sqlite.prepare('select userId, videoId, seconds from video_positions').all()
  expect(stored).toEqual([{ userId: danny.id, videoId: video(), seconds: 571 }])
  expect((await back.store.positions.get(video()))?.isPending).toBe(false)
})

test('PROG-02 another login on the same phone wipes the first before anything of the second shows', async () => {
  const app = await openApp()
  const ofDanny = await logIn(app, danny)
  phone.isOnline = false
  await ofDanny.toggle(video(), true)
  phone.cookie = world.signIn(priya).cookie
  const ofPriya = await app.enter(priya.id)
  expect([(await readStored(ofPriya.store)).progress.size, phone.wipes]).toEqual([0, 1])
  expect(await phone.databases()).toEqual(['alliance-device', `alliance-member-${priya.id}`])
  phone.isOnline = true
  await ofPriya.syncNow()
  expect([storedFor(danny), storedFor(priya)]).toEqual([[], []])
  await (await logIn(app, danny)).settled()
  expect(storedFor(danny)).toEqual([video()])
})

test('PROG-02 a member who opens the app without signal is shown what they had', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  await engine.toggle(video(), true)
  await engine.settled()
  app.close()
  phone.isOnline = false
  phone.network.usual = 'lose-request'
  const again = phone.openApp()
  apps.push(again)
  const offline = await again.start()
  expect(offline && (await readStored(offline.store)).progress.get(video())).toMatchObject({
    completed: true,
    tick: { kind: 'sent' },
  })
  expect(await again.enter(danny.id)).toBe(offline)
  expect(phone.wipes).toBe(0)
})

test('PROG-02 ticks that were paused for a login are sent as soon as the same member is back', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.cookie = null
  await engine.toggle(video(), true)
  await engine.settled()
  expect(storedFor(danny)).toEqual([])
  expect(await logIn(app, danny)).toBe(engine)
  expect(storedFor(danny)).toEqual([video()])
})

test('who has access again is not told until the first answer that nothing is sent without it', async () => {
  const app = await openApp()
  phone.cookie = world.signIn(danny).cookie
  const engine = await app.enter(danny.id, { hasAccess: false })
  await engine.settled()
  expect([(await readFlush(engine.store)).paused, paths()]).toEqual(['access', []])
  phone.network.usual = 'lose-request'
  await app.enter(danny.id)
  expect((await readFlush(engine.store)).paused).toBeNull()
  await engine.settled()
})

test('a logout in one tab ends the others, and no tick slips in behind it', async () => {
  const [one, two] = [await openApp(), await openApp()]
  const first = await logIn(one, danny)
  const second = await two.enter(danny.id)
  phone.isOnline = false
  await second.toggle(video(), true)
  const ended = new Promise<void>((resolve) => two.onChange(resolve))
  await one.logout()
  await ended
  expect(two.engine()).toBeNull()
  for (const engine of [first, second]) await expect(engine.toggle(video(1), true)).rejects.toThrow()
  expect(await phone.databases()).toEqual(['alliance-device'])
  phone.isOnline = true
  await (await logIn(two, danny)).settled()
  expect(storedFor(danny)).toEqual([video()])
})

test('MEMB-10 a tab that was put aside and missed a logout finds out when it is taken up again', async () => {
  const [one, two] = [await openApp(), await openApp()]
  await logIn(one, danny)
  await two.enter(danny.id)
  expect(await two.isStillHere()).toBe(true)
  await one.logout()
  expect(await two.isStillHere()).toBe(false)
  expect(two.engine()).toBeNull()
})

test('a tick of another tab that comes while this one seals is refused with an error', async () => {
  const [one, two] = [await openApp(), await openApp()]
  await logIn(one, danny)
  const second = await two.enter(danny.id)
  phone.isOnline = false
  await second.toggle(video(), true)
  const late: unknown[] = []
  const { subtle } = crypto
  const encrypt: SubtleCrypto['encrypt'] = async (...parts) => {
    late.push(await second.toggle(video(1), true).catch(() => 'refused'))
    return subtle.encrypt(...parts)
  }
  phone.platform.subtle = new Proxy(subtle, {
    get: (target, name) => {
      const own: unknown = name === 'encrypt' ? encrypt : Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
  await one.logout()
  expect(late).toEqual(['refused'])
})

test('an owner who looks at what a member sees ticks nothing, and leaves nothing', async () => {
  const app = await openApp()
  const olive = world.addOwner()
  await logIn(app, olive)
  const looking = await app.enter(danny.id, { isReadOnly: true })
  await expect(looking.toggle(video(), true)).rejects.toThrow('looking')
  await logIn(app, olive)
  expect(await phone.databases()).toEqual(['alliance-device', `alliance-member-${olive.id}`])
  expect(await leftOnDevice()).not.toContain(danny.id)
})

test('a sealed parcel that is damaged does not lock the member out', async () => {
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.isOnline = false
  await engine.toggle(video(), true)
  await app.logout()
  const device = await new Dexie('alliance-device', { indexedDB: phone.idb, IDBKeyRange }).open()
  const sealed = device.table('sealed').toCollection()
  await sealed.modify({ data: new ArrayBuffer(8) })
  device.close()
  expect((await readStored((await logIn(app, danny)).store)).progress.size).toBe(0)
})

test('without WebCrypto nothing of a person is stored after logout', async () => {
  phone.platform.subtle = null
  const app = await openApp()
  const engine = await logIn(app, danny)
  phone.isOnline = false
  await engine.toggle(video(), true)
  expect(await app.logout()).toBe('done')
  expect(await leftOnDevice()).not.toContain(video())
  expect((await readStored((await logIn(app, danny)).store)).progress.size).toBe(0)
})

test('MEMB-10 killed in a logout, the next start finishes it and no tick is lost', { tags: ['full'] }, async () => {
  for (let moment = 1; moment <= 40; moment++) {
    phone.isOnline = true
    const app = phone.openApp()
    await app.start()
    const engine = await logIn(app, danny)
    phone.isOnline = false
    await engine.toggle(video(moment % 5), moment % 2 === 0)
    app.close()

    const dying = createKillable(phone.platform, phone.idb)
    const tab = phone.openApp(dying.platform)
    await tab.start()
    dying.killAfter(moment)
    await Promise.race([tab.logout().catch(() => 'died'), dying.gone])
    dying.kill()
    tab.close()
    phone.freeLocks()

    const next = phone.openApp()
    const shown = await next.start()
    // If the very first step was lost, the member is still logged in.
    if (shown) await next.logout()
    expect(next.engine()).toBeNull()
    await expect.poll(() => phone.databases()).toEqual(['alliance-device'])
    next.close()
  }
  phone.isOnline = true
  const app = await openApp()
  await (await logIn(app, danny)).syncNow()
  expect(world.ctx.sqlite.prepare('select count(*) as n from applied_changes').get()).toEqual({ n: 40 })
})
