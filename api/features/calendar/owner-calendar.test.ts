import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { insertRow } from '#api/db/insert.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { mailOptOuts } from '#api/db/schema/people.ts'
import { callCalendar } from '#api/documents/call-calendar.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { CallRules, CallSetup } from '#shared/contract/calendar.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { CallMorning, CallWeek, MonthlyCallList } from '#shared/contract/owner-calendar.ts'
import { callWeek } from '#shared/rules/call-slots.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const monday9 = '2026-06-15T08:00:00.000Z'
const hour = 3_600_000

let world: World
let owner: World['call']
beforeEach(() => {
  world = startWorld()
  openCalendar(world)
  owner = world.signIn(world.addOwner())
})

const at = '/api/admin/calendar'
const put = (path: string, body: object, call = owner) => call(`${at}/${path}`, { method: 'PUT', body })
const bookings = () => rowsOf(world, 'coaching_bookings')
const audited = () => rowsOf(world, 'audit_entries').map(({ action }) => action)
const setup = async () => v.parse(CallSetup, await (await owner(at)).json())

function addCall(startsAt: string, more: Partial<typeof coachingBookings.$inferInsert> = {}): string {
  const id = world.ctx.newId()
  const endsAt = new Date(Date.parse(startsAt) + hour / 2).toISOString()
  const now = world.ctx.now().toISOString()
  insertRow(world.ctx, coachingBookings, {
    id,
    name: 'Sam Field',
    email: 'sam@example.com',
    phone: '07700 900123',
    notes: 'Prices',
    kind: 'coaching',
    coach: 'coach-1',
    startsAt,
    endsAt,
    bookingDate: startsAt.slice(0, 10),
    createdAt: now,
    updatedAt: now,
    ...more,
  })
  return id
}

describe('a coach’s week', () => {
  const week = async () => callWeek((await setup()).hours, { coach: 'coach-1', kind: 'sales' })

  test('is set whole, days that stay as they were untouched; the same sent again is no conflict', async () => {
    const before = await week()
    const days = { ...before.days, mon: [], tue: [...before.days.tue, { opens: '07:00', closes: '08:00' }] }
    const saved = v.parse(CallWeek, await (await put('weeks', { ...before, days })).json())
    expect([saved.version, saved.days.mon, saved.days.tue[0]]).toEqual([9, [], { opens: '07:00', closes: '08:00' }])
    expect([await week(), (await put('weeks', { ...before, days })).status]).toEqual([saved, 200])
    expect(audited().filter((action) => action === 'calendar.hours').length).toBe(2)
    expect((await put('weeks', { ...saved, coach: 'nobody' })).status).toBe(404)
  })

  test('that came with the sandbox becomes the owners’', async () => {
    world.ctx.sqlite.exec('update call_hours set version = 0')
    const before = await week()
    const saved = await put('weeks', { ...before, days: { ...before.days, mon: [] } })
    expect([saved.status, (await week()).days.mon]).toEqual([200, []])
    expect(
      (await put('hours', { coach: 'coach-1', kind: 'sales', weekday: 'fri', windows: [], version: 0 })).status,
    ).toBe(200)
  })

  test('that somebody else has changed is shown beside one’s own; overlapping times are refused by their day', async () => {
    const before = await week()
    await put('hours', { coach: 'coach-1', kind: 'sales', weekday: 'fri', windows: [], version: 1 })
    const late = await put('weeks', { ...before, days: { ...before.days, mon: [] } })
    const { error } = v.parse(ErrorBody, await late.json())
    expect([late.status, error.code]).toEqual([409, 'version_conflict'])
    expect(v.parse(CallWeek, error.versions?.current)).toMatchObject({ version: 8, days: { fri: [] } })
    const wed = [
      { opens: '10:00', closes: '12:00' },
      { opens: '09:00', closes: '10:30' },
    ]
    const overlapping = await put('weeks', { ...before, days: { ...before.days, wed } })
    expect(v.parse(ErrorBody, await overlapping.json()).error.fields).toEqual({ 'days.wed': 'These times overlap.' })
  })

  test('a kind’s rules have versions too', async () => {
    const [rules] = (await setup()).rules
    const first = v.parse(CallRules, await (await put('rules', { ...rules, bufferMinutes: 10 })).json())
    expect([rules?.version, first.version, (await put('rules', { ...rules, bufferMinutes: 10 })).status]).toEqual([
      0, 1, 200,
    ])
    const late = await put('rules', { ...rules, bufferMinutes: 20 })
    const { error } = v.parse(ErrorBody, await late.json())
    expect([late.status, v.parse(CallRules, error.versions?.current).bufferMinutes]).toEqual([409, 10])
  })
})

