import {
  bookingDuration,
  type CoachingBookingForm,
  type CoachingBookingRequest,
} from '#shared/contract/coaching-booking.ts'
import { bookingTimeZones } from '#shared/values/column-values.ts'
import { tomorrowInLondon } from './london.ts'

const unless = (text: string | null) => text ?? 'Not specified'

export function bookingNotes({
  notes,
  preferredTimes,
  businessChallenges,
}: Pick<CoachingBookingForm, 'notes' | 'preferredTimes' | 'businessChallenges'>): string {
  const lines = [`Preferred times: ${unless(preferredTimes)}`, `Business challenges: ${unless(businessChallenges)}`]
  return [...(notes === null ? [] : [notes]), ...lines].join('\n')
}

/** The booking a filled-in form sends at `now`. It's for tomorrow until the coach and the caller agree a time. */
export function bookingRequest(form: CoachingBookingForm, now: Date): Omit<CoachingBookingRequest, 'homepage'> {
  const { name, email, phone, businessName, trade } = form
  return {
    name,
    email,
    phone,
    businessName,
    trade,
    duration: bookingDuration,
    timeZone: bookingTimeZones[0],
    bookingDate: tomorrowInLondon(now),
    notes: bookingNotes(form),
  }
}
