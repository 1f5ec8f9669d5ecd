import * as v from 'valibot'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { SearchForm } from '#pwa/features/admin/kit/list/search-form.tsx'
import { type ListAddress, type ListDefinition, useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { PeriodField } from '#pwa/features/admin/money/period-field.tsx'
import { api } from '#pwa/lib/api.ts'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Month, Quarter } from '#shared/contract/fields.ts'
import { AdminInvoice, AdminInvoiceQuery, invoiceStates } from '#shared/contract/invoices.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const InvoiceAddress = v.object({
  ...v.pick(AdminInvoiceQuery, ['q', 'sort', 'show', 'member']).entries,
  period: v.optional(v.union([Month, Quarter])),
})

/** Falls back to all invoices, newest first, if the address has been edited into something invalid. */
function readAddress(address: ListAddress): AdminInvoiceQuery {
  const read = v.safeParse(InvoiceAddress, address)
  if (!read.success) return {}
  const { period, ...query } = read.output
  return period === undefined ? query : { ...query, [v.is(Month, period) ? 'month' : 'quarter']: period }
}

const list: ListDefinition<AdminInvoice> = {
  isOfPeople: true,
  name: 'invoices',
  request: (address, { cursor, limit }) =>
    requestListPage(AdminInvoice, api.api.admin.invoices.get({ query: { ...readAddress(address), cursor, limit } })),
  idOf: ({ id }) => id,
  refreshMs: 5 * 60_000,
}

const stateLabels: Record<(typeof invoiceStates)[number], string> = {
  uncredited: 'Not credited',
  'part-credited': 'Part credited',
  credited: 'Credited in full',
  replaced: 'Replaced',
  'no-address': 'No address',
}

const filters = [['', 'All'] as const, ...invoiceStates.map((state) => [state, stateLabels[state]] as const)]

const pounds = (label: string, amountOf: (invoice: AdminInvoice) => number, sort?: string): Column<AdminInvoice> => ({
  label,
  kind: 'number',
  ...(sort === undefined ? {} : { sort }),
  cell: (invoice) => formatPoundsAndPence(amountOf(invoice)),
  text: (invoice) => formatPoundsAndPence(amountOf(invoice)),
})

const historyOf = ({ replaces, replacedBy, creditNotes, isMissingAddress }: AdminInvoice): string =>
  [
    replaces && `replaces ${replaces}`,
    replacedBy && `replaced by ${replacedBy}`,
    creditNotes.length > 0 && `credit note ${creditNotes.join(', ')}`,
    isMissingAddress && replacedBy === null && 'no address',
  ]
    .filter(Boolean)
    .join(', ')

const columns: readonly Column<AdminInvoice>[] = [
  {
    label: 'Number',
    kind: 'who',
    cell: (invoice) => (
      <>
        <TextAnchor href={invoice.url} target="_blank" rel="noreferrer">
          {invoice.number} <span className="vh">(opens in a new tab)</span>
        </TextAnchor>
        <small>{historyOf(invoice)}</small>
      </>
    ),
    text: (invoice) => [invoice.number, historyOf(invoice)].filter(Boolean).join(': '),
  },
  {
    label: 'Person',
    sort: 'name',
    cell: ({ name, memberId }) => (memberId === null ? name : <MemberLink id={memberId}>{name}</MemberLink>),
    text: ({ name }) => name,
  },
  {
    label: 'Issued',
    sort: 'issued',
    kind: 'date',
    cell: ({ issuedOn }) => formatLongDate(issuedOn),
    text: ({ issuedOn }) => issuedOn,
  },
  pounds('Net', ({ net }) => net),
  pounds('VAT', ({ vat }) => vat),
  pounds('Total', ({ gross }) => gross, 'gross'),
  pounds('Credited', ({ credited }) => credited),
]

export default function InvoicesSection() {
  const { address, change } = useListAddress()
  return (
    <ListSection
      title="Invoices"
      list={list}
      columns={columns}
      searchLabel="Number or amount"
      filters={filters}
      tools={
        <>
          <PeriodField all="All time" value={address.period ?? ''} onChange={(period) => change({ period })} />
          <SearchForm isFilter label="Person" q={address.member} onChange={({ q }) => change({ member: q })} />
        </>
      }
      defaultSort="-issued"
      before={<p className="panel__note">To credit an invoice, refund its payment.</p>}
      empty={{ title: 'No invoices yet', text: 'Every payment gets a VAT invoice. They show up here.' }}
      actions={({ number, pdf }) => (
        <ButtonAnchor look="line" isSmall icon="down" href={pdf} download aria-label={`PDF: ${number}`}>
          PDF
        </ButtonAnchor>
      )}
    />
  )
}