describe('who did not come', () => {
  const mark = (id: string, status: string, before: string) =>
    owner(`/api/admin/coaching-bookings/${id}/status`, { method: 'PATCH', body: { status, before } })
  const mails = () => waitingMail(world).map(({ subject, text }) => [subject, /book-call\?for=/.test(text)])

  test('gets one mail, a visitor with the way to another time, and none before the call has begun', async () => {
    const visitor = addCall(monday9, { kind: 'consultation' })
    const member = addCall('2026-06-15T09:00:00.000Z')
    await mark(visitor, 'no-show', 'scheduled')
    expect(mails()).toEqual([])
    await mark(visitor, 'scheduled', 'no-show')
    raiseBillingOffset(world.ctx, 3 * 24 * hour + 12 * hour)
    for (const id of [visitor, member])
      for (const [status, before] of [
        ['no-show', 'scheduled'],
        ['completed', 'no-show'],
        ['no-show', 'completed'],
      ] as const)
        expect((await mark(id, status, before)).status).toBe(200)
    expect(mails()).toEqual([
      ['We missed you: Monday 15 June 2026, 09:00', true],
      ['We missed you: Monday 15 June 2026, 10:00', false],
    ])
  })
})

describe('the coach’s day by mail', () => {
  const morning = { coach: 'coach-1', email: 'bob@alliance.test', sendsAt: '06:30', isOn: true, version: 0 }
  const mails = () => waitingMail(world).filter(({ cause }) => cause.startsWith('call-day:'))
  const to = (at: string) => raiseBillingOffset(world.ctx, Date.parse(at) - world.ctx.now().getTime())
  const run = () => runJob(world.ctx, 'call-mornings')

  test('comes once, from its time on, with that coach’s calls to come; on a day without a call it does not', async () => {
    expect((await put('mornings', morning)).status).toBe(200)
    addCall('2026-06-15T13:00:00.000Z', { kind: 'sales', name: 'Kim Reed', phone: null, notes: null })
    addCall(monday9)
    addCall(monday9, { coach: 'coach-2', name: 'Not Mine' })
    addCall('2026-06-15T10:00:00.000Z', { status: 'cancelled', name: 'Off' })
    addCall('2026-06-16T08:00:00.000Z', { name: 'Tomorrow' })
    await run()
    expect(mails()).toEqual([])
    to('2026-06-13T06:00:00.000Z')
    await run()
    expect(mails()).toEqual([])
    to('2026-06-15T05:29:00.000Z')
    await run()
    expect(mails()).toEqual([])
    to('2026-06-15T05:31:00.000Z')
    for (const _ of [1, 2]) await run()
    expect(mails().map((mail) => [mail.to, mail.subject])).toEqual([
      ['bob@alliance.test', 'Your 2 calls on Monday 15 June 2026'],
    ])
    const text = mails()[0]?.text ?? ''
    for (const words of ['09:00 to 09:30', 'Sam Field', '07700 900123', 'Prices', 'Kim Reed', 'day=2026-06-15'])
      expect(text).toContain(words)
    expect(text.indexOf('Sam Field')).toBeLessThan(text.indexOf('Kim Reed'))
    expect(/Not Mine|Off|Tomorrow/.test(text)).toBe(false)
  })

  test('says after a late start only what is still to come, and nothing once it is turned off', async () => {
    await put('mornings', morning)
    addCall(monday9)
    addCall('2026-06-16T08:00:00.000Z')
    to('2026-06-15T09:00:00.000Z')
    await run()
    await put('mornings', { ...morning, isOn: false, version: 1 })
    to('2026-06-16T06:00:00.000Z')
    await run()
    expect(mails()).toEqual([])
  })

  test('keeps its hour and its day in the night when the clocks change', async () => {
    await put('mornings', morning)
    const calls = ['2026-10-24T22:59:00.000Z', '2026-10-24T23:00:00.000Z', '2026-10-25T23:30:00.000Z']
    for (const [index, startsAt] of calls.entries()) addCall(startsAt, { name: `Call ${index}` })
    addCall('2026-10-26T00:00:00.000Z', { name: 'Next day' })
    to('2026-10-24T23:30:00.000Z')
    await run()
    // 06:30 GMT is 06:30 after the clock change. An hour earlier was 06:30 before it.
    to('2026-10-25T05:45:00.000Z')
    await run()
    expect(mails()).toEqual([])
    to('2026-10-25T06:31:00.000Z')
    await run()
    expect([
      mails().length,
      /Call 2/.test(mails()[0]?.text ?? ''),
      /Call [01]|Next/.test(mails()[0]?.text ?? ''),
    ]).toEqual([1, true, false])
  })

  test('is set with the version that was read', async () => {
    const saved = v.parse(CallMorning, await (await put('mornings', morning)).json())
    expect([saved.version, (await put('mornings', morning)).status]).toEqual([1, 200])
    expect((await put('mornings', { ...morning, sendsAt: '07:00' })).status).toBe(409)
    expect((await put('mornings', { ...morning, coach: 'nobody' })).status).toBe(404)
    expect(await (await owner(`${at}/mornings`)).json()).toEqual([saved])
    expect(audited()).toContain('calendar.morning')
  })
})

