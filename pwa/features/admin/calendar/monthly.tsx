import { useQuery } from '@tanstack/react-query'
import { monthlyList, setupQuery, toCall } from '#pwa/features/admin/kit/calendar/queries.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberWho } from '#pwa/features/admin/kit/members/member-link.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { MonthlyCall } from '#shared/contract/owner-calendar.ts'
import { formatMoment, formatMonthAndYear, londonMonth, monthBefore, nextMonth } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

const callText = ({ call, askedAt, wantsMail }: MonthlyCall): string => {
  if (call !== null) return `${callState(call)}: ${formatMoment(call.startsAt)} with ${call.coachName}`
  if (!wantsMail) return 'Not booked. They’ve opted out of call emails, so ring them'
  return askedAt === null ? 'Not booked' : `Not booked. Asked on ${formatMoment(askedAt)}`
}

const callState = ({ status }: NonNullable<MonthlyCall['call']>) =>
  status === 'completed' ? 'Completed' : status === 'no-show' ? 'No-show' : 'Booked'

const columns: readonly Column<MonthlyCall>[] = [
  {
    label: 'Member',
    sort: 'name',
    kind: 'who',
    cell: (member) => <MemberWho {...member} />,
    text: ({ name, email, phone }) => [name, email, phone].filter(Boolean).join(', '),
  },
  {
    label: 'Tier',
    cell: ({ tierName, minutes }) => `${tierName}, ${plural(minutes, 'minute')}`,
    text: ({ tierName, minutes }) => `${tierName}, ${plural(minutes, 'minute')}`,
  },
  {
    label: 'Used',
    cell: ({ used, allowed }) => <Badge tone={used === 0 ? 'open' : 'ok'}>{`${used} of ${allowed}`}</Badge>,
    text: ({ used, allowed }) => `${used} of ${allowed}`,
  },
  { label: 'Call', sort: 'call', cell: callText, text: callText },
]

const filters = [
  ['', 'Everyone'],
  ['unused', 'Not used yet'],
  ['used', 'Used or booked'],
] as const

/** Members whose tier includes a monthly coaching call, and whether they’ve booked this month’s. */
export function MonthlySection() {
  const setup = useQuery(setupQuery)
  const { address, change } = useListAddress()
  const current = londonMonth(new Date(setup.data?.now ?? Date.now()))
  const month = address.from ?? current
  const months = [monthBefore(current), current, nextMonth(current)]
  return (
    <ListSection
      title={`Calls in ${formatMonthAndYear(`${month}-15`)}`}
      list={monthlyList}
      columns={columns}
      filters={filters}
      searchLabel="Find a member"
      defaultSort="name"
      empty={{ title: 'No monthly calls', text: 'No member’s tier includes one.' }}
      tools={
        <SelectField
          label="Month"
          className="field--month"
          value={month}
          onChange={({ target }) => change({ from: target.value === current ? '' : target.value })}
        >
          {[...new Set([...months, month])].sort().map((one) => (
            <option key={one} value={one}>
              {formatMonthAndYear(`${one}-15`)}
            </option>
          ))}
        </SelectField>
      }
      actions={(row) => <NextStep row={row} month={month} isOver={month < current} />}
    />
  )
}

function NextStep({ row, month, isOver }: { row: MonthlyCall; month: string; isOver: boolean }) {
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin.calendar.monthly({ memberId: row.id }).ask.post({ month }),
    failure: 'We couldn’t send the email.',
    done: { title: 'Email on its way', description: row.name },
  })
  const { call } = row
  if (call !== null)
    return (
      <>
        <ButtonLink look="line" isSmall to="." search={toCall(call)} aria-label={`Open ${row.name}’s call`}>
          Open
        </ButtonLink>
        {!isOver && row.used >= row.allowed && <OneMore row={row} month={month} />}
      </>
    )
  if (isOver || !row.wantsMail || row.askedAt !== null) return null
  return (
    <>
      <Button
        look="line"
        isSmall
        icon="mail"
        isBusy={action.isPending}
        busyLabel="Asking…"
        aria-label={`Ask to book: ${row.name}`}
        onClick={() => action.mutate()}
      >
        Ask to book
      </Button>
      {action.problem && <span role="alert">{action.problem}</span>}
    </>
  )
}

/** Allows a second call this month, if the first went wrong or the member asked. */
function OneMore({ row, month }: { row: MonthlyCall; month: string }) {
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin.calendar.allowances.post({ email: row.email, kind: 'coaching', month }),
    failure: 'We couldn’t add the call.',
    done: { title: 'Call added', description: `${row.name} can book it now.` },
  })
  return (
    <>
      <Button
        look="line"
        isSmall
        isBusy={action.isPending}
        busyLabel="Adding…"
        aria-label={`Give ${row.name} one more call`}
        onClick={() => action.mutate()}
      >
        One more
      </Button>
      {action.problem && <span role="alert">{action.problem}</span>}
    </>
  )
}
