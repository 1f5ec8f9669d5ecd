import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { type SharedOptions, serverOrigin, withClient } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { print, recordSheet, sectionsOutput, writeCsvStream } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type AccountFormat, accountFormats } from '#shared/contract/books.ts'
import { Day } from '#shared/contract/fields.ts'
import { ExportQuery } from '#shared/contract/invoices.ts'
import { plural } from '#shared/rules/plural.ts'

type AccountOptions = SharedOptions & { format: AccountFormat; from?: string; to?: string }

export function registerExport(exporting: Command, io: Io): void {
  exporting
    .command('accounts')
    .description('Write invoices and credit notes as the CSV that Xero or QuickBooks imports')
    .addOption(new Option('-f, --format <program>', 'whose columns').choices([...accountFormats]).makeOptionMandatory())
    .option('--from <YYYY-MM-DD>', 'first day')
    .option('--to <YYYY-MM-DD>', 'last day')
    .addHelpText(
      'after',
      examples(
        'export accounts --format xero --from 2026-06-01 --to 2026-06-30 > june.csv',
        'export accounts --format quickbooks > journal.csv',
      ),
    )
    .action((_own, command: Command) => exportAccounts(io, command.optsWithGlobals()))
  exporting
    .command('all <folder>')
    .description('Write the whole business into a new folder: the database, each table as CSV and JSON, and media')
    .addHelpText('after', examples('export all /srv/handover'))
    .action((folder: string, _own, command: Command) => exportEverything(io, command.optsWithGlobals(), folder))
}

/** The database itself is on this machine alone. */
async function exportEverything(io: Io, options: SharedOptions, folder: string): Promise<void> {
  if (serverOrigin(io, options) !== null) {
    throw usageError('export all works on the data folder on this machine and does not support --api.')
  }
  const { exportAll } = await import('#cli/machine/export-all.ts')
  const done = await exportAll(io, folder)
  const details = [
    { label: 'Folder', value: done.folder },
    { label: 'Tables', value: `${done.tables} with ${plural(done.rows, 'row')}` },
    { label: 'Media', value: plural(done.media, 'file') },
  ]
  await print(
    io,
    options,
    sectionsOutput({ json: done, csv: () => recordSheet(done) }, [{ title: 'Exported', details }]),
  )
}

/** Always CSV: it is a file for another program. */
async function exportAccounts(io: Io, { format, from, to, ...options }: AccountOptions): Promise<void> {
  const days = parseArgument(ExportQuery, {
    ...(from === undefined ? {} : { from: parseArgument(Day, from, '--from') }),
    ...(to === undefined ? {} : { to: parseArgument(Day, to, '--to') }),
  })
  await withClient(io, options, async ({ api }) => {
    const query = { ...days, format }
    await writeCsvStream(
      io,
      await request(v.instance(ReadableStream), api.admin.exports['accounts.csv'].get({ query })),
    )
  })
}
