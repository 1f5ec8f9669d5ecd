import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as v from 'valibot'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { type ListDefinition, useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { adminKey, requestPageOf, revenueMonthsQuery } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Table } from '#pwa/ui/table.tsx'
import { CommissionStatement, type StatementLine } from '#shared/contract/commission.ts'
import { Month } from '#shared/contract/fields.ts'
import { statementClosing, statementKinds, statementState, statementSums } from '#shared/rules/commission-statement.ts'
import { formatLongDate, londonMonth } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { halfMinute, monthName } from './payment-texts.ts'
import './payments.css'

const requestStatement = (month: string, page: { cursor?: string | undefined; limit: number }) =>
  api.api.admin['commission-statements']({ month }).get({ query: { format: 'json', ...page } })

const statementQuery = (month: string) =>
  queryOptions({
    queryKey: [adminKey, 'commission-statement', month],
    queryFn: () => parseResponse(CommissionStatement, requestStatement(month, { limit: 1 })),
    staleTime: 0,
    refetchInterval: halfMinute,
    refetchOnReconnect: true,
  })

const linesOf = (month: string): ListDefinition<StatementLine> => ({
  isOfPeople: true,
  name: `commission-${month}`,
  request: (_address, { cursor, limit }) =>
    requestPageOf(CommissionStatement, requestStatement(month, { cursor, limit }), ({ lines }) => lines),
  idOf: ({ id }) => id,
  refreshMs: halfMinute,
})

const rateOf = ({ rate }: StatementLine) => (rate === null ? '' : `${rate}%`)

const tierOf = ({ tierName }: StatementLine) => tierName ?? ''

const columns: readonly Column<StatementLine>[] = [
  {
    label: 'What',
    kind: 'who',
    cell: ({ kind, member, memberId, about }) => (
      <>
        {statementKinds[kind]}
        <small>
          <MemberLink id={memberId}>{member}</MemberLink>
          {member && about && ', '}
          {about}
        </small>
      </>
    ),
    text: ({ kind, member, about }) => [statementKinds[kind], member, about].filter(Boolean).join(', '),
  },
  { label: 'Booked', kind: 'date', cell: ({ bookedAt }) => formatLongDate(bookedAt), text: ({ bookedAt }) => bookedAt },
  { label: 'For', cell: ({ paymentMonth }) => monthName(paymentMonth), text: ({ paymentMonth }) => paymentMonth },
  { label: 'Tier', cell: tierOf, text: tierOf },
  {
    label: 'Net',
    kind: 'number',
    cell: ({ net }) => formatPoundsAndPence(net),
    text: ({ net }) => formatPoundsAndPence(net),
  },
  { label: 'Rate', kind: 'number', cell: rateOf, text: rateOf },
  {
    label: 'Commission',
    kind: 'number',
    cell: ({ amount }) => formatPoundsAndPence(amount),
    text: ({ amount }) => formatPoundsAndPence(amount),
  },
  { label: 'Due', kind: 'date', cell: ({ dueOn }) => formatLongDate(dueOn), text: ({ dueOn }) => dueOn },
]

/** The sales partner’s account by month: opening balance, entries, closing balance. */
export default function StatementSection() {
  const { address, change } = useListAddress()
  const months =
    useQuery(revenueMonthsQuery)
      .data?.map(({ month }) => month)
      .toReversed() ?? []
  const asked = v.is(Month, address.show) ? address.show : undefined
  const month = asked ?? months[0] ?? londonMonth(new Date())
  const list = useMemo(() => linesOf(month), [month])
  const file = `/api/admin/commission-statements/${month}?format=`
  return (
    <ListSection
      key={month}
      title="Monthly statement"
      list={list}
      columns={columns}
      fixedAddress={noAddress}
      files={[
        { label: 'PDF', href: `${file}pdf` },
        { label: 'CSV', href: `${file}csv` },
      ]}
      before={<Sums month={month} />}
      empty={{ title: 'No commission', text: `Nothing was earned in ${monthName(month)}.` }}
      tools={
        <SelectField
          className="field--month"
          label="Month"
          value={month}
          onChange={({ target }) => change({ show: target.value })}
        >
          {[...new Set([...months, month])].map((one) => (
            <option key={one} value={one}>
              {monthName(one)}
            </option>
          ))}
        </SelectField>
      }
    />
  )
}

const noAddress = {}

function Sums({ month }: { month: string }) {
  const { data, error } = useQuery(statementQuery(month))
  if (!data) {
    if (error === null) return <Skeleton size="block" />
    return <Banner tone="bad" role="status" title={messageOf(error, 'We couldn’t load the statement.')} />
  }
  const closing = statementClosing(data)
  return (
    <>
      <p className="panel__note">
        {data.partner}, {monthName(month)}. {statementState(data)}
      </p>
      <Table caption={`Totals for ${monthName(month)}`}>
        <tbody>
          {statementSums(data).map(({ label, amount }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className="n">{formatPoundsAndPence(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{closing.label}</td>
            <td className="n">{formatPoundsAndPence(closing.amount)}</td>
          </tr>
        </tfoot>
      </Table>
    </>
  )
}
