import * as v from 'valibot'
import type { ListAddress, ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import {
  AdminApplication,
  AdminApplicationQuery,
  AdminBooking,
  AdminBookingQuery,
  AdminCoachingApplication,
  AdminCoachingApplicationQuery,
  ContactQuery,
  ContactRecord,
  UpcomingBookingQuery,
} from '#shared/contract/inbox-entries.ts'
import { InboxQuestion, QuestionFilter } from '#shared/contract/questions.ts'
import { AdminQuotientOrder, AdminQuotientOrderQuery } from '#shared/contract/quotient.ts'

/** Falls back to the whole list if the address has been edited into something invalid. */
function readAddress<Schema extends v.GenericSchema<unknown, object>>(schema: Schema, address: ListAddress) {
  const read = v.safeParse(schema, address)
  return read.success ? read.output : {}
}

const fiveMinutes = 5 * 60_000
const common = { idOf: ({ id }: { id: string }) => id, refreshMs: fiveMinutes }
const calls = api.api.admin

export const applicationList: ListDefinition<AdminApplication> = {
  isOfPeople: true,
  ...common,
  name: 'membership-applications',
  request: (address, page) => {
    const query = { ...readAddress(AdminApplicationQuery, address), ...page }
    return requestListPage(AdminApplication, calls['membership-applications'].get({ query }))
  },
}

export const coachingList: ListDefinition<AdminCoachingApplication> = {
  isOfPeople: true,
  ...common,
  name: 'coaching-applications',
  request: (address, page) => {
    const query = { ...readAddress(AdminCoachingApplicationQuery, address), ...page }
    return requestListPage(AdminCoachingApplication, calls['coaching-applications'].get({ query }))
  },
}

export const contactList: ListDefinition<ContactRecord> = {
  isOfPeople: true,
  ...common,
  name: 'contacts',
  request: (address, page) => {
    const query = { ...readAddress(ContactQuery, address), ...page }
    return requestListPage(ContactRecord, calls.contacts.get({ query }))
  },
}

/** Not a status: this filter has an API call of its own. */
export const upcoming = 'upcoming'

export const bookingList: ListDefinition<AdminBooking> = {
  isOfPeople: true,
  ...common,
  name: 'bookings',
  request: ({ show, ...address }, page) => {
    const bookings = calls['coaching-bookings']
    return requestListPage(
      AdminBooking,
      show === upcoming
        ? bookings.upcoming.get({ query: { ...readAddress(UpcomingBookingQuery, address), ...page } })
        : bookings.get({ query: { ...readAddress(AdminBookingQuery, { ...address, show }), ...page } }),
    )
  },
}

export const orderList: ListDefinition<AdminQuotientOrder> = {
  isOfPeople: true,
  ...common,
  name: 'quotient-orders',
  request: (address, page) => {
    const query = { ...readAddress(AdminQuotientOrderQuery, address), ...page }
    return requestListPage(AdminQuotientOrder, calls['quotient-orders'].get({ query }))
  },
}

const QuestionAddress = v.object({ q: v.optional(v.string()), show: v.optional(QuestionFilter) })
type QuestionAddress = v.InferOutput<typeof QuestionAddress>

/** Those that wait come first, the longest wait before the others. */
export const questionList: ListDefinition<InboxQuestion> = {
  isOfPeople: true,
  ...common,
  refreshMs: 60_000,
  name: 'questions',
  request: (address, page) => {
    const { show: filter = 'all', ...search }: QuestionAddress = readAddress(QuestionAddress, address)
    return requestListPage(InboxQuestion, calls.questions.get({ query: { ...search, filter, ...page } }))
  },
}

/** One member's, those that wait first. */
export const questionsOf = (member: string): ListDefinition<InboxQuestion> => ({
  ...common,
  name: `questions of ${member}`,
  request: (_address, page) =>
    requestListPage(InboxQuestion, calls.questions.get({ query: { member, filter: 'all', ...page } })),
})
