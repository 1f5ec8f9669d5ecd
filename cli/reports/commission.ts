import type { Report } from '#cli/output.ts'
import type { Column } from '#cli/table.ts'
import type { CommissionRate, CommissionStatement, StatementLine } from '#shared/contract/commission.ts'
import type { CommissionPayment, MemberPayments } from '#shared/contract/records.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { figuresReport } from './figures.ts'
import { dayWords, fullName, nothing, tierWord } from './words.ts'

const monthWords = (month: string) => formatMonthAndYear(`${month}-15`)

type MemberMonth = CommissionPayment &
  Pick<MemberPayments, 'firstName' | 'lastName' | 'email' | 'tierName'> & { memberId: string }

const monthColumns: readonly Column<MemberMonth>[] = [
  { title: 'MEMBER', text: fullName, shrinksTo: 12 },
  { title: 'E-MAIL', text: ({ email }) => email, shrinksTo: 16, givesWay: 1 },
  { title: 'MONTH', text: ({ paymentMonth }) => paymentMonth },
  { title: 'PAYMENT', text: ({ membershipAmount }) => formatPoundsAndPence(membershipAmount), align: 'right' },
  { title: 'COMMISSION', text: ({ commissionAmount }) => formatPoundsAndPence(commissionAmount), align: 'right' },
  {
    title: 'PAID',
    text: ({ commissionPaid, commissionPaidDate }) => (commissionPaid ? dayWords(commissionPaidDate) : 'no'),
    tone: ({ commissionPaid }) => (commissionPaid ? 'ok' : undefined),
  },
]

/** A row for each month of each member; one month alone where it was asked for. */
export function memberMonthsReport(members: MemberPayments[], month: string | undefined): Report {
  const rows = members.flatMap(({ id: memberId, firstName, lastName, email, tierName, monthlyPayments }) =>
    monthlyPayments
      .filter(({ paymentMonth }) => month === undefined || paymentMonth === month)
      .map((payment): MemberMonth => ({ ...payment, memberId, firstName, lastName, email, tierName })),
  )
  const figures = { title: 'Commission', facts: [], columns: monthColumns, rows, empty: 'No commission yet.' }
  return figuresReport(rows, figures, () => ({
    head: [
      ...['email', 'firstName', 'lastName', 'tierName', 'paymentMonth', 'paymentDate', 'membershipPence'],
      ...['commissionPence', 'commissionPaid', 'commissionPaidDate', 'id', 'memberId'],
    ],
    rows: rows.map((row) => [
      ...[row.email, row.firstName, row.lastName, row.tierName, row.paymentMonth, row.paymentDate],
      ...[row.membershipAmount, row.commissionAmount, row.commissionPaid, row.commissionPaidDate, row.id, row.memberId],
    ]),
  }))
}

const kindWords: Record<StatementLine['kind'], string> = {
  invoice: 'Earned',
  upsell: 'Up-sell',
  clawback: 'Claw-back',
  payment: 'Paid out',
  reversal: 'Reversed',
}

const lineColumns: readonly Column<StatementLine>[] = [
  { title: 'BOOKED', text: ({ bookedAt }) => dayWords(bookedAt), givesWay: 2 },
  { title: 'WHAT', text: ({ kind }) => kindWords[kind] },
  { title: 'MEMBER', text: ({ member }) => member ?? nothing, shrinksTo: 10 },
  { title: 'ABOUT', text: ({ about }) => about ?? nothing, shrinksTo: 8 },
  { title: 'TIER', text: ({ tier }) => tierWord(tier), givesWay: 3 },
  { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right', givesWay: 1 },
  { title: 'RATE', text: ({ rate }) => (rate === null ? nothing : `${rate} %`), align: 'right', givesWay: 4 },
  { title: 'AMOUNT', text: ({ amount }) => formatPoundsAndPence(amount), align: 'right' },
  { title: 'DUE', text: ({ dueOn }) => dueOn, givesWay: 5 },
]

/** The CSV is that of the server: opening, lines, closing, so that its amounts add up. */
export function statementReport(statement: CommissionStatement): Report {
  const { month, partner, opening, earned, clawBacks, upSells, reversals, payments, closing, lines } = statement
  const sums: [label: string, amount: number][] = [
    ['Opening', opening],
    ['Earned', earned],
    ['Claw-backs', clawBacks],
    ['Up-sells', upSells],
    ['Reversals', reversals],
    ['Paid out', payments],
    ['Closing', closing],
  ]
  const facts = sums.map(([label, amount]) => ({ label, value: formatPoundsAndPence(amount) }))
  const title = `${partner}, ${monthWords(month)}`
  const figures = { title, facts, columns: lineColumns, rows: lines, empty: 'No lines in this month.' }
  const sumRow = (kind: string, amount: number) => [kind, null, month, null, null, null, null, null, amount, null]
  return figuresReport(statement, figures, () => ({
    head: ['kind', 'bookedAt', 'paymentMonth', 'member', 'about', 'tier', 'netPence', 'rate', 'amountPence', 'dueOn'],
    rows: [
      sumRow('opening', opening),
      ...lines.map((line) => [
        ...[line.kind, line.bookedAt, line.paymentMonth, line.member, line.about, line.tier, line.net],
        ...[line.rate, line.amount, line.dueOn],
      ]),
      sumRow('closing', closing),
    ],
  }))
}

const rateColumns: readonly Column<CommissionRate>[] = [
  { title: 'TIER', text: ({ tierSlug }) => tierWord(tierSlug) },
  { title: 'RATE', text: ({ rate }) => `${rate} %`, align: 'right' },
  { title: 'FROM', text: ({ validFrom }) => (validFrom === null ? 'the beginning' : dayWords(validFrom)) },
]

export const ratesReport = (rates: CommissionRate[]): Report =>
  figuresReport(
    rates,
    { title: 'Commission rates', facts: [], columns: rateColumns, rows: rates, empty: 'None.' },
    () => ({
      head: ['tierSlug', 'rate', 'validFrom'],
      rows: rates.map(({ tierSlug, rate, validFrom }) => [tierSlug, rate, validFrom]),
    }),
  )
