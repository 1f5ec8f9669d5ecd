import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { type Output, recordOutput, reportOutput } from '#cli/output.ts'
import { parseArgument, request, requireText } from '#cli/request.ts'
import { type Call, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import {
  AnswerCreditRequest,
  AnsweredCredit,
  type MemberCredit,
  MemberCreditList,
} from '#shared/contract/accounting.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const countsText = ({ counts, answer, takenAt }: MemberCredit) => {
  if (counts === 'debit') return `debit, taken on ${dayLabel(takenAt)}`
  return answer === null ? `${counts} until you say` : counts
}

const creditsTable: Table<MemberCredit> = {
  title: 'Credit',
  empty: 'No credit to look at.',
  columns: [
    { title: 'CREDIT', text: ({ id }) => id, identifies: true },
    { title: 'MEMBER', text: ({ name, email }) => name ?? email ?? emptyLabel },
    { title: 'AMOUNT', text: ({ amount }) => formatPoundsAndPence(amount) },
    { title: 'ON', text: ({ createdAt }) => dayLabel(createdAt), dropOrder: 2 },
    { title: 'STRIPE SAYS', text: ({ type }) => type, dropOrder: 1 },
    { title: 'COUNTS AS', text: countsText },
  ],
  csv: csvFields(['id', 'memberId', 'email', 'amount', 'createdAt', 'type', 'counts', 'answer', 'takenAt']),
}

const list = showRow({
  usage: 'credits',
  description: 'List credit Stripe doesn’t explain, what it counts as, and debits members have paid',
  examples: ['credits', 'credits --csv > credits.csv'],
  read:
    () =>
    ({ api }) =>
      request(MemberCreditList, api.admin.credits.get()),
  output: (credits) =>
    reportOutput({ title: 'Credit', details: [], table: creditsTable, rows: credits, json: credits }),
})

const idOf = ({ argument }: Call) => requireText(argument(0), 'Enter a credit, such as cbtxn_1Example.')
const bodyOf = ({ argument }: Call) =>
  parseArgument(AnswerCreditRequest, { answer: argument(1) ?? '' }, 'money or goodwill')

const answer = changeRow<AnsweredCredit>({
  usage: 'name-credit <credit> <money-or-goodwill>',
  description:
    'Say what a credit was: money pays for a whole invoice, goodwill is a discount. Changed invoices are issued again',
  examples: ['name-credit cbtxn_1Example money --dry-run'],
  asks: true,
  plan(call) {
    const [id, body] = [idOf(call), bodyOf(call)]
    return async ({ api }) => {
      const facts = await request(AnsweredCredit, api.admin.credits({ id }).answer.post({ ...body, dryRun: true }))
      const question = `Count ${formatPoundsAndPence(facts.amount)} as ${body.answer}, and issue the invoices it changes again?`
      return { facts, output: answeredOutput(facts), question }
    }
  },
  apply:
    (call) =>
    async ({ api }) =>
      answeredOutput(await request(AnsweredCredit, api.admin.credits({ id: idOf(call) }).answer.post(bodyOf(call)))),
})

function answeredOutput(credit: AnsweredCredit): Output {
  const { id, amount, counts, missing = 0, dryRun } = credit
  const again = dryRun ? 'Would be issued again' : 'Issued again'
  const details: Detail[] = [
    {
      label: 'Credit',
      value: `${formatPoundsAndPence(credit.amount)} of ${credit.name ?? credit.email ?? emptyLabel}`,
    },
    { label: credit.dryRun ? 'Would count as' : 'Counts as', value: credit.counts },
    ...(credit.documents.length === 0 ? [] : [{ label: again, value: credit.documents.join(', ') }]),
    ...(missing === 0 ? [] : [{ label: 'New invoices', value: String(missing) }]),
  ]
  const record = { id, amount, counts, documents: credit.documents.join(' '), missing, dryRun }
  return recordOutput('Credit', details, record, credit)
}

export const invoiceCreditRows = [list, answer]
