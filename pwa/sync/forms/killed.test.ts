import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { contactForm, storedMessages } from '#pwa/sync/testing/forms.ts'
import { createKillable } from '#pwa/sync/testing/killable.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { createFormQueue } from './queue.ts'

const life = fc.record({
  moment: fc.integer({ min: 1, max: 30 }),
  delivery: fc.constantFrom('deliver' as const, 'lose-response' as const, 'lose-request' as const, 'twice' as const),
})

test('API-15 a tab killed at any moment loses no form that it showed as saved, and doubles none', {
  tags: ['full'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 6, maxLength: 6 }), async (lives) => {
      const world = startWorld()
      const phone = createPhone(world)
      const saved: string[] = []
      for (const [index, { moment, delivery }] of lives.entries()) {
        const tab = createKillable(phone.platform, phone.idb)
        const queue = createFormQueue(tab.platform)
        const message = `Form ${index}`
        phone.network.usual = delivery
        const sent = queue.submit(contactForm(phone, message)).then(
          () => void saved.push(message),
          () => {},
        )
        tab.killAfter(moment)
        await Promise.race([sent, tab.gone])
        tab.kill()
        queue.stop()
        phone.freeLocks()
        phone.wait(61_000)
      }
      phone.network.usual = 'deliver'
      const last = createFormQueue(phone.platform)
      expect(await last.flush()).toBe('done')
      const stored = storedMessages(world)
      expect(new Set(stored).size).toBe(stored.length)
      expect(stored).toEqual(expect.arrayContaining(saved))
      const { forms, receipts } = await last.readAll()
      expect([forms, receipts.length]).toEqual([[], stored.length])
      last.stop()
      expect(phone.faults).toEqual([])
    }),
    { numRuns: process.env.FULL ? 200 : 15 },
  )
})
