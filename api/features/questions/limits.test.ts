import { expect, test } from 'vitest'
import { asker, newQuestion } from '#api/testing/questions.ts'
import { startWorld, type World } from '#api/testing/world.ts'

let world: World
const start = (startsAt: string) => {
  world = startWorld({ startsAt: new Date(startsAt) })
  return asker(world, world.addMember({ tier: 'lite' }))
}

const perMonth = (limit: number | null) =>
  world.ctx.sqlite.prepare(`update membership_tiers set questionsPerMonth = ? where slug = 'lite'`).run(limit)

/** The code, and the first day on which it goes. */
async function refusalOf(response: Response) {
  const { error } = await response.json()
  return { status: response.status, code: error.code, from: error.from }
}

const times = (count: number) => Array.from({ length: count })

test('a tier’s questions of a month run out, and go again from its first day in London', async () => {
  const lite = start('2026-06-30T22:00:00Z')
  perMonth(3)
  for (const _ of times(3)) await lite.ask()
  expect((await lite.list()).allowance).toEqual({ perMonth: 3, leftThisMonth: 0, leftToday: 0, from: '2026-07-01' })
  const fourth = newQuestion(world)
  expect(await refusalOf(await lite.post('', fourth))).toEqual({
    status: 409,
    code: 'question_limit',
    from: '2026-07-01',
  })
  // It's still June in UTC.
  world.forward(61 * 60_000)
  expect((await lite.post('', fourth)).status).toBe(200)
  expect((await lite.list()).allowance).toMatchObject({ leftThisMonth: 2 })
})

test('what was written last month without signal counts there while there’s room, and then in this one', async () => {
  const lite = start('2026-07-02T09:00:00Z')
  perMonth(3)
  const at = '2026-06-20T09:00:00.000Z'
  for (const _ of times(3)) await lite.ask({ at })
  expect((await lite.list()).allowance.leftThisMonth).toBe(3)
  await lite.ask({ at })
  expect((await lite.list()).allowance.leftThisMonth).toBe(2)
  expect((await lite.list()).questions.every(({ askedAt }) => askedAt === at)).toBe(true)
})

test('anyone asks 20 a day at most; a question that’s sent again isn’t counted again', async () => {
  const lite = start('2026-06-12T21:30:00Z')
  perMonth(null)
  const first = newQuestion(world)
  for (const _ of times(5)) expect((await lite.post('', first)).status).toBe(200)
  for (const _ of times(19)) await lite.ask()
  const last = newQuestion(world)
  expect(await refusalOf(await lite.post('', last))).toMatchObject({ code: 'question_limit', from: '2026-06-13' })
  expect((await lite.post('', first)).status).toBe(200)
  world.forward(91 * 60_000)
  expect((await lite.post('', last)).status).toBe(200)
})

test('a stamp of the future counts now, and a withdrawn question stays counted', async () => {
  const lite = start('2026-06-12T09:00:00Z')
  perMonth(1)
  const { id, askedAt } = await lite.ask({ at: '2027-01-01T00:00:00.000Z' })
  expect(askedAt).toBe('2026-06-12T09:00:00.000Z')
  await lite.withdraw(id)
  expect(await refusalOf(await lite.post('', newQuestion(world)))).toMatchObject({ from: '2026-07-01' })
})

test('a tier without questions says so, and names no day', async () => {
  const lite = start('2026-06-12T09:00:00Z')
  perMonth(0)
  const refused = await lite.post('', newQuestion(world))
  const { error } = await refused.json()
  expect([refused.status, error.code, error.from]).toEqual([409, 'question_limit', undefined])
  expect(error.message).toBe('Questions aren’t part of your membership.')
})

test('what’s added to a question counts in no day or month', async () => {
  const lite = start('2026-06-12T09:00:00Z')
  perMonth(1)
  const { id } = await lite.ask()
  for (const _ of times(25)) await lite.add(id)
  expect((await lite.list()).questions[0]?.messages).toHaveLength(26)
})
