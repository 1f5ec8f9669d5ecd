import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { type Payout, PayoutDetail, type PayoutEntry } from '#shared/contract/payments.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { kindOf } from './payout-texts.ts'

const payoutQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'payout', id],
    queryFn: () => parseResponse(PayoutDetail, api.api.admin.payouts({ id }).get()),
  })

const pounds = (label: string, part: 'amount' | 'fee' | 'net'): Column<PayoutEntry> => ({
  label,
  kind: 'number',
  cell: (entry) => formatPoundsAndPence(entry[part]),
  text: (entry) => formatPoundsAndPence(entry[part]),
})

const columns: readonly Column<PayoutEntry>[] = [
  {
    label: 'Person',
    kind: 'who',
    cell: (entry) => (
      <>
        <MemberLink id={entry.memberId}>{entry.name ?? kindOf(entry)}</MemberLink>
        {entry.name !== null && <small>{kindOf(entry)}</small>}
      </>
    ),
    text: [
      ['Person', ({ name }) => name ?? ''],
      ['What', kindOf],
    ],
  },
  {
    label: 'Date',
    kind: 'date',
    cell: ({ createdAt }) => formatLongDate(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  pounds('Amount', 'amount'),
  pounds('Fee', 'fee'),
  pounds('Net', 'net'),
]

const sumOf = (entries: readonly PayoutEntry[], part: 'amount' | 'fee') =>
  formatPoundsAndPence(entries.reduce((sum, entry) => sum + entry[part], 0))

/** Everything behind one sum in the bank account. */
export function PayoutDialog({ payout, onClose }: { payout: Payout; onClose: () => void }) {
  const query = useQuery(payoutQuery(payout.id))
  const entries = query.data?.entries
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={`${formatPoundsAndPence(payout.amount)} on ${formatLongDate(payout.arrivesOn)}`}
    >
      {payout.failure !== null && (
        <Banner tone="bad" title="It didn’t reach your bank">
          {payout.failure}
        </Banner>
      )}
      {entries && (
        <div className="summary__stats">
          <Stat figure={sumOf(entries, 'amount')} label="Payments less refunds" />
          <Stat figure={sumOf(entries, 'fee')} label="Fees" />
          <Stat figure={formatPoundsAndPence(payout.amount)} label="To your bank" />
        </div>
      )}
      <ShortList
        isPart
        title="What’s in it"
        name={payout.id}
        query={{ ...query, data: entries }}
        columns={columns}
        idOf={({ id }) => id}
        empty={{ title: 'Nothing listed', text: 'Stripe lists no payments in this payout.' }}
      />
      <p className="second">Stripe calls it {payout.id}.</p>
    </Dialog>
  )
}
