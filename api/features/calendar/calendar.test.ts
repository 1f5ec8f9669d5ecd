import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { CallSetup, CallSlotsResponse, LinkedCall, MemberCallResponse } from '#shared/contract/calendar.ts'
import { ErrorBody } from '#shared/contract/error.ts'

// The world starts on Friday 12 June 2026, 08:40 in London.
const monday9 = '2026-06-15T08:00:00.000Z'
const monday930 = '2026-06-15T08:30:00.000Z'
const visitor = { name: 'Sam Field', email: 'sam@example.com', phone: '07700 900123', notes: 'Quotes', homepage: '' }
const day = 86_400_000

let world: World
beforeEach(() => {
  world = startWorld({ env: { OWNER_EMAILS: 'olive@alliance.test', ...behindProxy } })
  openCalendar(world)
})

const bookings = () => rowsOf(world, 'coaching_bookings')
const slots = async (path: string, call = world.call) =>
  v.parse(CallSlotsResponse, await (await call(`/api/calendar/slots/${path}`)).json())
const hold = (more: object = {}, headers: Record<string, string> = {}) =>
  world.call('/api/calendar/holds', {
    body: { kind: 'consultation', coach: 'coach-1', startsAt: monday9, ...visitor, ...more },
    headers,
  })
const book = (call: World['call'], more: object = {}, headers: Record<string, string> = {}) =>
  call('/api/calendar/calls', { body: { kind: 'coaching', coach: 'coach-1', startsAt: monday9, ...more }, headers })

function mailedToken(to = visitor.email): string {
  const mail = waitingMail(world).findLast((one) => one.to === to)
  return /book-call\?call=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}
const act = (what: 'confirm' | 'move' | 'cancel', more: object = {}, token = mailedToken()) =>
  world.call(`/api/calendar/call/${what}`, { body: { token, ...more } })

async function bookedByVisitor(): Promise<string> {
  await hold()
  await act('confirm')
  return mailedToken()
}

describe('free times', () => {
  test('BOOK-1 BOOK-8 are those of one coach and one kind of call, in its own length', async () => {
    const [coaching, catchUp] = [await slots('coaching?coach=coach-2'), await slots('catch-up')]
    expect(new Set(coaching.slots.map(({ coach }) => coach))).toEqual(new Set(['coach-2']))
    expect([coaching.minutes, coaching.slots[0]?.startsAt, coaching.standing]).toEqual([
      30,
      '2026-06-13T08:00:00.000Z',
      'login',
    ])
    expect([catchUp.minutes, catchUp.slots.filter(({ startsAt }) => startsAt < monday9).length > 8]).toEqual([15, true])
    expect((await slots('sales')).minutes).toBe(15)
  })

  test('end where they cannot be booked yet, and pause on holidays', async () => {
    const call = world.signIn(world.addOwner())
    await call('/api/admin/calendar/days', { body: { firstDay: '2026-06-13', lastDay: '2026-06-14', note: 'Away' } })
    const { slots: free, lastDay } = await slots('consultation')
    expect([free[0]?.startsAt, lastDay]).toEqual([monday9, '2026-07-10'])
    expect((await slots('consultation?from=2026-07-11')).slots).toEqual([])
  })
})

