import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, write } from '#cli/io.ts'
import { dayLabel, emptyLabel, fullName } from '#cli/labels.ts'
import { collectRows } from '#cli/list.ts'
import {
  csvSheet,
  isForScript,
  note,
  type Output,
  print,
  printOutcome,
  reportOutput,
  tableOutput,
} from '#cli/output.ts'
import { parseArgument, parseMember, parseOption, request, requestPage } from '#cli/request.ts'
import { registerRows } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  type CommissionPayment,
  CommissionStatement,
  type MemberPayments,
  MemberPaymentsList,
  type StatementLine,
  StatementParams,
} from '#shared/contract/commission.ts'
import { Month } from '#shared/contract/fields.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { clawbackText } from '#shared/rules/commission.ts'
import { statementClosing, statementKinds, statementSums } from '#shared/rules/commission-statement.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { registerRates } from './rates.ts'
import { salesRows } from './sales.ts'

export function registerCommission(commission: Command, io: Io): void {
  commission
    .command('list')
    .description('List the months of each member: payment, commission, and whether it is paid')
    .option('-m, --month <YYYY-MM>', 'filter by month')
    .addHelpText('after', examples('commission list --month 2026-06'))
    .action((_own, command: Command) => listCommission(io, command.optsWithGlobals()))
  commission
    .command('statement <month>')
    .description('Show the statement of a month (YYYY-MM): opening balance, every line, closing balance')
    .addOption(new Option('-f, --format <format>', 'a file instead of text').choices(['pdf']))
    .addHelpText(
      'after',
      examples('commission statement 2026-06', 'commission statement 2026-06 --format pdf > june.pdf'),
    )
    .action((month: string, _own, command: Command) => showStatement(io, command.optsWithGlobals(), month))
  commission
    .command('pay <id-or-email>')
    .description("Mark a member's commission of a month as paid")
    .option('-m, --month <YYYY-MM>', 'month of the payment (default: the current month)')
    .addHelpText('after', examples('commission pay sam@example.com --month 2026-06'))
    .action((idOrEmail: string, _own, command: Command) =>
      markCommission(io, { ...command.optsWithGlobals(), commissionPaid: true }, idOrEmail),
    )
  commission
    .command('unpay <id-or-email>')
    .description("Mark a member's commission of a month as unpaid again")
    .option('-m, --month <YYYY-MM>', 'month of the payment (default: the current month)')
    .addHelpText('after', examples('commission unpay sam@example.com --month 2026-06'))
    .action((idOrEmail: string, _own, command: Command) =>
      markCommission(io, { ...command.optsWithGlobals(), commissionPaid: false }, idOrEmail),
    )
  registerRows(commission, io, salesRows)
  registerRates(commission.command('rates'), io)
}

type MonthOptions = SharedOptions & { month?: string }

type MemberMonth = CommissionPayment &
  Pick<MemberPayments, 'firstName' | 'lastName' | 'email' | 'tierName'> & { memberId: string }