describe('the month’s calls', () => {
  const list = async (query = '') => v.parse(MonthlyCallList, await (await owner(`${at}/monthly${query}`)).json())
  const ask = (id: string, month = '2026-06') => owner(`${at}/monthly/${id}/ask`, { body: { month } })

  test('are of members whose tier has one: used, or still to book', async () => {
    const [xl, standard] = [world.addMember({ tier: 'xl' }), world.addMember()]
    world.addMember({ tier: 'lite' })
    world.addUser()
    const call = addCall(monday9, { userId: xl.id, email: xl.email })
    addCall('2026-06-17T08:00:00.000Z', { userId: standard.id, status: 'cancelled' })
    addCall('2026-07-01T08:00:00.000Z', { userId: standard.id })
    const rows = await list()
    expect(rows.map(({ id, used, minutes }) => [id, used, minutes]).sort()).toEqual(
      [
        [xl.id, 1, 60],
        [standard.id, 0, 30],
      ].sort(),
    )
    expect(rows.find(({ id }) => id === xl.id)?.call).toMatchObject({
      id: call,
      status: 'scheduled',
      startsAt: monday9,
    })
    expect((await list('?show=unused')).map(({ id }) => id)).toEqual([standard.id])
    expect((await list('?show=used')).map(({ id }) => id)).toEqual([xl.id])
    expect((await list('?show=used&month=2026-07')).map(({ id }) => id)).toEqual([standard.id])
    expect((await list('?q=nobody')).length).toBe(0)
  })

  test('who has not booked is asked once a month; not who has, and not who wants no such mails', async () => {
    const [open, booked, quiet] = [world.addMember(), world.addMember(), world.addMember()]
    addCall(monday9, { userId: booked.id })
    insertRow(world.ctx, mailOptOuts, {
      userId: quiet.id,
      purpose: 'call-reminder',
      at: world.ctx.now().toISOString(),
    })
    expect([(await ask(open.id)).status, (await ask(open.id)).status]).toEqual([200, 200])
    expect([(await ask(booked.id)).status, (await ask(world.addMember({ tier: 'lite' }).id)).status]).toEqual([
      409, 404,
    ])
    expect(await readError(await ask(quiet.id))).toMatchObject({ status: 409 })
    expect((await ask(open.id, '2026-05')).status).toBe(409)
    expect(waitingMail(world).map(({ to, subject }) => [to, subject])).toEqual([
      [open.email, 'You haven’t booked your June 2026 call yet'],
    ])
    const rows = await list('?show=unused')
    expect(rows.find(({ id }) => id === open.id)?.askedAt).not.toBeNull()
    expect(rows.find(({ id }) => id === quiet.id)?.wantsMail).toBe(false)
    expect(audited().filter((action) => action === 'call.asked').length).toBe(1)
  })
})

describe('what a calendar app reads', () => {
  test('another secret takes the place of one that got about', async () => {
    addCall(monday9)
    const made = await (await owner(`${at}/feeds`, { body: { coach: 'coach-1' } })).json()
    const renewed = await (await owner(`${at}/feeds/${made.id}/renew`, { method: 'POST', body: {} })).json()
    const read = async ({ url }: { url: string }) => (await world.call(new URL(url).pathname)).status
    expect([renewed.id, await read(made), await read(renewed)]).toEqual([made.id, 404, 200])
    expect((await owner(`${at}/feeds/${world.ctx.newId()}/renew`, { method: 'POST', body: {} })).status).toBe(404)
    expect(audited()).toContain('calendar.feed-renewed')
  })

  test('a call of the hour that comes twice has one meaning; a call of any other hour stays at its hour', async () => {
    const on = async (startsAt: string, endsAt: string) => {
      const call = { uid: 'a@b', sequence: 0, startsAt, endsAt, title: 'Call', changedAt: monday9 }
      const lines = (await callCalendar({ name: 'Alliance', email: 'a@b.example' }, [call])).split('\r\n')
      return lines.filter((line) => /^DT(START|END)/.test(line) && !/:19|:20(?!26)/.test(line))
    }
    expect(await on('2026-10-25T00:15:00.000Z', '2026-10-25T00:45:00.000Z')).toEqual([
      'DTSTART;TZID=Europe/London:20261025T011500',
      'DTEND;TZID=Europe/London:20261025T014500',
    ])
    expect(await on('2026-10-25T01:15:00.000Z', '2026-10-25T01:45:00.000Z')).toEqual([
      'DTSTART:20261025T011500Z',
      'DTEND:20261025T014500Z',
    ])
    // It ends in the repeated hour: London's clocks would show the end before the start.
    expect(await on('2026-10-25T00:45:00.000Z', '2026-10-25T01:15:00.000Z')).toEqual([
      'DTSTART:20261025T004500Z',
      'DTEND:20261025T011500Z',
    ])
    expect(await on('2026-03-29T00:45:00.000Z', '2026-03-29T01:15:00.000Z')).toEqual([
      'DTSTART;TZID=Europe/London:20260329T004500',
      'DTEND;TZID=Europe/London:20260329T021500',
    ])
    expect(bookings()).toEqual([])
  })
})
