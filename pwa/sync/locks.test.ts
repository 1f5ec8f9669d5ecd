import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { createPhone } from './testing/phone.ts'

test('a tab that the browser froze holds the next one up for ten seconds, and without Web Locks not at all', async () => {
  const world = startWorld()
  const phone = createPhone(world)
  const danny = world.addMember()
  phone.cookie = world.signIn(danny).cookie
  const frozen = new AbortController()
  phone.platform.locks?.request('alliance-session', frozen, () => new Promise(() => {})).catch(phone.platform.report)
  const waiting = phone.openApp()
  const unlocked = phone.openApp({ ...phone.platform, locks: null })
  const entering = waiting.enter(danny.id)
  const engine = await unlocked.enter(danny.id)
  expect([unlocked.engine(), waiting.engine()]).toEqual([engine, null])
  phone.wait(10_000)
  expect((await entering).store.memberId).toBe(danny.id)
  waiting.close()
  unlocked.close()
  expect(phone.faults).toEqual([])
})