describe('a member’s call', () => {
  test('BOOK-1 is booked at once, as long as the tier says, once a month of London; an owner can add one', async () => {
    const member = world.addMember({ tier: 'xl' })
    const call = world.signIn(member)
    const { call: booked } = v.parse(MemberCallResponse, await (await book(call, { notes: 'Prices' })).json())
    expect([booked.minutes, booked.startsAt]).toEqual([60, monday9])
    expect(bookings()).toMatchObject([
      {
        kind: 'coaching',
        coach: 'coach-1',
        startsAt: monday9,
        endsAt: '2026-06-15T09:00:00.000Z',
        duration: 60,
        bookingDate: '2026-06-15',
        status: 'scheduled',
        userId: member.id,
        heldUntil: null,
      },
    ])
    expect(await readError(await book(call, { startsAt: '2026-06-16T08:00:00.000Z' }))).toMatchObject({ status: 409 })
    expect((await slots('coaching', call)).slots[0]?.startsAt).toBe('2026-07-01T08:00:00.000Z')
    const more = { email: member.email, kind: 'coaching', month: '2026-06' }
    await world.signIn(world.addOwner())('/api/admin/calendar/allowances', { body: more })
    expect((await book(call, { startsAt: '2026-06-16T08:00:00.000Z' })).status).toBe(200)
  })

  test('needs a session and a tier that has it; the catch-up is every member’s', async () => {
    expect((await book(world.call)).status).toBe(401)
    expect((await book(world.signIn(world.addUser()))).status).toBe(403)
    const lite = world.signIn(world.addMember({ tier: 'lite' }))
    expect([(await book(lite)).status, (await slots('coaching', lite)).standing]).toEqual([403, 'not-included'])
    expect((await book(lite, { kind: 'catch-up' })).status).toBe(200)
  })

  test('BOOK-1 a person logged in without a membership is told so, and is not asked to log in', async () => {
    const lapsed = world.signIn(world.addMember({ subscription: { status: 'canceled' } }))
    for (const kind of ['coaching', 'catch-up'])
      expect(await slots(kind, lapsed)).toMatchObject({ standing: 'no-access', slots: [], booked: [] })
  })

  test('can be moved within its month, and to a month that has a call left', async () => {
    const call = world.signIn(world.addMember({ email: 'danny@example.com' }))
    await book(call)
    const token = mailedToken('danny@example.com')
    const months = async () => {
      const { slots: free } = await (await call(`/api/calendar/call/slots?token=${token}`)).json()
      return [...new Set(free.map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 7)))]
    }
    expect(await months()).toEqual(['2026-06', '2026-07'])
    expect((await book(call, { startsAt: '2026-07-01T08:00:00.000Z' })).status).toBe(200)
    expect(await months()).toEqual(['2026-06'])
  })

  test('sent twice under one key it is one call', async () => {
    const call = world.signIn(world.addMember())
    const key = { 'idempotency-key': world.ctx.newId() }
    const responses = [await book(call, {}, key), await book(call, {}, key)]
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect([texts[0] === texts[1], bookings().length]).toEqual([true, 1])
  })
})

describe('a visitor’s call', () => {
  test('HOME-13 COACH-06 LAND-2 is held for 30 minutes and booked by the link in the email', async () => {
    const held = await (await hold()).json()
    expect(held).toEqual({ success: true, heldUntil: '2026-06-12T08:10:00.000Z' })
    expect((await hold({ email: 'other@example.com' })).status).toBe(409)
    expect(waitingMail(world).map(({ to, text }) => [to, /Sam|Quotes|07700/.test(text)])).toEqual([
      ['sam@example.com', false],
    ])
    await hold({ kind: 'sales', coach: 'coach-2', email: 'kim@example.com' })
    expect(waitingMail(world).map(({ subject }) => subject)).toEqual([
      'Confirm your free call',
      'Confirm your Sales Lion call',
    ])
    // A mail program that prefetches the link books nothing.
    const opened = await world.call(`/api/calendar/call?token=${mailedToken()}`)
    expect(v.parse(LinkedCall, await opened.json()).state).toBe('held')
    expect([(await act('confirm')).status, (await act('confirm')).status]).toEqual([200, 200])
    expect(bookings()[0]).toMatchObject({ heldUntil: null, heldFrom: null, kind: 'consultation', duration: 30 })
    expect(waitingMail(world).map(({ to }) => to)).toEqual([
      ...[visitor.email, 'kim@example.com', visitor.email, 'olive@alliance.test'],
    ])
  })

  test('that nobody confirms is free again after 30 minutes, and its link has ended', async () => {
    await hold()
    const token = mailedToken()
    world.forward(30 * 60_000)
    expect((await slots('consultation?coach=coach-1')).slots.some(({ startsAt }) => startsAt === monday9)).toBe(true)
    expect(await readError(await act('confirm', {}, token))).toMatchObject({ status: 400, code: 'invalid_link' })
    expect((await hold({ email: 'other@example.com' })).status).toBe(200)
    expect(bookings().length).toBe(1)
  })

  test('two may be open for an email address and from a network address', async () => {
    const times = ['2026-06-16', '2026-06-17', '2026-06-18'].map((on) => `${on}T08:00:00.000Z`)
    const statuses: number[] = []
    for (const startsAt of times) statuses.push((await hold({ startsAt })).status)
    expect(statuses).toEqual([200, 200, 409])
    expect((await hold({ startsAt: times[2], email: 'other@example.com' })).status).toBe(409)
  })

  test('ten may be open from all the networks that one customer has, two from each', async () => {
    const times = (await slots('consultation?coach=coach-1')).slots.map(({ startsAt }) => startsAt)
    const holdFrom = async (address: string, at: number) => {
      const headers = { 'x-forwarded-for': address }
      return (await hold({ startsAt: times[at], email: `${at}@example.com` }, headers)).status
    }
    const statuses: number[] = []
    for (let at = 0; at < 11; at += 1) statuses.push(await holdFrom(`2001:db8:77:${at}::1`, at))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 409])
    expect(await holdFrom('2001:db8:78::1', 11)).toBe(200)
  })

  test('what fell into the trap for robots takes no time and no mail', async () => {
    expect((await hold({ homepage: 'https://x.test' })).status).toBe(200)
    expect(bookings()).toMatchObject([{ isSpam: 1, startsAt: null, coach: null }])
    expect(waitingMail(world)).toEqual([])
  })
})

