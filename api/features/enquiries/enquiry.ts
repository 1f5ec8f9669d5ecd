import type { Enquiry } from '#api/mail/templates/enquiry.ts'
import type { CoachingApplicationForm } from '#shared/contract/coaching.ts'
import type { CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import type { ContactForm } from '#shared/contract/contact.ts'
import {
  bookingLabels,
  coachingApplicationLabels,
  coachingChoices,
  contactLabels,
} from '#shared/contract/form-labels.ts'
import { formatLongDate } from '#shared/rules/london.ts'

type Receipt = Pick<Enquiry, 'id' | 'receivedAt'>

export const aboutApplication = (form: CoachingApplicationForm, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'coaching-application',
  sender: form,
  typed: filledIn(coachingApplicationLabels, form, coachingChoices),
  facts: [],
})

export const aboutBooking = (form: Omit<CoachingBookingRequest, 'homepage'>, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'coaching-booking',
  sender: form,
  typed: filledIn(bookingLabels, form),
  facts: [['Call', `${form.duration} minutes, noted for ${formatLongDate(form.bookingDate)}, time to be agreed`]],
})

export const aboutMessage = (form: ContactForm, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'contact',
  sender: { ...form, phone: null },
  typed: filledIn(contactLabels, form),
  facts: [],
})

type Choices = Record<string, Record<string, string>>

/** The fields that say something, in the order of their labels, choices in words. */
function filledIn(
  labels: Record<string, string>,
  form: Record<string, string | number | null>,
  choices: Choices = {},
): Enquiry['typed'] {
  return Object.entries(labels).flatMap(([name, label]) => {
    const value = form[name] ?? null
    return value === null ? [] : [[label, choices[name]?.[value] ?? String(value)]]
  })
}
