import { beforeEach, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const day = 86_400_000
const monday9 = '2026-06-15T08:00:00.000Z'
const tuesday9 = '2026-06-16T08:00:00.000Z'

let world: World
beforeEach(() => {
  world = startWorld({ env: { OWNER_EMAILS: 'olive@alliance.test' } })
  openCalendar(world)
})

const mailedToken = () =>
  /book-call\?call=(\S+)/.exec(waitingMail(world).findLast(({ to }) => to === 'sam@example.com')?.text ?? '')?.[1] ?? ''

const act = (what: 'confirm' | 'move' | 'cancel', token: string, more: object = {}) =>
  world.call(`/api/calendar/call/${what}`, { body: { token, ...more } })

/** A call on Monday whose reminder is queued. Returns its link's token. */
async function remindedCall(): Promise<string> {
  const sam = { name: 'Sam Field', email: 'sam@example.com', phone: '07700 900123', notes: 'Quotes', homepage: '' }
  await world.call('/api/calendar/holds', {
    body: { kind: 'consultation', coach: 'coach-1', startsAt: monday9, ...sam },
  })
  await act('confirm', mailedToken())
  const token = mailedToken()
  raiseBillingOffset(world.ctx, 2 * day + 60_000 * 30)
  await runJob(world.ctx, 'call-reminders')
  return token
}

const reminders = () =>
  world.ctx.sqlite.prepare(`select status, lastError, text from mail_outbox where cause like '%:reminder:%'`).all()
const toldOf = (what: string) =>
  world.ctx.sqlite
    .prepare(`select status from mail_outbox where cause like ? and cause not like '%:owner:%'`)
    .all(`%:${what}%`)

test('a reminder that could not go out before the call does not go out after it', async () => {
  await remindedCall()
  raiseBillingOffset(world.ctx, 3 * day + 60_000 * 30)
  await runJob(world.ctx, 'mail')
  expect(reminders()).toEqual([{ status: 'failed', lastError: 'The call has started.', text: '' }])
  expect(toldOf('booked')).toEqual([{ status: 'sent' }])
})

test.each(['moved', 'cancelled'])('a reminder that waited does not go out for a call that was %s', async (how) => {
  const token = await remindedCall()
  const change = how === 'moved' ? act('move', token, { startsAt: tuesday9 }) : act('cancel', token)
  expect((await change).status).toBe(200)
  await runJob(world.ctx, 'mail')
  const lastError = 'The call has moved since this email.'
  expect(reminders()).toEqual([{ status: 'failed', lastError, text: '' }])
  expect(toldOf(how)).toEqual([{ status: 'sent' }])
})

test('a call that is cancelled and set back is reminded of again', async () => {
  await act('cancel', await remindedCall())
  await runJob(world.ctx, 'mail')
  const owner = world.signIn(world.addOwner())
  const [call] = await (await owner('/api/admin/coaching-bookings')).json()
  const body = { status: 'scheduled' }
  expect((await owner(`/api/admin/coaching-bookings/${call.id}/status`, { method: 'PATCH', body })).status).toBe(200)
  await runJob(world.ctx, 'call-reminders')
  await runJob(world.ctx, 'mail')
  expect(reminders()).toMatchObject([{ status: 'failed' }, { status: 'sent' }])
})

test('a reminder goes out for a call that is as it says', async () => {
  await remindedCall()
  await runJob(world.ctx, 'mail')
  expect(reminders()).toMatchObject([{ status: 'sent' }])
})

test('a reminder that lapsed is no trouble of the mail, and is not sent again', async () => {
  await act('cancel', await remindedCall())
  await runJob(world.ctx, 'mail')
  const owner = world.signIn(world.addOwner())
  expect((await (await owner('/api/admin/today')).json()).mail).toMatchObject({ failed: 0 })
  const [{ id } = {}] = await (await owner('/api/admin/mail?status=failed')).json()
  expect(await readError(await owner(`/api/admin/mail/${id}/resend`, { method: 'POST' }))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/was too late to send/),
  })
})