describe('two who want the same time', () => {
  const together = process.env.FULL ? 200 : 20

  test(`of ${together} at once one wins, the others get the next free times`, async () => {
    const callers = Array.from({ length: together }, () => world.signIn(world.addMember()))
    const responses = await Promise.all(callers.map((call) => book(call)))
    expect(responses.filter(({ status }) => status === 200).length).toBe(1)
    const lost = responses.find(({ status }) => status === 409)
    const { error } = v.parse(ErrorBody, await lost?.json())
    expect([error.code, error.slots?.length, error.slots?.[0]]).toEqual([
      'slot_taken',
      6,
      { coach: 'coach-1', startsAt: monday930 },
    ])
    expect(bookings().filter(({ startsAt }) => startsAt === monday9).length).toBe(1)
  })

  test('the database refuses a second one, whatever the program does', () => {
    const insert = () =>
      world.ctx.sqlite
        .prepare(
          `insert into coaching_bookings (id, name, email, bookingDate, kind, coach, startsAt, endsAt, createdAt, updatedAt)
           values (?, 'Sam', 's@x.test', '2026-06-15', 'sales', 'coach-1', '${monday9}', '${monday930}', '${monday9}', '${monday9}')`,
        )
        .run(world.ctx.newId())
    insert()
    expect(insert).toThrow('UNIQUE')
  })

  test('a long call keeps the short ones around it away, of every kind', async () => {
    await book(world.signIn(world.addMember({ tier: 'xl' })), { startsAt: monday930 })
    const free = (await slots('sales?coach=coach-1&from=2026-06-15&to=2026-06-15')).slots
    expect(free.map(({ startsAt }) => startsAt.slice(11, 16))).toEqual(['08:00', '08:15', '09:30', '09:45'])
  })
})

