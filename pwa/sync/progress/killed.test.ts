import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { createKillable } from '#pwa/sync/testing/killable.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'

const isFull = Boolean(process.env.FULL)

const life = fc.record({
  moment: fc.integer({ min: 1, max: 40 }),
  before: fc.integer({ min: 0, max: 3 }),
  delivery: fc.constantFrom('deliver' as const, 'lose-response' as const),
})

test('PROG-01 a tab killed at any moment loses no tick that it showed as saved, and doubles none', {
  tags: ['full'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 10, maxLength: 10 }), async (lives) => {
      const world = startWorld()
      const [video = ''] = world
        .addVideos()
        .flatMap(({ id, isPublished, tierAccess }) => (isPublished && tierAccess.includes('lite') ? [id] : []))
      const member = world.addMember({ tier: 'lite' })
      const phone = createPhone(world)
      phone.cookie = world.signIn(member).cookie
      phone.isOnline = false
      const made = { attempted: 0, saved: 0 }
      for (const { moment, before, delivery } of lives) {
        const tabOf = createKillable(phone.platform, phone.idb)
        const tab = await phone.openTab(member.id, tabOf.platform)
        const tick = async (completed: boolean) => {
          made.attempted += 1
          await tab.tick(video, completed)
          made.saved += 1
        }
        for (let count = 0; count < before; count++) await tick(count % 2 === 0)
        phone.network.usual = delivery
        tabOf.killAfter(moment)
        const ends = [tick(true), tab.engine.syncNow(), tick(false)].map((work) => work.catch(() => 'died'))
        await Promise.race([Promise.all(ends), tabOf.gone])
        tabOf.kill()
        phone.freeLocks()
        phone.wait(61_000)
      }
      phone.network.usual = 'deliver'
      const last = await phone.openTab(member.id)
      expect(await last.engine.syncNow()).toBe('done')
      const applied = world.ctx.sqlite.prepare<[], { n: number }>('select count(*) as n from applied_changes').get()?.n
      expect(applied).toBeGreaterThanOrEqual(made.saved)
      expect(applied).toBeLessThanOrEqual(made.attempted)
      expect(await last.state()).toMatchObject({ pending: 0, sending: 0, refused: [] })
      const stored = world.ctx.sqlite.prepare<[], { completed: 0 | 1 }>('select completed from video_progress').get()
      expect(await last.shown()).toEqual({ [video]: stored?.completed === 1 })
      last.close()
      expect(phone.faults).toEqual([])
    }),
    { numRuns: isFull ? 100 : 10 },
  )
})
