import * as v from 'valibot'
import { ask, askPage, typed } from '#cli/ask.ts'
import { cleanText } from '#cli/clean.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { exitCodes, Stop, wrongUsage } from '#cli/exit.ts'
import { type Io, say, write } from '#cli/io.ts'
import { formatOf, isForScript, print } from '#cli/output.ts'
import { countOf, rowsOf } from '#cli/pages.ts'
import { agree } from '#cli/prompt.ts'
import { deletedReport, fixedReport, invoicesReport } from '#cli/reports/invoices.ts'
import { Day, Month } from '#shared/contract/fields.ts'
import {
  AdminInvoiceList,
  DeleteInvoicesResponse,
  ExportQuery,
  FixInvoicesResponse,
} from '#shared/contract/invoices.ts'

export type ListOptions = SharedOptions & { limit?: string; member?: string; month?: string }

/** As many as a terminal shows without being asked for more. */
const screenful = 50

export async function listInvoices(io: Io, options: ListOptions): Promise<void> {
  const isOnScreen = formatOf(io, options) === 'view'
  const wanted = options.limit === undefined ? (isOnScreen ? screenful : Infinity) : countOf(options.limit)
  const filter = {
    ...(options.member === undefined ? {} : { member: options.member }),
    ...(options.month === undefined ? {} : { month: typed(Month, options.month, '--month') }),
  }
  const { rows, hasMore } = await withClient(io, options, ({ api }) =>
    rowsOf(wanted, (page) => askPage(AdminInvoiceList, api.admin.invoices.get({ query: { ...page, ...filter } }))),
  )
  await print(io, options, invoicesReport(rows))
  if (hasMore && options.limit === undefined) {
    await say(io, `These are the newest ${rows.length}. For more give --limit, for all --csv or --json.`)
  }
}

export type FixOptions = SharedOptions & { member?: string; dryRun?: boolean }

/** Ends as failed where a member had a problem, so that a script hears of it. */
export async function fixInvoices(io: Io, { member, dryRun = false, ...options }: FixOptions) {
  const body = { dryRun, ...(member === undefined ? {} : { memberId: member }) }
  const answer = await withClient(io, options, ({ api }) =>
    ask(FixInvoicesResponse, api.admin['fix-member-invoices'].post(body)),
  )
  await print(io, options, fixedReport(answer))
  if (dryRun && !isForScript(options)) await say(io, 'A dry run: nothing was issued.')
  if (answer.problemCount > 0) throw new Stop(exitCodes.failed)
}

export type DeleteOptions = SharedOptions & { dryRun?: boolean; yes?: true }

export async function deleteInvoices(io: Io, options: DeleteOptions, memberId: string): Promise<void> {
  if (memberId === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const { dryRun = false } = options
  if (!dryRun) await agree(io, `Delete the drafts and retroactive invoices of ${memberId}?`, options.yes === true)
  const answer = await withClient(io, options, ({ api }) =>
    ask(DeleteInvoicesResponse, api.admin['delete-member-invoices'].post({ memberId, dryRun })),
  )
  await print(io, options, deletedReport(answer))
  if (dryRun && !isForScript(options)) await say(io, 'A dry run: nothing was deleted.')
  if (answer.errorCount > 0) throw new Stop(exitCodes.failed)
}

export type ExportOptions = SharedOptions & { from?: string; to?: string }

/** CSV whatever else was asked for: it is what the accountant's program reads. */
export async function exportInvoices(io: Io, { from, to, ...options }: ExportOptions): Promise<void> {
  const query = typed(ExportQuery, {
    ...(from === undefined ? {} : { from: typed(Day, from, '--from') }),
    ...(to === undefined ? {} : { to: typed(Day, to, '--to') }),
  })
  const csv = await withClient(io, options, ({ api }) =>
    ask(v.string(), api.admin.exports['invoices.csv'].get({ query })),
  )
  await write(io.stdout, cleanText(csv))
}
