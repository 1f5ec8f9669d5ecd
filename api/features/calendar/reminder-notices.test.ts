import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { startPushService } from '#api/testing/push.ts'
import { startWorld } from '#api/testing/world.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const minute = 60_000
const hour = 60 * minute

let push: ReturnType<typeof startPushService>
beforeEach(() => {
  push = startPushService((port) => startWorld({ env: { PORT: String(port), PUBLIC_URL: 'https://alliance.example' } }))
  openCalendar(push.world)
})
afterEach(() => push.stop())

/** Booked this evening for the next day, by someone whose phone gets notices of calls. */
async function booked(startsAt: string) {
  const { world } = push
  const member = world.signIn(world.addMember({ tier: 'xl' }))
  const { id } = await push.subscribe(member)
  await member('/api/members/notices/choices', { method: 'PUT', body: { kind: 'call', byPush: true } })
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await member('/api/calendar/calls', { body })).status).toBe(200)
  // No coach offers such hours in this world.
  world.ctx.sqlite.prepare('update coaching_bookings set startsAt = ?').run(startsAt)
  world.forward(12 * hour + 20 * minute)
  await runJob(world.ctx, 'call-reminders')
  return id
}

const reminders = () =>
  push.world.ctx.sqlite.prepare(`select count(*) from mail_outbox where cause like '%:reminder:%'`).pluck().get()
const run = () => runJob(push.world.ctx, 'notices')

test.each([
  ['before the night is over', '2026-06-13T05:45:00.000Z', 0],
  ['before the minutes after it are', '2026-06-13T06:10:00.000Z', 1],
])('a call that begins %s is mailed about straight away', async (_when, startsAt, pushes) => {
  const id = await booked(startsAt)
  expect(reminders()).toBe(1)
  push.world.forward(10 * hour + minute)
  await run()
  expect([await push.received(id), reminders()]).toMatchObject([{ length: pushes }, 1])
})

test('a later one is pushed at 7, and mailed if nobody has seen that', async () => {
  const id = await booked('2026-06-13T07:30:00.000Z')
  push.world.forward(10 * hour + minute)
  await run()
  expect([(await push.received(id)).length, reminders()]).toEqual([1, 0])
  push.world.forward(16 * minute)
  await run()
  expect(reminders()).toBe(1)
})