describe('the link of a call', () => {
  test('moves it: the old time is free, the mail carries the new one', async () => {
    const token = await bookedByVisitor()
    const { slots: free } = await (await world.call(`/api/calendar/call/slots?token=${token}`)).json()
    expect(free[0]).toEqual({ coach: 'coach-1', startsAt: '2026-06-13T08:00:00.000Z' })
    const moved = v.parse(LinkedCall, await (await act('move', { startsAt: monday930 }, token)).json())
    expect([moved.startsAt, moved.state]).toEqual([monday930, 'booked'])
    expect(bookings()).toMatchObject([{ startsAt: monday930, moves: 1 }])
    expect(waitingMail(world).at(-2)?.subject).toBe('Moved: Monday 15 June 2026, 09:30')
    expect((await book(world.signIn(world.addMember()))).status).toBe(200)
    expect((await act('move', { startsAt: monday9 }, token)).status).toBe(409)
  })

  test('cancels it, once; another’s signature does nothing; it ends when the call begins', async () => {
    const token = await bookedByVisitor()
    expect((await act('cancel', {}, `${token.slice(0, -1)}x`)).status).toBe(400)
    expect([(await act('cancel', {}, token)).status, (await act('cancel', {}, token)).status]).toEqual([200, 200])
    expect(bookings()).toMatchObject([{ status: 'cancelled' }])
    expect(waitingMail(world).filter(({ cause }) => cause.includes('cancelled')).length).toBe(2)
    await hold({ email: 'other@example.com' })
    await act('confirm', {}, mailedToken('other@example.com'))
    const late = mailedToken('other@example.com')
    raiseBillingOffset(world.ctx, 3 * day + 60_000 * 30)
    for (const what of ['cancel', 'move'] as const)
      expect([what, (await act(what, { startsAt: '2026-06-19T08:00:00Z' }, late)).status]).toEqual([what, 409])
  })

  test('its .ics has the rules of London’s clocks and the newest time', async () => {
    const token = await bookedByVisitor()
    await act('move', { startsAt: monday930 }, token)
    const response = await world.call(`/api/calendar/call.ics?token=${token}`)
    const ics = await response.text()
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    for (const line of [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/London',
      'DTSTART;TZID=Europe/London:20260615T093000',
      'SEQUENCE:1',
      'DTSTAMP:20260612T074000Z',
      'METHOD:PUBLISH',
      'ORGANIZER;CN="The Alliance":mailto:hello@alliance.test',
    ])
      expect(ics).toContain(line)
    for (const path of ['call.ics?token=x', 'feeds/x']) {
      const refused = await world.call(`/api/calendar/${path}`)
      expect([path, refused.ok, refused.headers.get('content-type')]).toEqual([
        path,
        false,
        'application/json;charset=utf-8',
      ])
    }
  })
})

test('a reminder goes out once, 24 hours before, by the clock that members are billed by; not where it was booked later', async () => {
  await bookedByVisitor()
  const reminders = () => waitingMail(world).filter(({ cause }) => cause.includes('reminder')).length
  await runJob(world.ctx, 'call-reminders')
  expect(reminders()).toBe(0)
  raiseBillingOffset(world.ctx, 2 * day + 60_000 * 30)
  for (const _ of [1, 2]) await runJob(world.ctx, 'call-reminders')
  expect([reminders(), bookings()[0]?.reminderSent]).toEqual([1, 1])
  await hold({ email: 'late@example.com', coach: 'coach-2' })
  expect(bookings().at(-1)?.reminderSent).toBe(1)
})

