import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { ByteOutput, Io } from '#cli/io.ts'
import { machineChangeRow } from '#cli/machine-rows.ts'
import { note, recordSheet, sectionsOutput, writeCsvStream } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { type CommandRow, fileRow, registersRows } from '#cli/rows.ts'
import { AccountFormat, accountFileRows } from '#shared/contract/books.ts'
import { Day } from '#shared/contract/fields.ts'
import { ExportQuery } from '#shared/contract/invoices.ts'
import { plural } from '#shared/rules/plural.ts'
import { splitCsv } from '#shared/rules/split-csv.ts'

/** Always CSV: it is a file for another program. */
const accounts = fileRow({
  usage: 'accounts',
  description: 'Write invoices and credit notes as the CSV that Xero or QuickBooks imports',
  options: [
    ['-f, --format <program>', 'whose columns: xero or quickbooks'],
    ['--from <YYYY-MM-DD>', 'first day'],
    ['--to <YYYY-MM-DD>', 'last day'],
    ['--folder <folder>', 'into numbered files of a new folder, none with more rows than the program takes at once'],
  ],
  examples: [
    'accounts --format xero --from 2026-06-01 --to 2026-06-30 > june.csv',
    'accounts --format xero --folder xero',
    'accounts --format quickbooks > journal.csv',
  ],
  write({ io, options, option }) {
    const format = parseArgument(AccountFormat, option('format'))
    const [from, to] = [parseOption(Day, option('from'), '--from'), parseOption(Day, option('to'), '--to')]
    const query = { ...parseArgument(ExportQuery, withoutUnset({ from, to })), format }
    const folder = option('folder')
    return async ({ api }) => {
      const csv = await request(v.instance(ReadableStream), api.admin.exports['accounts.csv'].get({ query }))
      if (folder === undefined) return writeCsvStream(io, csv)
      const files = await writeFiles(io, csv, { folder: resolve(io.cwd, folder), format })
      await note(io, options, `${plural(files, 'file')} in ${folder}.`)
    }
  },
})

type Target = { folder: string; format: AccountFormat }

/** Each with the head. What belongs together, such as the lines of a journal, stays in one file. */
async function writeFiles(io: Io, csv: ReadableStream, { folder, format }: Target): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new CliError(exitCodes.usage, `${folder} is not empty. Name a new folder.`)
  const splitter = splitCsv({ most: accountFileRows[format], keepsFirstCell: format === 'quickbooks' })
  let count = 0
  const store = (texts: string[]) => {
    for (const text of texts) {
      count += 1
      writeFileSync(join(folder, `${format}-${String(count).padStart(3, '0')}.csv`), text, { mode: 0o600 })
    }
  }
  const stdout: ByteOutput = {
    write(text, done) {
      store(splitter.add(String(text)))
      done()
    },
  }
  await writeCsvStream(Object.create(io, { stdout: { value: stdout } }), csv)
  store(splitter.end())
  return count
}

/** The database itself is on this machine alone. */
const everything = machineChangeRow({
  usage: 'all <folder>',
  description: 'Write the whole business into a new folder: the database, each table as CSV and JSON, and media',
  examples: ['all /srv/handover'],
  async plan({ argument }) {
    const facts = { folder: argument(0) }
    return { facts, output: sectionsOutput({ json: facts, csv: () => recordSheet(facts) }, []), question: null }
  },
  async apply({ io, options }, { folder }) {
    const { exportAll } = await import('#cli/machine/export-all.ts')
    const done = await withProgress(io, options, 'Writing', () => exportAll(io, folder))
    const details = [
      { label: 'Folder', value: done.folder },
      { label: 'Tables', value: `${done.tables} with ${plural(done.rows, 'row')}` },
      { label: 'Media', value: plural(done.media, 'file') },
    ]
    return sectionsOutput({ json: done, csv: () => recordSheet(done) }, [{ title: 'Exported', details }])
  },
})

export const exportRows: readonly CommandRow[] = [accounts, everything]

export const registerExport = registersRows(exportRows)
