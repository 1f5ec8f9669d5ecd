import { useState } from 'react'
import * as v from 'valibot'
import { BulkFailures, useBulk } from '#pwa/features/admin/kit/list/bulk.tsx'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { Chosen, ListAddress, ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import { MemberPayments, MemberPaymentsQuery } from '#shared/contract/commission.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { PaidMonths } from './paid-months.tsx'
import { halfMinute, monthLine, monthName, shownPounds } from './payment-texts.ts'
import { CommissionSummary } from './summary.tsx'
import { UpsellsSection } from './upsells.tsx'
import './payments.css'

const PaymentsAddress = v.omit(MemberPaymentsQuery, ['limit', 'cursor'])

/** Falls back to everyone if the address has been edited into something invalid. */
function readAddress(address: ListAddress): v.InferOutput<typeof PaymentsAddress> {
  const read = v.safeParse(PaymentsAddress, address)
  return read.success ? read.output : {}
}

const list: ListDefinition<MemberPayments> = {
  isOfPeople: true,
  name: 'member-payments',
  request: (address, { cursor, limit }) =>
    requestListPage(
      MemberPayments,
      api.api.admin['member-payments'].get({ query: { ...readAddress(address), cursor, limit } }),
    ),
  idOf: ({ id }) => id,
  refreshMs: halfMinute,
}

const columns: readonly Column<MemberPayments>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (member) => (
      <>
        {member.email === '' ? nameOrEmail(member) : <MemberLink id={member.id}>{nameOrEmail(member)}</MemberLink>}
        <small>{member.email}</small>
      </>
    ),
    text: (member) => `${nameOrEmail(member)} <${member.email}>`,
  },
  { label: 'Tier', cell: ({ tierName }) => tierName, text: ({ tierName }) => tierName },
  {
    label: 'Monthly',
    kind: 'number',
    isWideOnly: true,
    cell: ({ monthlyAmount }) => shownPounds(monthlyAmount),
    text: ({ monthlyAmount }) => shownPounds(monthlyAmount),
  },
  {
    label: 'Commission',
    kind: 'number',
    isWideOnly: true,
    cell: ({ commissionAmount }) => shownPounds(commissionAmount),
    text: ({ commissionAmount }) => shownPounds(commissionAmount),
  },
  {
    label: 'Months paid',
    cell: (member) => <PaidMonths member={member} />,
    text: ({ monthlyPayments }) => monthlyPayments.map(monthLine).join('; '),
  },
]

const filters = [
  ['', 'Everyone'],
  ['unpaid', 'Commission unpaid'],
] as const

export default function PaymentsSection() {
  return (
    <>
      <CommissionSummary />
      <ListSection
        title="Payments"
        list={list}
        columns={columns}
        filters={filters}
        bulk={{ nameOf: nameOrEmail, actions: (chosen) => <BulkMonths chosen={chosen} /> }}
        searchLabel="Find a member"
        defaultSort="joined"
        empty={{
          title: 'No payments yet',
          text: 'Members’ payments show up here, with each month’s commission.',
        }}
        tools={
          <ButtonLink to="/admin/$place" params={{ place: 'statements' }} look="line" isSmall icon="invoice">
            Monthly statements
          </ButtonLink>
        }
      />
      <p className="second panel__note">Without VAT. Commission counts once an invoice is paid.</p>
      <UpsellsSection />
    </>
  )
}

/** Marks one month for all chosen members. The ledger is append-only, so “unpaid” adds an entry that reverses it. */
function BulkMonths({ chosen }: { chosen: Chosen<MemberPayments> }) {
  const months = [...new Set(chosen.rows.flatMap((row) => row.monthlyPayments.map((month) => month.paymentMonth)))]
    .sort()
    .reverse()
  const [picked, setPicked] = useState<string>()
  const month = months.find((one) => one === picked) ?? months[0]
  const mark = (commissionPaid: boolean) => ({
    idOf: ({ id }: MemberPayments) => id,
    nameOf: nameOrEmail,
    send: ({ id }: MemberPayments) =>
      parseResponse(
        Done,
        api.api.admin['commission-status']({ userId: id }).patch({ commissionPaid, commissionMonth: month }),
      ),
    done: (count: number) => `Marked as ${commissionPaid ? 'paid' : 'unpaid'} for ${plural(count, 'member')}`,
  })
  const paid = useBulk(mark(true))
  const unpaid = useBulk(mark(false))
  if (month === undefined) return null
  const having = (isPaid: boolean) =>
    chosen.rows.filter(({ monthlyPayments }) =>
      monthlyPayments.some((one) => one.paymentMonth === month && one.commissionPaid === isPaid),
    )
  return (
    <>
      <SelectField label="Month" value={month} onChange={({ target }) => setPicked(target.value)}>
        {months.map((one) => (
          <option key={one} value={one}>
            {monthName(one)}
          </option>
        ))}
      </SelectField>
      {having(false).length > 0 && (
        <Button
          isSmall
          look="line"
          isBusy={paid.progress !== null}
          busyLabel={paid.progress ?? ''}
          onClick={() => void paid.run(chosen, having(false)).catch(reportError)}
        >
          Mark {having(false).length} paid
        </Button>
      )}
      {having(true).length > 0 && (
        <Button
          isSmall
          look="line"
          isBusy={unpaid.progress !== null}
          busyLabel={unpaid.progress ?? ''}
          onClick={() => void unpaid.run(chosen, having(true)).catch(reportError)}
        >
          Mark {having(true).length} unpaid
        </Button>
      )}
      <BulkFailures failures={[...paid.failures, ...unpaid.failures]} />
    </>
  )
}
