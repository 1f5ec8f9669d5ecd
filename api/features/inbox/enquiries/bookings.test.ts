import { beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { coachingBooking, rowsOf } from '#api/testing/enquiries.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { bookingTrades } from '#shared/contract/form-labels.ts'

const path = '/api/coaching-bookings'

let world: World
beforeEach(() => {
  world = startWorld()
})

const book = (body: object = coachingBooking) => world.call(path, { body })
const bookings = () => rowsOf(world, 'coaching_bookings')

describe('a call booking', () => {
  test('API-03 DATA-09 CALL-09 is stored whole, scheduled; what the server fills in cannot be sent', async () => {
    const more = { id: 'mine', status: 'completed', reminderSent: true, salesLionBookingId: 'x', isSpam: true }
    const response = await book({ ...coachingBooking, ...more })
    const { id, ...rest } = await response.json()
    const at = '2026-06-12T07:40:00.000Z'
    expect([response.status, rest]).toEqual([200, { success: true, status: 'scheduled', receivedAt: at }])
    expect(bookings()).toEqual([
      {
        ...coachingBooking,
        id,
        status: 'scheduled',
        reminderSent: 0,
        salesLionBookingId: null,
        isSpam: 0,
        createdAt: at,
        updatedAt: at,
        kind: null,
        coach: null,
        startsAt: null,
        endsAt: null,
        userId: null,
        heldUntil: null,
        heldFrom: null,
        moves: 0,
        agreed: null,
        agreedBy: null,
        agreedAt: null,
        agreedVersion: 0,
      },
    ])
  })

  test('CALL-02 CALL-08 DATA-09 needs a name, an address and a day; it is 30 minutes of London time', async () => {
    const { name, email, bookingDate } = coachingBooking
    expect((await book({ name, email, bookingDate })).status).toBe(200)
    expect(bookings()).toMatchObject([
      { name, email, bookingDate, duration: 30, timeZone: 'Europe/London', phone: null, trade: null, notes: null },
    ])
  })

  test('CALL-03 takes the nine trades of its list, and not those of the coaching application', async () => {
    const listed =
      'Plumber, Electrician, Builder, Carpenter, Roofer, Painter & Decorator, Gas Engineer, HVAC Engineer, Other'
    expect(bookingTrades.join(', ')).toBe(listed)
    for (const trade of bookingTrades)
      expect([trade, (await book({ ...coachingBooking, trade })).status]).toEqual([trade, 200])
    expect(bookings().map(({ trade }) => trade)).toEqual([...bookingTrades])
    for (const trade of ['plumber', 'heating', 'Plumber ', 'Vet']) {
      const { status, fields } = await readError(await book({ ...coachingBooking, trade }))
      expect([trade, status, fields]).toEqual([trade, 422, { trade: 'Choose one of the trades.' }])
    }
  })

  test('API-03 refuses an invalid length, time zone or day at its field', async () => {
    const wrong: [name: string, values: unknown[]][] = [
      ['duration', [0, -30, 14, 121, 30.5, '30', null]],
      ['timeZone', ['Europe/Paris', 'London', '', null]],
      ['bookingDate', ['tomorrow', '13/06/2026', '2026-13-01', '', null, 1781300000, '2026-06-13T00:00:00Z']],
    ]
    for (const [name, values] of wrong) {
      for (const value of values) {
        const { status, fields } = await readError(await book({ ...coachingBooking, [name]: value }))
        expect([name, value, status, Object.keys(fields ?? {})]).toEqual([name, value, 422, [name]])
      }
    }
    expect(bookings()).toEqual([])
  })
})

describe('API-03 CALL-09 the day is tomorrow in London', () => {
  const received: [instant: string, tomorrow: string, when: string][] = [
    ['2026-06-12T22:30:00Z', '2026-06-13', 'late on a summer evening'],
    ['2026-06-12T23:30:00Z', '2026-06-14', 'after midnight in London, before it in UTC'],
    ['2026-01-12T23:30:00Z', '2026-01-13', 'late on a winter evening'],
    ['2026-03-28T23:30:00Z', '2026-03-29', 'on the eve of summer time'],
    ['2026-03-29T00:59:59Z', '2026-03-30', 'just before the clocks go forward'],
    ['2026-03-29T23:30:00Z', '2026-03-31', 'on the first night of summer time'],
    ['2026-10-24T23:30:00Z', '2026-10-26', 'in the hour before the clocks go back'],
    ['2026-10-25T01:30:00Z', '2026-10-26', 'in the hour that comes twice'],
    ['2026-10-25T23:30:00Z', '2026-10-26', 'on the last evening of the long day'],
    ['2026-12-31T12:00:00Z', '2027-01-01', 'on New Year’s Eve'],
  ]

  test.each(received)('%s: %s, %s', async (instant, tomorrow) => {
    world = startWorld({ startsAt: new Date(instant) })
    await book()
    expect(bookings()).toMatchObject([{ bookingDate: tomorrow }])
  })

  test('a booking that a phone sent late, or whose clock is wrong, is stored for tomorrow as of now', async () => {
    for (const bookingDate of ['2026-06-12', '2026-06-14', '1999-01-01', '2100-02-28']) {
      expect([bookingDate, (await book({ ...coachingBooking, bookingDate })).status]).toEqual([bookingDate, 200])
    }
    expect(bookings().map(({ bookingDate }) => bookingDate)).toEqual(Array(4).fill('2026-06-13'))
  })

  test('is that of the wall clock, also where the sandbox has moved the billing clock', async () => {
    raiseBillingOffset(world.ctx, 40 * 86_400_000)
    await book()
    expect(bookings()).toMatchObject([{ bookingDate: '2026-06-13' }])
  })
})
