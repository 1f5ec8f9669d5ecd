import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { Done } from '#shared/contract/auth.ts'
import { applicationStatuses, bookingStatuses } from '#shared/values/column-values.ts'

type ApplicationStatus = (typeof applicationStatuses)[number]
type BookingStatus = (typeof bookingStatuses)[number]

const calls = api.api.admin
const failure = 'Failed to update status. Please try again.'

/** A conflict and a lost signal have useful messages of their own. */
const sentenceOf = (error: Error) =>
  error instanceof RequestError && (error.code === 'conflict' || error.code === 'offline')
    ? messageOf(error, failure)
    : failure

type SelectProps<Status extends string> = {
  name: string
  status: Status
  statuses: readonly Status[]
  send: (change: { status: Status; before: Status }) => ActionCall
}

/** Saves on change. It sends the status the owner saw, so it can’t overwrite the other owner’s. */
function StatusSelect<Status extends keyof typeof statusLabels>(props: SelectProps<Status>) {
  const { name, status, statuses, send } = props
  const toast = useToast()
  const [sent, setSent] = useState<{ over: Status; status: Status }>()
  const queryClient = useQueryClient()
  const action = useAdminAction({
    schema: Done,
    send,
    failure,
    done: { title: 'Status Updated', description: 'Application status has been updated successfully.' },
    onFailure: (error) => {
      toast({ title: 'Error', description: sentenceOf(error), tone: 'bad' })
      queryClient.invalidateQueries({ queryKey: [adminKey] }).catch(reportError)
    },
  })
  // The row has been refetched, so drop our own copy. A row that has left the list isn’t refetched and keeps it.
  if (sent && sent.over !== status) setSent(undefined)
  const current = sent === undefined || action.isError ? status : sent.status
  return (
    <select
      className="pickstatus"
      aria-label={`${name}’s status`}
      aria-busy={action.isPending || undefined}
      value={current}
      onChange={({ target }) => {
        const chosen = statuses.find((one) => one === target.value)
        if (chosen === undefined || action.isPending) return
        setSent({ over: status, status: chosen })
        action.mutate({ status: chosen, before: current })
      }}
    >
      {statuses.map((one) => (
        <option key={one} value={one}>
          {statusLabels[one]}
        </option>
      ))}
    </select>
  )
}

type ApplicationProps = {
  kind: 'membership-applications' | 'coaching-applications'
  name: string
  row: { id: string; status: ApplicationStatus }
}

export const ApplicationStatusSelect = ({ kind, name, row: { id, status } }: ApplicationProps) => (
  <StatusSelect
    name={name}
    status={status}
    statuses={applicationStatuses}
    send={(change) => calls[kind]({ id }).status.patch(change)}
  />
)

type BookingProps = { row: { id: string; name: string; status: BookingStatus } }

export const BookingStatusSelect = ({ row: { id, name, status } }: BookingProps) => (
  <StatusSelect
    name={name}
    status={status}
    statuses={bookingStatuses}
    send={(change) => calls['coaching-bookings']({ id }).status.patch(change)}
  />
)
