import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Detail, type Table, type Tone } from '#cli/table.ts'
import {
  type AdminPayment,
  AdminPaymentList,
  AdminPaymentQuery,
  DisputeParams,
  LostDispute,
  paymentFilters,
} from '#shared/contract/payments.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const statusLabels: Record<AdminPayment['status'], string> = {
  draft: 'Draft',
  open: 'Payment due',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Written off',
}

function statusLabel({ status, paid, refunded }: AdminPayment): string {
  if (refunded === 0) return statusLabels[status]
  return refunded < paid ? 'Part refunded' : 'Refunded'
}

function statusTone({ status, refunded }: AdminPayment): Tone | undefined {
  if (status === 'open' || status === 'uncollectible') return 'error'
  return status === 'paid' && refunded === 0 ? 'success' : 'muted'
}

const paymentsTable: Table<AdminPayment> = {
  isOfPeople: true,
  title: 'Payments',
  empty: 'No payments.',
  columns: [
    { title: 'WHEN', text: ({ paidAt, createdAt }) => dayLabel(paidAt ?? createdAt), dropOrder: 1 },
    {
      title: 'NAME',
      text: ({ name }) => name,
      minWidth: 10,
      identifies: true,
      link: ({ memberId }) => memberId && `/admin/members/${memberId}`,
    },
    { title: 'EMAIL', text: ({ email }) => email ?? emptyLabel, minWidth: 16, dropOrder: 4 },
    { title: 'FOR', text: ({ about }) => about || emptyLabel, minWidth: 8, dropOrder: 5 },
    { title: 'STATUS', text: statusLabel, tone: statusTone },
    { title: 'TOTAL', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
    {
      title: 'REFUNDED',
      text: ({ refunded }) => (refunded === 0 ? emptyLabel : formatPoundsAndPence(refunded)),
      align: 'right',
      dropOrder: 3,
    },
    { title: 'NEXT ATTEMPT', text: ({ nextAttemptAt }) => dayLabel(nextAttemptAt), dropOrder: 6 },
    { title: 'INVOICE', text: ({ number }) => number ?? emptyLabel, dropOrder: 2 },
  ],
  csv: csvFields(
    ['id', 'memberId', 'name', 'email', 'about', 'status', 'net', 'vat', 'total', 'paid', 'refunded', 'number'],
    ['attempts', 'createdAt', 'paidAt', 'nextAttemptAt'],
  ),
}

const list = listRow({
  usage: 'list',
  description: 'List payments: paid, due and refunded, including VAT, newest first',
  options: [
    ['--show <which>', paymentFilters.join(', ')],
    ['-m, --member <id-or-email>', 'filter by member'],
    ['--month <YYYY-MM>', 'filter by invoice month'],
    ['--search <words>', 'number, name or email address'],
    ['--sort <by>', 'created or total; -total is the other way round'],
  ],
  examples: ['list --show unpaid', 'list --month 2026-06 --csv > june.csv', 'list --member sam@example.com'],
  table: paymentsTable,
  pages({ option }) {
    const filter = { show: option('show'), member: option('member'), month: option('month') }
    const given = { ...filter, q: option('search'), sort: option('sort') }
    const query = parseArgument(AdminPaymentQuery, withoutUnset(given))
    return ({ api }, page) => requestPage(AdminPaymentList, api.admin.payments.get({ query: { ...query, ...page } }))
  },
})

const lost = changeRow<LostDispute>({
  usage: 'lost <charge>',
  description: 'Book a lost dispute: credit the invoice, claw back the commission and end the membership',
  examples: ['lost ch_3OaBcD --dry-run', 'lost ch_3OaBcD'],
  asks: true,
  plan(call) {
    const params = parseArgument(DisputeParams, { charge: call.argument(0) })
    return async ({ api }) => {
      const facts = await request(LostDispute, api.admin.payments(params).lost.post({}, { query: { dryRun: 'true' } }))
      const question = `Book ${formatPoundsAndPence(facts.taken)} of ${nameOf(facts)} as lost${facts.ends ? ', and end the membership' : ''}?`
      return { facts, output: lostOutput(facts), question }
    }
  },
  apply:
    (_call, { charge }) =>
    async ({ api }) =>
      lostOutput(
        await request(LostDispute, api.admin.payments({ charge }).lost.post({}, { query: { dryRun: 'false' } })),
      ),
})

const nameOf = ({ name }: LostDispute) => name ?? 'a buyer without an account'

function lostOutput(lost: LostDispute): Output {
  const { charge, taken, ends, dryRun } = lost
  const details: Detail[] = [
    { label: 'Payer', value: nameOf(lost) },
    { label: 'Credited', value: `${formatPoundsAndPence(taken)} including VAT, with a credit note` },
    { label: 'Membership', value: ends ? (dryRun ? 'ends' : 'ended') : emptyLabel },
    { label: 'Charge', value: charge, tone: 'muted' },
  ]
  return recordOutput(dryRun ? 'Plan' : 'Dispute lost', details, lost)
}

export const paymentRows = [list, lost]

export const registerPayments = registersRows(paymentRows)
