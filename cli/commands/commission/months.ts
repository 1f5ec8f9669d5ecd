import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { dayLabel, nameLabel } from '#cli/labels.ts'
import { collectRows } from '#cli/list.ts'
import { recordOutput, tableOutput } from '#cli/output.ts'
import { parseMember, parseOption, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type CommandRow, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import { type CommissionPayment, type MemberPayments, MemberPaymentsList } from '#shared/contract/commission.ts'
import { Month } from '#shared/contract/fields.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { clawbackText } from '#shared/rules/commission.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

type MemberMonth = CommissionPayment &
  Pick<MemberPayments, 'firstName' | 'lastName' | 'email' | 'tierName'> & { memberId: string }

const memberMonthsTable: Table<MemberMonth> = {
  title: 'Commission',
  empty: 'No commission yet.',
  columns: [
    { title: 'MEMBER', text: nameLabel, identifies: true },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, dropOrder: 4 },
    { title: 'MONTH', text: ({ paymentMonth }) => paymentMonth, dropOrder: 1 },
    {
      title: 'PAYMENT',
      text: ({ membershipAmount }) => formatPoundsAndPence(membershipAmount),
      align: 'right',
      dropOrder: 3,
    },
    { title: 'COMMISSION', text: ({ commissionAmount }) => formatPoundsAndPence(commissionAmount), align: 'right' },
    {
      title: 'PAID',
      dropOrder: 2,
      text: (month) => (month.commissionPaid ? dayLabel(month.commissionPaidDate) : (clawbackText(month) ?? 'no')),
      tone: ({ commissionPaid, clawback }) =>
        commissionPaid ? 'success' : (clawback?.outstanding ?? 0) < 0 ? 'error' : undefined,
    },
  ],
  csv: [
    ...csvFields(['email', 'firstName', 'lastName', 'tierName', 'paymentMonth', 'paymentDate']),
    { name: 'membershipPence', cell: ({ membershipAmount }) => membershipAmount },
    { name: 'commissionPence', cell: ({ commissionAmount }) => commissionAmount },
    { name: 'takenBackPence', cell: ({ clawback }) => clawback?.takenBack ?? 0 },
    { name: 'owedBackPence', cell: ({ clawback }) => Math.min(clawback?.outstanding ?? 0, 0) },
    ...csvFields(['commissionPaid', 'commissionPaidDate', 'id', 'memberId']),
  ],
}

const tableOf = (month: string): typeof memberMonthsTable => ({
  ...memberMonthsTable,
  empty: `No commission for ${formatMonthAndYear(`${month}-15`)}.`,
})

const readPayers = ({ api }: Client, words?: string) =>
  collectRows(Infinity, (page) => {
    const query = { ...page, ...withoutUnset({ q: words?.slice(0, 100) }) }
    return requestPage(MemberPaymentsList, api.admin['member-payments'].get({ query }))
  })

const list = showRow({
  usage: 'list',
  description: 'List each member’s months: payment, commission and whether it’s paid',
  options: [['-m, --month <YYYY-MM>', 'filter by month']],
  examples: ['list --month 2026-06'],
  read({ option }) {
    const month = parseOption(Month, option('month'), '--month')
    return async (client) => {
      const { rows: members } = await readPayers(client)
      const rows = members.flatMap(({ id: memberId, firstName, lastName, email, tierName, monthlyPayments }) =>
        monthlyPayments
          .filter(({ paymentMonth }) => month === undefined || paymentMonth === month)
          .map((payment): MemberMonth => ({ ...payment, memberId, firstName, lastName, email, tierName })),
      )
      const removed = members.filter(({ email, monthlyPayments }) => email === '' && monthlyPayments.length > 0)
      return { rows, removed: removed.map(({ id }) => id), month }
    }
  },
  output: ({ rows, removed, month }) => ({
    ...tableOutput(month === undefined ? memberMonthsTable : tableOf(month), rows),
    notes: removed.length > 0 ? [`For a removed member, use the ID: ${removed.join(', ')}.`] : [],
  }),
})

