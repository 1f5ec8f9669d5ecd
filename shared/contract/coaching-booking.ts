import * as v from 'valibot'
import { bookingStatuses, bookingTimeZones } from '#shared/values/column-values.ts'
import {
  Day,
  Email,
  honeypot,
  Id,
  Instant,
  OptionalChoice,
  OptionalLine,
  OptionalText,
  RequiredLine,
} from './fields.ts'
import { bookingLabels, bookingTrades } from './form-labels.ts'

export const BookingStatus = v.picklist(bookingStatuses)
export type BookingStatus = v.InferOutput<typeof BookingStatus>

/** Minutes of the free call. */
export const bookingDuration = 30

const person = {
  name: RequiredLine(bookingLabels.name, 100),
  email: Email,
  phone: OptionalLine(40),
  businessName: OptionalLine(200),
  trade: OptionalChoice(bookingTrades, 'Choose one of the trades.'),
}

/** The form. `bookingNotes` joins its times, challenges and notes into the one text we send. */
export const CoachingBookingForm = v.object({
  ...person,
  preferredTimes: OptionalText(500),
  businessChallenges: OptionalText(5000),
  notes: OptionalText(5000),
})
export type CoachingBookingForm = v.InferOutput<typeof CoachingBookingForm>

/** `bookingDate` is tomorrow in London; the server replaces any other day with its own tomorrow. */
export const CoachingBookingRequest = v.object({
  ...person,
  duration: v.optional(
    v.pipe(
      v.number('Give whole minutes.'),
      v.integer('Give whole minutes.'),
      v.minValue(15, 'A call lasts at least 15 minutes.'),
      v.maxValue(120, 'A call lasts up to 120 minutes.'),
    ),
    bookingDuration,
  ),
  timeZone: v.optional(v.picklist(bookingTimeZones, 'Bookings are made in London time.'), 'Europe/London'),
  bookingDate: Day,
  notes: OptionalText(12_000),
  ...honeypot,
})
export type CoachingBookingRequest = v.InferOutput<typeof CoachingBookingRequest>

export const CoachingBookingResponse = v.object({
  success: v.literal(true),
  id: Id,
  status: BookingStatus,
  receivedAt: Instant,
})
export type CoachingBookingResponse = v.InferOutput<typeof CoachingBookingResponse>
