import { beforeEach, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { writeGeneration } from '#api/db/generation.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import { uuidV7 } from '#shared/rules/id.ts'

const hour = 3_600_000
const day = 24 * hour

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  danny = world.addMember({ tier: 'xl', email: 'danny@example.com', firstName: 'Danny', lastName: 'Marsh' })
})

const newId = () => uuidV7(startOfTime.getTime(), crypto.getRandomValues(new Uint8Array(10)))
let counter = 0

async function send(person: TestPerson, changes: object[]) {
  const at = world.ctx.now().toISOString()
  const stamped = changes.map((one) => ({ id: newId(), at, counter: ++counter, ...one }))
  const body = { deviceId: 'phone-a', changes: stamped }
  const response = await world.signIn(person)('/api/members/commitments/sync', { body })
  expect(response.status).toBe(200)
}
async function make(person: TestPerson, on: string, text = 'Put my day rate up'): Promise<string> {
  const commitmentId = newId()
  await send(person, [{ commitmentId, text, day: on }])
  return commitmentId
}
const remind = () => runJob(world.ctx, 'commitments')
const digest = () => runJob(world.ctx, 'commitment-week')
const mails = (kind: string) => waitingMail(world).filter(({ cause }) => cause.startsWith(`${kind}:`))
/** The world begins on Friday 12 June 2026 at 8:40 in London. */
const untilMonday = (clock: number) => raiseBillingOffset(world.ctx, 3 * day + clock * hour - 40 * 60_000 - 8 * hour)

test('on the day, a member is reminded once, in one mail, of all that’s due', async () => {
  await make(danny, '2026-06-13')
  await make(danny, '2026-06-13', 'Ring three builders')
  await make(danny, '2026-06-14', 'Not yet')
  await remind()
  expect(mails('commitment-day')).toEqual([])
  raiseBillingOffset(world.ctx, day)
  for (const _ of [1, 2]) await remind()
  const [mail, ...more] = mails('commitment-day')
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: 'danny@example.com', subject: 'You said you’d do 2 things today' })
  expect(mail?.text).toContain('“Ring three builders”')
  expect(mail?.text).not.toContain('Not yet')
})

test('a reminder waits until seven, and what is done, dropped, or set for today today needs none', async () => {
  const [done, dropped] = [await make(danny, '2026-06-13'), await make(danny, '2026-06-13')]
  await send(danny, [
    { commitmentId: done, state: 'done' },
    { commitmentId: dropped, state: 'dropped' },
  ])
  await make(danny, '2026-06-12')
  await remind()
  raiseBillingOffset(world.ctx, day)
  await remind()
  expect(mails('commitment-day')).toEqual([])
  const priya = world.addMember({ tier: 'lite' })
  await make(priya, '2026-06-14')
  raiseBillingOffset(world.ctx, day + 21 * hour)
  await remind()
  expect(mails('commitment-day')).toEqual([])
  raiseBillingOffset(world.ctx, day + 23 * hour)
  await remind()
  expect(mails('commitment-day')).toHaveLength(1)
})

test('what the coach has suggested for today and the member accepts today needs no reminder', async () => {
  const proposed = await make(danny, '2026-06-13')
  world.ctx.sqlite.exec(
    `update commitments set madeBy = 'coach', state = 'proposed', dayAt = '1970-01-01T00:00:00.000Z'`,
  )
  world.forward(day)
  await send(danny, [{ commitmentId: proposed, state: 'open' }])
  await remind()
  expect(mails('commitment-day')).toEqual([])
})

test('no reminder goes to who has switched it off, or has no access any more', async () => {
  const gone = world.addMember({ tier: 'lite', subscription: { status: 'canceled' } })
  await make(danny, '2026-06-13')
  world.ctx.sqlite
    .prepare(`insert into notice_choices (userId, kind, byPush, byMail, changedAt) values (?, 'commitment', 0, 0, ?)`)
    .run(danny.id, startOfTime.toISOString())
  const priya = world.addMember({ tier: 'lite' })
  await make(priya, '2026-06-13')
  world.ctx.sqlite.prepare('update commitments set userId = ? where userId = ?').run(gone.id, priya.id)
  raiseBillingOffset(world.ctx, day)
  await remind()
  expect(mails('commitment-day')).toEqual([])
})

/** An owner who gets the week's mail, of members of XL. */
function ownerOfWeek(): TestPerson {
  const olive = world.addOwner()
  world.ctx.sqlite
    .prepare(`insert into owner_addresses (email, userId, role, recordedAt) values (?, ?, 'owner', ?)`)
    .run(olive.email, olive.id, startOfTime.toISOString())
  world.ctx.sqlite.exec(`update membership_tiers set hasWeeklyAccountability = slug = 'xl'`)
  return olive
}

test('on Monday owners get the week of tiers with weekly accountability, once each', async () => {
  const olive = ownerOfWeek()
  const priya = world.addMember({ tier: 'lite', firstName: 'Priya', lastName: 'Shah' })
  await make(danny, '2026-06-18')
  await make(danny, '2026-06-12', 'Ring three builders')
  await make(danny, '2026-06-22', 'Next week')
  await make(priya, '2026-06-18', 'Not in the digest')
  untilMonday(6)
  await digest()
  expect(mails('commitment-week')).toEqual([])
  untilMonday(8)
  for (const _ of [1, 2]) await digest()
  const sent = mails('commitment-week').filter(({ to }) => to === olive.email)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.subject).toBe('This week: 1 thing members said they’d do')
  expect(sent[0]?.text).toMatch(
    /Thursday 18 June, Danny Marsh: Put my day rate up[\s\S]*Friday 12 June.*Ring three builders/,
  )
  expect(sent[0]?.text).not.toMatch(/Next week|Not in the digest/)
  raiseBillingOffset(world.ctx, 4 * day)
  await digest()
  expect(mails('commitment-week').filter(({ to }) => to === olive.email)).toHaveLength(1)
})

test('the week’s mail counts all of it, and says how many it leaves out', async () => {
  const olive = ownerOfWeek()
  const made = () => ({ commitmentId: newId(), text: 'Ring three builders', day: '2026-06-18' })
  for (const many of [150, 53]) await send(danny, Array.from({ length: many }, made))
  await make(world.addMember({ tier: 'lite' }), '2026-06-18', 'Not in the digest')
  untilMonday(8)
  await digest()
  const [mail] = mails('commitment-week').filter(({ to }) => to === olive.email)
  expect(mail?.subject).toBe('This week: 203 things members said they’d do')
  expect(mail?.text).toContain('And 3 more.')
})

test('a week in which only late ones are open says so', async () => {
  const olive = ownerOfWeek()
  await make(danny, '2026-06-12', 'Ring three builders')
  untilMonday(8)
  await digest()
  const [mail] = mails('commitment-week').filter(({ to }) => to === olive.email)
  expect(mail?.subject).toBe('Late: 1 thing members said they’d do')
  expect(mail?.text).toMatch(/Nothing’s due from them this week\.[\s\S]*--due late/)
})

test('a copy restored during the day tells nobody what was told before it was', async () => {
  await make(danny, '2026-06-13')
  raiseBillingOffset(world.ctx, day)
  writeGeneration(world.ctx, { number: 2, id: newId() })
  await remind()
  expect(mails('commitment-day')).toEqual([])
})