/** `owed` is what the partner earns for the month, in pence; null if the server is to say which month it is. */
type Marked = { id: string; name: string; month: string | null; isPaid: boolean; owed: number | null; wasPaid: boolean }

/** Paying and undoing it share one row. Only marked months are in the partner's account. */
function markRow(name: 'pay' | 'unpay'): CommandRow {
  const isPaid = name === 'pay'
  const state = isPaid ? 'paid' : 'unpaid'
  const unchanged = `no change: it’s already ${state}`
  return changeRow<Marked>({
    usage: `${name} <id-or-email>`,
    description: isPaid
      ? "Mark a member's commission for a month as paid"
      : "Mark a member's commission for a month as unpaid again",
    options: [['-m, --month <YYYY-MM>', 'payment month (default: this month)']],
    examples: [`${name} sam@example.com --month 2026-06 --dry-run`, `${name} sam@example.com --month 2026-06`],
    plan({ argument, option }) {
      const idOrEmail = parseMember(argument(0))
      const month = parseOption(Month, option('month'), '--month') ?? null
      return async (client) => {
        const facts = { ...paymentOf(await findPayer(client, idOrEmail), month), month, isPaid }
        const { name, owed, wasPaid } = facts
        const details: Detail[] = [
          { label: 'Member', value: name },
          { label: 'Month', value: month ?? 'the current one' },
          ...(owed === null ? [] : [{ label: 'Commission', value: formatPoundsAndPence(owed) }]),
          { label: 'Then', value: wasPaid === isPaid && owed !== null ? unchanged : `it’s marked as ${state}` },
        ]
        const output = recordOutput('Plan', details, facts)
        return { facts, output, question: null }
      }
    },
    apply:
      (_call, { id: userId, name, month }) =>
      async ({ api }) => {
        const body = { commissionPaid: isPaid, ...(month === null ? {} : { commissionMonth: month }) }
        const done = await request(Done, api.admin['commission-status']({ userId }).patch(body))
        const record = { ...done, memberId: userId, commissionPaid: isPaid, commissionMonth: month }
        return { sentence: `The commission of ${name} is marked as ${state}.`, record }
      },
  })
}

type Payer = { id: string; name: string; payments: readonly CommissionPayment[] }

/** Finds a member, or a removed one's record, which only has the ID `commission list` shows. */
async function findPayer(client: Client, idOrEmail: string): Promise<Payer> {
  const member = await findMember(client, idOrEmail)
  const isRemoved = member instanceof CliError
  if (isRemoved && idOrEmail.includes('@')) throw member
  const { rows: payers } = await readPayers(client, isRemoved ? undefined : member.email)
  const id = isRemoved ? idOrEmail : member.id
  const payer = payers.find((one) => one.id === id)
  if (isRemoved && payer === undefined) throw member
  return { id, name: isRemoved ? 'the removed member' : nameLabel(member), payments: payer?.monthlyPayments ?? [] }
}

async function findMember({ api }: Client, idOrEmail: string): Promise<AdminMemberDetail | CliError> {
  try {
    return await request(AdminMemberDetail, api.admin.member({ memberId: encodeURIComponent(idOrEmail) }).get())
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.notFound) return error
    throw error
  }
}

function paymentOf({ id, name, payments }: Payer, month: string | null) {
  const payment = payments.find(({ paymentMonth }) => paymentMonth === month)
  if (month !== null && payment === undefined) {
    const months = `See: alliance commission list --month ${month}`
    throw new CliError(exitCodes.notFound, `There’s no commission for ${name} for ${month}. ${months}`)
  }
  return { id, name, owed: payment?.commissionAmount ?? null, wasPaid: payment?.commissionPaid === true }
}

export const commissionMonthRows = [list, markRow('pay'), markRow('unpay')]
