import { statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { BulkMark } from '#pwa/features/admin/kit/list/bulk.tsx'
import type { Chosen } from '#pwa/features/admin/kit/list/use-list.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'
import { InboxNoteList } from '#shared/contract/inbox.ts'
import type {
  AdminApplication,
  AdminBooking,
  AdminCoachingApplication,
  ContactRecord,
} from '#shared/contract/inbox-entries.ts'
import { AdminQuotientOrder } from '#shared/contract/quotient.ts'
import { londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

const calls = api.api.admin

const labelsOf = (noun: string) => ({
  label: 'Mark them',
  title: (count: number) => `Mark ${plural(count, noun)}?`,
  done: (count: number) => `${plural(count, noun)} marked`,
})

const applicationChoices = [
  ['contacted', statusLabels.contacted],
  ['approved', statusLabels.approved],
  ['rejected', statusLabels.rejected],
  ['pending', statusLabels.pending],
] as const

const applicationHint = 'No one is emailed. If another owner has just marked one, we leave it alone and list it.'

export const bulkApplications = {
  nameOf: ({ firstName, lastName }: AdminApplication) => `${firstName} ${lastName}`,
  actions: (chosen: Chosen<AdminApplication>) => (
    <BulkMark
      {...labelsOf('application')}
      chosen={chosen}
      nameOf={bulkApplications.nameOf}
      choices={applicationChoices}
      hint={applicationHint}
      send={({ id, status: before }, status) =>
        parseResponse(Done, calls['membership-applications']({ id }).status.patch({ status, before }))
      }
    />
  ),
}

const nameOf = ({ name }: { name: string }) => name

export const bulkCoaching = {
  nameOf,
  actions: (chosen: Chosen<AdminCoachingApplication>) => (
    <BulkMark
      {...labelsOf('application')}
      chosen={chosen}
      nameOf={nameOf}
      choices={applicationChoices}
      hint={applicationHint}
      send={({ id, status: before }, status) =>
        parseResponse(Done, calls['coaching-applications']({ id }).status.patch({ status, before }))
      }
    />
  ),
}

/** Can’t cancel in bulk: cancelling emails the other side. */
export const bulkBookings = {
  nameOf,
  actions: (chosen: Chosen<AdminBooking>) => (
    <BulkMark
      {...labelsOf('booking')}
      chosen={chosen}
      nameOf={nameOf}
      choices={[
        ['completed', statusLabels.completed],
        ['no-show', statusLabels['no-show']],
      ]}
      hint="No one is emailed. To cancel a call, use its own row."
      send={({ id, status: before }, status) =>
        parseResponse(Done, calls['coaching-bookings']({ id }).status.patch({ status, before }))
      }
    />
  ),
}

/** Adding a note is what marks a message as answered. */
export const bulkContacts = {
  nameOf,
  actions: (chosen: Chosen<ContactRecord>) => (
    <BulkMark
      {...labelsOf('message')}
      chosen={chosen}
      nameOf={nameOf}
      label="Mark as answered"
      title={(count) => `Mark ${plural(count, 'message')} as answered?`}
      choices={[['Answered.', 'Answered']]}
      hint="Each gets a note, “Answered.”, with the date and your name. No one is emailed."
      send={({ id }, text) =>
        parseResponse(InboxNoteList, calls.inbox({ kind: 'contacts' })({ id }).notes.post({ text }))
      }
    />
  ),
}

export const bulkOrders = {
  nameOf: ({ firstName, lastName }: AdminQuotientOrder) => `${firstName} ${lastName}`,
  actions: (chosen: Chosen<AdminQuotientOrder>) => (
    <BulkMark
      {...labelsOf('order')}
      chosen={chosen}
      nameOf={bulkOrders.nameOf}
      choices={[
        ['today', 'Set up today'],
        ['no', 'To set up'],
      ]}
      hint="No one is emailed, and payments stay the same."
      send={({ id, version }, choice) =>
        parseResponse(
          AdminQuotientOrder,
          calls['quotient-orders']({ id }).patch({
            setUpOn: choice === 'today' ? londonDay(new Date()) : null,
            version,
          }),
        )
      }
    />
  ),
}