describe('owners', () => {
  test('set hours and rules, and the pages know straight away whose calls can be booked', async () => {
    const call = world.signIn(world.addOwner())
    const put = (path: string, body: object) => call(`/api/admin/calendar/${path}`, { method: 'PUT', body })
    const at = { coach: 'coach-2', kind: 'sales', windows: [], version: 0 }
    const readHours = async () => v.parse(CallSetup, await (await call('/api/admin/calendar')).json()).hours
    for (const { weekday } of (await readHours()).filter((row) => row.coach === at.coach && row.kind === at.kind))
      await put('hours', { ...at, weekday, version: 1 })
    const { site } = await (await world.call('/api/site-content')).json()
    expect([site.calls.sales, site.calls.coaching]).toEqual([['coach-1'], ['coach-1', 'coach-2']])
    await put('rules', {
      version: 0,
      kind: 'sales',
      minutes: 20,
      everyMinutes: 60,
      leadMinutes: 0,
      bufferMinutes: 5,
      horizonDays: 1,
    })
    expect(await slots('sales')).toMatchObject({ minutes: 20, lastDay: '2026-06-13' })
    expect((await put('hours', { ...at, weekday: 'mon', windows: [{ opens: '17:00', closes: '09:00' }] })).status).toBe(
      422,
    )
    expect((await put('hours', { ...at, weekday: 'mon', coach: 'nobody' })).status).toBe(404)
  })

  test('who set a day’s times at once are shown both, also where all of them were taken away and set again', async () => {
    const call = world.signIn(world.addOwner())
    const put = (body: object) => call('/api/admin/calendar/hours', { method: 'PUT', body })
    const day = { coach: 'coach-2', kind: 'sales', weekday: 'mon' }
    const windows = [{ opens: '09:00', closes: '11:00' }]
    const mornings = [{ opens: '09:00', closes: '12:00' }]
    expect((await put({ ...day, windows: [], version: 1 })).status).toBe(200)
    expect((await put({ ...day, windows, version: 2 })).status).toBe(200)
    const late = await put({ ...day, windows: mornings, version: 1 })
    expect([late.status, (await late.json()).error]).toMatchObject([
      409,
      { versions: { sent: { windows: mornings, version: 1 }, current: { ...day, windows, version: 3 } } },
    ])
    // Sending the same again after a lost response isn't a conflict.
    expect(await (await put({ ...day, windows, version: 2 })).json()).toMatchObject({ version: 3 })
    expect(await (await put({ ...day, windows: mornings, version: 3 })).json()).toMatchObject({ version: 4 })
  })

  test('move to any time that is free, and cancel; a calendar program reads time, kind and first name', async () => {
    const call = world.signIn(world.addOwner())
    await bookedByVisitor()
    const id = String(bookings()[0]?.id)
    const to = '2026-06-20T18:10:00.000Z'
    const moved = await call(`/api/admin/calendar/calls/${id}/move`, { body: { startsAt: to, coach: 'coach-2' } })
    expect(await moved.json()).toMatchObject({ startsAt: to, coach: 'coach-2', name: 'Sam Field' })
    const { url, id: feedId } = await (await call('/api/admin/calendar/feeds', { body: {} })).json()
    const path = new URL(url).pathname
    const feed = await (await world.call(path)).text()
    expect([feed.includes('SUMMARY:Free call\\, Sam\r\n'), /Field|sam@|07700|Quotes|book-call/.test(feed)]).toEqual([
      true,
      false,
    ])
    expect([JSON.stringify(rowsOf(world, 'call_feeds')), world.logged.join()].join().includes(path.slice(-40))).toBe(
      false,
    )
    await call(`/api/admin/calendar/feeds/${feedId}`, { method: 'DELETE' })
    expect((await world.call(path)).status).toBe(404)
    expect((await call(`/api/admin/calendar/calls/${id}/cancel`, { method: 'POST', body: {} })).status).toBe(200)
    expect(await (await call('/api/admin/calendar/calls')).json()).toEqual([])
  })

  test('CALLS-21 set a call’s status: who is cancelled is told, the time is free, and it comes back only while it still is', async () => {
    const call = world.signIn(world.addOwner())
    await bookedByVisitor()
    const id = String(bookings()[0]?.id)
    const set = (status: string) =>
      call(`/api/admin/coaching-bookings/${id}/status`, { method: 'PATCH', body: { status } })
    const mails = () => waitingMail(world).filter(({ to }) => to === visitor.email).length
    const isFree = async () => (await slots('consultation?coach=coach-1')).slots.some((one) => one.startsAt === monday9)
    const before = mails()
    expect([(await set('no-show')).status, (await set('completed')).status, mails()]).toEqual([200, 200, before])
    expect((await set('cancelled')).status).toBe(200)
    expect([mails(), await isFree()]).toEqual([before + 1, true])
    expect([(await set('scheduled')).status, await isFree()]).toEqual([200, false])
    await set('cancelled')
    await book(world.signIn(world.addMember()))
    expect(await readError(await set('scheduled'))).toMatchObject({ status: 409, code: 'slot_taken' })
    expect(bookings()[0]).toMatchObject({ id, status: 'cancelled' })
  })
})
