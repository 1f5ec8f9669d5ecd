import type { Client } from '#cli/connection.ts'
import { byAddress, findEntry } from '#cli/find-entry.ts'
import { inboxRows } from '#cli/inbox-rows.ts'
import { dayLabel, emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { csvOfRecord, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import { BookingStatus } from '#shared/contract/coaching-booking.ts'
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

const pagesOf = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminBookingList, api.admin['coaching-bookings'].get({ query }))

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
    if (!call.options.upcoming) return (client, page) => pagesOf(client, { ...query, ...page })
    const search = withoutUnset({ q: query.q })
    return ({ api }, page) =>
      requestPage(AdminBookingList, api.admin['coaching-bookings'].upcoming.get({ query: { ...search, ...page } }))
  },
})

const bookingNamed = (call: Call) => (client: Client) =>
  findEntry<AdminBooking>(client, { noun: 'bookings', given: call.argument(0), matches: byAddress, pages: pagesOf })

type StatusFacts = { id: string; name: string; before: BookingStatus; status: BookingStatus }

const set = changeRow<StatusFacts>({
  usage: 'set <reference-or-email> <status>',
  description: `Set a booking’s status: ${bookingStatuses.join(', ')}`,
  examples: ['set 3C4D-5E6F completed', 'set sam@example.com no-show'],
  plan(call) {
    const status = parseArgument(BookingStatus, call.argument(1).toLowerCase(), 'status')
    return async (client) => {
      const { id, name, status: before } = await bookingNamed(call)(client)
      const facts = { id, name, before, status }
      const output = sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [])
      return { facts, output, question: `Set ${name} to ${status}?` }
    }
  },
  apply:
    (_call, { id, name, before, status }) =>
    async ({ api }) => {
      await request(Done, api.admin['coaching-bookings']({ id }).status.patch({ status, before }))
      return { sentence: `${name}: ${before} → ${status}.`, record: { id, status } }
    },
})

const notes = inboxRows({
  kind: () => 'coaching-bookings',
  rows: ['notes', 'note', 'reply'],
  argument: 'reference-or-email',
  example: '3C4D-5E6F',
  find: bookingNamed,
})

export const bookingRows = [list, set, ...notes]

export const registerBookings = registersRows(bookingRows)
