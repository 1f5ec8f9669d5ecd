import * as v from 'valibot'
import { requestRunningMonth } from '#cli/commands/mrr/rows.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { fileRow } from '#cli/file-rows.ts'
import { write } from '#cli/io.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { collectRows } from '#cli/list.ts'
import { csvOfRows, isForScript, type Output, reportOutput, toCsv } from '#cli/output.ts'
import { parseArgument, parseOption, request, requestPage } from '#cli/request.ts'
import { type Call, type CommandRow, changeRow, showRow } from '#cli/rows.ts'
import type { Detail, Table } from '#cli/table.ts'
import {
  CommissionStatement,
  type StatementLine,
  StatementMailed,
  StatementParams,
} from '#shared/contract/commission.ts'
import { Month } from '#shared/contract/fields.ts'
import { SiteSettingList } from '#shared/contract/site-settings.ts'
import {
  balanceCells,
  statementClosing,
  statementColumns,
  statementKinds,
  statementSums,
} from '#shared/rules/commission-statement.ts'
import { formatMonthAndYear, nextMonth } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const monthOf = ({ argument }: Call) => parseArgument(StatementParams, { month: argument(0) }, 'month').month

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
  if (first === undefined) throw new Error('A statement needs at least one page.')
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
    { title: 'DUE', text: ({ dueOn }) => dayLabel(dueOn), dropOrder: 5 },
  ],
  csv: statementColumns,
}

/** The server's own CSV: opening, lines, closing, so that its amounts add up. */
function csvOfStatement({ month, opening, closing, lines }: CommissionStatement) {
  const { head, rows } = csvOfRows(statementTable.csv, lines)
  return { head, rows: [balanceCells('opening', month, opening), ...rows, balanceCells('closing', month, closing)] }
}

function statementOutput(statement: CommissionStatement): Output {
  const sums = [...statementSums(statement), statementClosing(statement)]
  const details: Detail[] = sums.map(({ label, amount }) => ({ label, value: formatPoundsAndPence(amount) }))
  const title = `${statement.partner}, ${formatMonthAndYear(`${statement.month}-15`)}`
  const csv = () => csvOfStatement(statement)
  return reportOutput({ title, details, table: statementTable, rows: statement.lines, json: statement, csv })
}

const described = {
  usage: 'statement <month>',
  description: 'Show a month’s statement (YYYY-MM), save it as a PDF, or email it to the sales partner',
  examples: [
    'statement 2026-06',
    'statement 2026-06 --format pdf > june.pdf',
    'statement 2026-06 --mail --dry-run',
    'statement 2026-06 --mail',
  ],
} as const

const shown = showRow({
  ...described,
  read(call) {
    const month = monthOf(call)
    if (call.options.dryRun) throw usageError('--dry-run needs --mail.')
    return (client) => requestStatement(client, month)
  },
  output: statementOutput,
})

/** The server's own file. A terminal would print bytes that mean nothing, and obey some. */
const asPdf = fileRow({
  ...described,
  write(call) {
    const { io, options } = call
    const month = monthOf(call)
    if (call.option('format') !== 'pdf') throw usageError('--format takes pdf.')
    if (isForScript(options)) throw usageError('Use one of --format, --json and --csv.')
    if (io.isTTY.stdout) throw usageError(`A PDF goes into a file: add > ${month}.pdf`)
    return async ({ api }) => {
      const statement = api.admin['commission-statements']({ month })
      await write(io.stdout, await request(v.instance(Uint8Array), statement.get({ query: { format: 'pdf' } })))
    }
  },
})

type Mailed = { month: string; to: string; partner: string; closing: number }

const mailed = changeRow<Mailed>({
  ...described,
  asks: true,
  plan(call) {
    const month = monthOf(call)
    return async (client) => {
      const statement = await requestStatement(client, month)
      const settings = await request(SiteSettingList, client.api.admin.settings.get())
      const to = settings.find(({ name }) => name === 'SALES_PARTNER_EMAIL')?.value ?? ''
      if (to === '')
        throw new CliError(
          exitCodes.failed,
          'No one’s set to get it. Next: alliance settings set SALES_PARTNER_EMAIL partner@example.com',
        )
      const facts = { month, to, partner: statement.partner, closing: statement.closing }
      const question = `Email ${to} the statement of ${formatMonthAndYear(`${month}-15`)}, which closes at ${formatPoundsAndPence(facts.closing)}?`
      return { facts, output: statementOutput(statement), question }
    }
  },
  apply:
    (_call, { month, to }) =>
    async ({ api }) => {
      // One idempotency key for each call: a retry after a lost response sends no second email.
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      const record = await request(
        StatementMailed,
        api.admin['commission-statements']({ month }).mail.post({}, { headers }),
      )
      return { sentence: `The statement of ${month} is on its way to ${to}.`, record }
    },
})

const statement: CommandRow = {
  ...shown,
  options: [
    ['-f, --format <format>', 'pdf: a file instead of text'],
    ['--mail', 'email the PDF to SALES_PARTNER_EMAIL'],
    ...(mailed.options ?? []),
  ],
  run(call, path) {
    const row = call.options.mail ? mailed : call.options.format === undefined ? shown : asPdf
    return row.run(call, path)
  },
}

/** Every month with its opening and closing balance, under one header. */
const exportRow = fileRow({
  usage: 'export',
  description: 'Export the sales partner’s account as CSV, with monthly balances',
  options: [
    ['--from <YYYY-MM>', 'first month (default: same as --to)'],
    ['--to <YYYY-MM>', 'last month (default: the current one)'],
  ],
  instead: 'commission statement 2026-06 --json',
  examples: ['export --from 2026-01 --to 2026-06 > commission.csv'],
  write({ io, option }) {
    const last = parseOption(Month, option('to'), '--to')
    const first = parseOption(Month, option('from'), '--from')
    return async (client) => {
      const to = last ?? (await requestRunningMonth(client))
      const from = first ?? to
      if (from > to) throw usageError('The last month is before the first.')
      for (let month = from; month <= to; month = nextMonth(month)) {
        const csv = csvOfStatement(await requestStatement(client, month))
        await write(io.stdout, toCsv(csv, { hasHead: month === from }))
      }
    }
  },
})

export const commissionStatementRows = [statement, exportRow]
