import { checkBy } from '#pwa/features/forms/check-by.ts'
import { CoachingBookingForm } from '#shared/contract/coaching-booking.ts'
import { bookingRequest } from '#shared/rules/booking.ts'

export const checkCoachingBooking = checkBy(CoachingBookingForm, bookingRequest)
