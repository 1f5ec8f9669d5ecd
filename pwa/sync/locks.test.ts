import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { createPhone } from './testing/phone.ts'

test('a tab that the browser froze holds the next one up for ten seconds', async () => {
  const world = startWorld()
  const phone = createPhone(world)
  const danny = world.addMember()
  phone.cookie = world.signIn(danny).cookie
  const frozen = new AbortController()
  phone.platform.locks.request('alliance-session', frozen, () => new Promise(() => {})).catch(phone.platform.report)
  const waiting = phone.openApp()
  const entering = waiting.enter(danny.id)
  const other = createPhone(world)
  other.cookie = phone.cookie
  const engine = await other.openApp().enter(danny.id)
  expect([engine.store.memberId, waiting.engine()]).toEqual([danny.id, null])
  engine.stop()
  phone.wait(10_000)
  expect((await entering).store.memberId).toBe(danny.id)
  waiting.close()
  expect(phone.faults).toEqual([])
})
