import fc from 'fast-check'
import { expect, test } from 'vitest'
import { webmOf } from '#api/testing/question-files.ts'
import { startWorld } from '#api/testing/world.ts'
import { createKillable } from '#pwa/sync/testing/killable.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { chunksOf, storedContent, storedFiles, storedTexts, withQuestions, write } from '#pwa/sync/testing/questions.ts'

const isFull = Boolean(process.env.FULL)

const life = fc.record({
  moment: fc.integer({ min: 1, max: 100 }),
  delivery: fc.constantFrom('deliver' as const, 'lose-response' as const, 'lose-request' as const, 'twice' as const),
  second: fc.boolean(),
})

/** A recording of more than one piece, and different each time. */
const recording = (index: number) => new Uint8Array(webmOf(105 + (index % 10)))

test('a tab killed at any moment, beside another, loses no question that it showed as kept, doubles none, and every byte arrives', {
  tags: ['full'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 5, maxLength: 5 }), async (lives) => {
      const world = startWorld()
      const member = world.addMember({ tier: 'standard' })
      const phone = createPhone(world)
      phone.cookie = world.signIn(member).cookie
      const kept: string[] = []
      for (const [index, { moment, delivery, second }] of lives.entries()) {
        const killable = createKillable(phone.platform, phone.idb)
        const tab = withQuestions(await phone.openTab(member.id, killable.platform))
        const other = second ? withQuestions(await phone.openTab(member.id)) : null
        phone.network.usual = delivery
        killable.killAfter(moment)
        const text = `Question ${index}`
        const asked = write(tab, 'header', { text, voice: chunksOf(recording(index), 32_000) })
          .then(() => tab.questions.ask('header'))
          .then(({ kind }) => void (kind === 'kept' && kept.push(text)))
          .then(() => tab.questions.syncNow())
          .catch(() => {})
        await Promise.race([Promise.all([asked, other?.questions.syncNow()]), killable.gone])
        killable.kill()
        phone.freeLocks()
        other?.close()
        phone.wait(400_000)
      }
      phone.network.usual = 'deliver'
      const last = withQuestions(await phone.openTab(member.id))
      expect(await last.questions.syncNow()).toBe('done')
      const texts = storedTexts(world)
      expect(new Set(texts).size).toBe(texts.length)
      expect(texts).toEqual(expect.arrayContaining(kept))
      for (const { id, sha256, isReady } of storedFiles(world)) {
        const content = storedContent(world, id)
        expect(isReady).toBe(1)
        expect(new Bun.CryptoHasher('sha256').update(content ?? '').digest('hex')).toBe(sha256)
      }
      last.close()
      world.ctx.sqlite.close()
      expect(phone.faults).toEqual([])
    }),
    { numRuns: isFull ? 30 : 3, endOnFailure: true },
  )
})