const memberMonthsTable: Table<MemberMonth> = {
  title: 'Commission',
  empty: 'No commission yet.',
  columns: [
    { title: 'MEMBER', text: fullName, minWidth: 12 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, dropOrder: 1 },
    { title: 'MONTH', text: ({ paymentMonth }) => paymentMonth },
    { title: 'PAYMENT', text: ({ membershipAmount }) => formatPoundsAndPence(membershipAmount), align: 'right' },
    { title: 'COMMISSION', text: ({ commissionAmount }) => formatPoundsAndPence(commissionAmount), align: 'right' },
    {
      title: 'PAID',
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

async function listCommission(io: Io, options: MonthOptions): Promise<void> {
  const month = parseOption(Month, options.month, '--month')
  const { rows: members } = await withClient(io, options, ({ api }) =>
    collectRows(Infinity, (query) => requestPage(MemberPaymentsList, api.admin['member-payments'].get({ query }))),
  )
  const rows = members.flatMap(({ id: memberId, firstName, lastName, email, tierName, monthlyPayments }) =>
    monthlyPayments
      .filter(({ paymentMonth }) => month === undefined || paymentMonth === month)
      .map((payment): MemberMonth => ({ ...payment, memberId, firstName, lastName, email, tierName })),
  )
  await print(io, options, tableOutput(memberMonthsTable, rows))
  const removed = members.filter(({ email, monthlyPayments }) => email === '' && monthlyPayments.length > 0)
  if (removed.length > 0) {
    await note(io, options, `Use the ID of a removed member: ${removed.map(({ id }) => id).join(', ')}.`)
  }
}

type StatementOptions = SharedOptions & { format?: 'pdf' }

async function showStatement(io: Io, { format, ...options }: StatementOptions, given: string): Promise<void> {
  const { month } = parseArgument(StatementParams, { month: given }, 'month')
  if (format === 'pdf') return writeStatementPdf(io, options, month)
  const statement = await withClient(io, options, (client) => requestStatement(client, month))
  await print(io, options, statementOutput(statement))
}

/** The server's own file. A terminal would show bytes that mean nothing, and some that it obeys. */
async function writeStatementPdf(io: Io, options: SharedOptions, month: string): Promise<void> {
  if (isForScript(options)) throw usageError('Use one of --format, --json and --csv.')
  if (io.isTTY.stdout) throw usageError(`A PDF goes into a file: add > ${month}.pdf`)
  const pdf = await withClient(io, options, ({ api }) =>
    request(v.instance(Uint8Array), api.admin['commission-statements']({ month }).get({ query: { format: 'pdf' } })),
  )
  await write(io.stdout, pdf)
}

/** The sums of the first page with the lines of all pages. */
async function requestStatement({ api }: Client, month: string): Promise<CommissionStatement> {
  const pages: CommissionStatement[] = []
  const { rows } = await collectRows(Infinity, async (page) => {
    const query = { ...page, format: 'json' as const }
    const call = api.admin['commission-statements']({ month }).get({ query })
    const { value, next } = await requestPage(CommissionStatement, call)
    pages.push(value)
    return { value: value.lines, next }
  })
  const [first] = pages
  if (first === undefined) throw new Error('A statement has at least one page.')
  return { ...first, lines: rows }
}

const statementTable: Table<StatementLine> = {
  title: 'Statement',
  empty: 'No lines in this month.',
  columns: [
    { title: 'BOOKED', text: ({ bookedAt }) => dayLabel(bookedAt), dropOrder: 2 },
    { title: 'TYPE', text: ({ kind }) => statementKinds[kind] },
    { title: 'MEMBER', text: ({ member }) => member ?? emptyLabel, minWidth: 10 },
    { title: 'ABOUT', text: ({ about }) => about ?? emptyLabel, minWidth: 8 },
    { title: 'TIER', text: ({ tierName }) => tierName ?? emptyLabel, dropOrder: 3 },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right', dropOrder: 1 },
    { title: 'RATE', text: ({ rate }) => (rate === null ? emptyLabel : `${rate}%`), align: 'right', dropOrder: 4 },
    { title: 'AMOUNT', text: ({ amount }) => formatPoundsAndPence(amount), align: 'right' },
    { title: 'DUE', text: ({ dueOn }) => dueOn, dropOrder: 5 },
  ],
  csv: [
    ...csvFields(['kind', 'bookedAt', 'paymentMonth', 'member', 'about', 'tier']),
    { name: 'netPence', cell: ({ net }) => net },
    ...csvFields(['rate']),
    { name: 'amountPence', cell: ({ amount }) => amount },
    ...csvFields(['dueOn']),
  ],
}

/** The CSV is the server's own: opening, lines, closing, so that its amounts add up. */
function statementOutput(statement: CommissionStatement): Output {
  const { month, partner, opening, closing, lines } = statement
  const sums = [...statementSums(statement), statementClosing(statement)]
  const details: Detail[] = sums.map(({ label, amount }) => ({ label, value: formatPoundsAndPence(amount) }))
  const title = `${partner}, ${formatMonthAndYear(`${month}-15`)}`
  const balanceRow = (kind: string, amount: number) => [kind, null, month, null, null, null, null, null, amount, null]
  const csv = () => {
    const { head, rows } = csvSheet(statementTable.csv, lines)
    return { head, rows: [balanceRow('opening', opening), ...rows, balanceRow('closing', closing)] }
  }
  return reportOutput({ title, details, table: statementTable, rows: lines, json: statement, csv })
}

type MarkOptions = MonthOptions & { commissionPaid: boolean }

async function markCommission(io: Io, { commissionPaid, ...options }: MarkOptions, given: string): Promise<void> {
  const idOrEmail = parseMember(given)
  const month = parseOption(Month, options.month, '--month')
  const body = { commissionPaid, ...(month === undefined ? {} : { commissionMonth: month }) }
  const { done, payer } = await withClient(io, options, async (client) => {
    const payer = await findPayer(client, idOrEmail)
    const call = client.api.admin['commission-status']({ userId: payer.id }).patch(body)
    return { done: await request(Done, call), payer }
  })
  await printOutcome(io, options, {
    record: { ...done, memberId: payer.id, commissionPaid, commissionMonth: month ?? null },
    sentence: `The commission of ${payer.name} is marked as ${commissionPaid ? 'paid' : 'unpaid'}.`,
  })
}

/** A member, or what is kept of a removed one: that has only the ID that `commission list` shows. */
async function findPayer({ api }: Client, idOrEmail: string): Promise<{ id: string; name: string }> {
  const memberId = encodeURIComponent(idOrEmail)
  try {
    const member = await request(AdminMemberDetail, api.admin.member({ memberId }).get())
    return { id: member.id, name: fullName(member) }
  } catch (error) {
    const isNotFound = error instanceof CliError && error.exitCode === exitCodes.notFound
    if (!isNotFound || idOrEmail.includes('@')) throw error
    return { id: memberId, name: 'the removed member' }
  }
}
