import * as v from 'valibot'
import { expect, test } from 'vitest'
import { CoachingBookingForm, CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import { bookingNotes, bookingRequest } from './coaching-request.ts'

test('CALL-04 API-03 the notes, then a line of times and a line of challenges, each with its default', () => {
  const fields = { notes: 'Ring the yard', preferredTimes: 'After 4', businessChallenges: 'Late payers' }
  expect(bookingNotes(fields)).toBe('Ring the yard\nPreferred times: After 4\nBusiness challenges: Late payers')
  expect(bookingNotes({ notes: null, preferredTimes: null, businessChallenges: null })).toBe(
    'Preferred times: Not specified\nBusiness challenges: Not specified',
  )
})

test('API-03 CALL-09 a filled-in form is sent with these fields and no others, for tomorrow in London', () => {
  const typed = { name: 'Sam Field', email: 'sam@example.com', phone: '', trade: 'HVAC Engineer', businessName: ' ' }
  const sent = bookingRequest(v.parse(CoachingBookingForm, typed), new Date('2026-06-12T23:30:00Z'))
  expect(sent).toEqual({
    name: 'Sam Field',
    email: 'sam@example.com',
    phone: null,
    businessName: null,
    trade: 'HVAC Engineer',
    duration: 30,
    timeZone: 'Europe/London',
    bookingDate: '2026-06-14',
    notes: 'Preferred times: Not specified\nBusiness challenges: Not specified',
  })
  expect(v.is(CoachingBookingRequest, sent)).toBe(true)
})

test('CALL-04 the longest that fits the form fits on the wire', () => {
  const longest = { notes: 'n'.repeat(5000), preferredTimes: 't'.repeat(500), businessChallenges: 'c'.repeat(5000) }
  const form = v.parse(CoachingBookingForm, { name: 'Sam', email: 'sam@example.com', ...longest })
  expect(v.is(CoachingBookingRequest, bookingRequest(form, new Date()))).toBe(true)
})
