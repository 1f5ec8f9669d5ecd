import { dayLabel, emptyLabel, timeLabel } from '#cli/labels.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { type AdminBooking, AdminBookingList, AdminBookingQuery } from '#shared/contract/inbox-entries.ts'
import { shortReference } from '#shared/rules/id.ts'
import { bookingStatuses } from '#shared/values/column-values.ts'

const bookingsTable: Table<AdminBooking> = {
  isOfPeople: true,
  title: 'Bookings',
  empty: 'No bookings yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id), dropOrder: 3 },
    { title: 'WHEN', text: ({ startsAt, bookingDate }) => (startsAt ? timeLabel(startsAt) : dayLabel(bookingDate)) },
    { title: 'NAME', text: ({ name }) => name, minWidth: 10, dropOrder: 1 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'STATUS', text: ({ status }) => status, dropOrder: 2 },
    { title: 'MINUTES', text: ({ duration }) => String(duration), align: 'right', dropOrder: 5 },
    { title: 'COACH', text: ({ coachName }) => coachName ?? emptyLabel, dropOrder: 4 },
    { title: 'PHONE', text: ({ phone }) => phone ?? emptyLabel, dropOrder: 6 },
  ],
  csv: csvFields(
    ['id', 'status', 'bookingDate', 'startsAt', 'timeZone', 'duration', 'kind', 'coachName', 'name', 'email', 'phone'],
    ['trade', 'businessName', 'notes', 'memberId', 'createdAt'],
  ),
}

const list = listRow({
  usage: 'list',
  description: 'List call bookings, latest first',
  options: [
    ['--show <status>', bookingStatuses.join(', ')],
    ['--upcoming', 'only upcoming ones, next one first'],
    ['--email <address>', 'for this email address'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --upcoming', 'list --show no-show --csv'],
  table: bookingsTable,
  pages(call) {
    const given = { q: call.option('search'), show: call.option('show'), email: call.option('email') }
    const query = parseArgument(AdminBookingQuery, withoutUnset(given))
    return ({ api }, page) => {
      const bookings = api.admin['coaching-bookings']
      if (!call.options.upcoming) return requestPage(AdminBookingList, bookings.get({ query: { ...query, ...page } }))
      const search = withoutUnset({ q: query.q })
      return requestPage(AdminBookingList, bookings.upcoming.get({ query: { ...search, ...page } }))
    }
  },
})

export const bookingRows = [list]

export const registerBookings = registersRows(bookingRows)
