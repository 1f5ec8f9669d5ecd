import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { flushFromServiceWorker } from './background.ts'
import { ourError } from './testing/network.ts'
import { createPhone, type Phone } from './testing/phone.ts'

let world: World
let phone: Phone
let app: SyncSession
let danny: { id: string; email: string }
let video: string

beforeEach(async () => {
  world = startWorld()
  video = world.addVideos().find(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('lite'))?.id ?? ''
  danny = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(danny).cookie
  app = phone.openApp()
  await app.start()
})

afterEach(() => {
  app.close()
  expect(phone.faults).toEqual([])
})

/** Makes a tick without signal, then closes the page. */
async function leaveTick() {
  phone.isOnline = false
  const engine = await app.enter(danny.id)
  await engine.toggle(video, true)
  app.close()
  phone.network.sent = []
}

const applied = () => world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n

test('PROG-02 the browser wakes the service worker, which sends what the closed page left', async () => {
  await leaveTick()
  expect(phone.backgroundSyncs).toBe(1)
  await flushFromServiceWorker(phone.platform)
  expect(applied()).toBe(1)
})

test('while something is left to send, the browser is to try again', async () => {
  await leaveTick()
  phone.network.next(ourError(500, 'internal'))
  await expect(flushFromServiceWorker(phone.platform)).rejects.toThrow('Not everything')
  await flushFromServiceWorker(phone.platform)
  expect(applied()).toBe(1)
})

test('also before the time that the server has named, though nothing is tried until then', async () => {
  await leaveTick()
  phone.network.next(ourError(429, 'rate_limited', { 'retry-after': '90' }))
  await expect(flushFromServiceWorker(phone.platform)).rejects.toThrow('Not everything')
  await expect(flushFromServiceWorker(phone.platform)).rejects.toThrow('Not everything')
  expect(phone.network.sent).toHaveLength(1)
  phone.wait(91_000)
  await flushFromServiceWorker(phone.platform)
  expect(applied()).toBe(1)
})

test('a paused queue waits for a person, not for the browser', async () => {
  await leaveTick()
  phone.cookie = null
  await flushFromServiceWorker(phone.platform)
  expect(applied()).toBe(0)
})

test('an owner who looks at a member’s videos sends nothing in the background', async () => {
  await (await app.enter(danny.id, { isReadOnly: true })).settled()
  app.close()
  phone.network.sent = []
  await flushFromServiceWorker(phone.platform)
  expect(phone.network.sent).toEqual([])
})

test('with nobody logged in nothing is sent', async () => {
  await flushFromServiceWorker(phone.platform)
  expect(phone.network.sent).toEqual([])
})

test('MEMB-10 a pending logout is sent, and nothing else', async () => {
  const engine = await app.enter(danny.id)
  await engine.settled()
  phone.isOnline = false
  await engine.toggle(video, true)
  phone.network.usual = 'lose-request'
  await app.logout()
  app.close()
  phone.network.sent = []
  await expect(flushFromServiceWorker(phone.platform)).rejects.toThrow('The logout')
  phone.network.usual = 'deliver'
  await flushFromServiceWorker(phone.platform)
  expect(phone.network.sent.map(({ path }) => path)).toEqual(['/api/auth/logout', '/api/auth/logout'])
  expect([applied(), phone.cookie]).toEqual([0, null])
})
