import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { fileRow } from '#cli/file-rows.ts'
import type { ByteOutput, Io } from '#cli/io.ts'
import { machineActRow } from '#cli/machine-rows.ts'
import { writeNewFile } from '#cli/new-file.ts'
import { note, recordOutput, writeCsvStream } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { actRow, type CommandRow, registersRows } from '#cli/rows.ts'
import { AccountFormat, accountFileRows, accountFormats } from '#shared/contract/accounting.ts'
import { Period } from '#shared/contract/earned.ts'
import { Day } from '#shared/contract/fields.ts'
import { ExportQuery } from '#shared/contract/invoices.ts'
import { Export } from '#shared/contract/move-out.ts'
import { missingFromExport } from '#shared/rules/move-out.ts'
import { periodName } from '#shared/rules/periods.ts'
import { plural } from '#shared/rules/plural.ts'
import { splitCsv } from '#shared/rules/split-csv.ts'

/** Always CSV, because it's for another program. */
const accounts = fileRow({
  usage: 'accounts',
  description: 'Export invoices and credit notes as CSV for Xero or QuickBooks',
  options: [
    ['-f, --format <program>', `which format: ${accountFormats.join(', ')}`],
    ['--sales <name>', 'where sales are booked: a Xero account code (200), or a QuickBooks product (Sales)'],
    ['--from <YYYY-MM-DD>', 'first day'],
    ['--to <YYYY-MM-DD>', 'last day'],
    ['--folder <folder>', 'to numbered files in a new folder, none over the import’s row limit'],
  ],
  instead: 'invoices list --json',
  examples: [
    'accounts --format xero --from 2026-06-01 --to 2026-06-30 > june.csv',
    'accounts --format quickbooks --sales Membership --folder quickbooks',
    'accounts --format quickbooks-credit-notes > credit-notes.csv',
  ],
  write({ io, options, option }) {
    const format = parseArgument(AccountFormat, option('format'))
    const given = { from: option('from'), to: option('to'), sales: option('sales') }
    const days = { from: parseOption(Day, given.from, '--from'), to: parseOption(Day, given.to, '--to') }
    parseArgument(ExportQuery, withoutUnset(days))
    const query = withoutUnset({ ...days, sales: given.sales })
    const folder = option('folder')
    return async ({ api }) => {
      const read = (format: AccountFormat) =>
        request(v.instance(ReadableStream), api.admin.exports['accounts.csv'].get({ query: { ...query, format } }))
      if (folder === undefined) {
        await writeCsvStream(io, await read(format))
        // On stderr, since stdout's CSV goes to a file.
        if (format === 'quickbooks') await note(io, options, creditNotesApart)
        return
      }
      const whole = resolve(io.cwd, folder)
      makeFolder(whole)
      const files = await writeWhole(whole, async (unfinished) => {
        let count = 0
        for (const one of withCreditNotes(format)) {
          count += await writeFiles(io, await read(one), { folder: unfinished, format: one })
        }
        return count
      })
      await note(io, options, `${plural(files, 'file')} in ${folder}.`)
    }
  },
})

const creditNotesApart =
  'These are the invoices. QuickBooks imports credit notes separately: run it again with --format quickbooks-credit-notes.'

const withCreditNotes = (format: AccountFormat): AccountFormat[] =>
  format === 'quickbooks' ? ['quickbooks', 'quickbooks-credit-notes'] : [format]

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new CliError(exitCodes.usage, `${folder} isn’t empty. Name a new folder.`)
}

/**
 * An incomplete set of files would pass for a complete one, so we write them next to the folder and move them in at the end. The
 * next run removes what an interrupted one left.
 */
async function writeWhole(folder: string, write: (unfinished: string) => Promise<number>): Promise<number> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  try {
    const count = await write(unfinished)
    for (const name of readdirSync(unfinished)) renameSync(join(unfinished, name), join(folder, name))
    return count
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

type Target = { folder: string; format: AccountFormat }

async function writeFiles(io: Io, csv: ReadableStream, { folder, format }: Target): Promise<number> {
  const splitter = splitCsv(accountFileRows[format])
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

const accountant = actRow({
  usage: 'accountant <period> <file>',
  description: 'Export a month, quarter or tax year to a ZIP: CSV, PDFs and a cover sheet',
  examples: ['accountant 2026-Q3 q3.zip', 'accountant 2026/27 year.zip'],
  act({ io, argument }) {
    const period = parseArgument(Period, argument(0).toUpperCase())
    const file = resolve(io.cwd, argument(1))
    return async ({ api }) => {
      const zip = api.admin.exports['accountant.zip'].get({ query: { period } })
      const bytes = await writeNewFile(file, await request(v.instance(ReadableStream), zip))
      return { sentence: `${file} has the books for ${periodName(period)}.`, record: { period, file, bytes } }
    }
  },
})

const allUsage = 'all <file-or-folder>'

/** What another site of ours takes in again, with a README of every column. */
const everything = actRow({
  usage: allUsage,
  description: 'Export everything to a ZIP: people, progress, videos, posts, media and money, as CSV and JSON',
  examples: ['all everything.zip', 'all /srv/handover'],
  act({ io, options, argument }) {
    const file = resolve(io.cwd, argument(0))
    return async ({ api }) => {
      const { ticket, missing } = await request(Export, api.admin.exports.all.post())
      const zip = await request(v.instance(ReadableStream), api.admin.exports['all.zip'].get({ query: { ticket } }))
      const bytes = await withProgress(io, options, 'Writing', () => writeNewFile(file, zip))
      const left = missingFromExport(missing)
      const sentence =
        left === '' ? `${file} has everything. Its README says what’s in it.` : `${file} is there. ${left}`
      return { sentence, record: { file, bytes, missing: missing.join(', ') } }
    }
  },
})

/** Only this machine has the database itself. */
const rawEverything = machineActRow({
  usage: allUsage,
  description: 'Export the database, each table as CSV and JSON, and media to a new folder',
  examples: ['all /srv/handover'],
  async act({ io, options, argument }) {
    const { exportAll } = await import('#cli/machine/export-all.ts')
    const done = await withProgress(io, options, 'Writing', () => exportAll(io, argument(0)))
    const details = [
      { label: 'Folder', value: done.folder },
      { label: 'Tables', value: `${done.tables} with ${plural(done.rows, 'row')}` },
      { label: 'Media', value: plural(done.media, 'file') },
    ]
    return recordOutput('Exported', details, done)
  },
})

const all: CommandRow = {
  ...everything,
  description: 'Export everything to a ZIP that another site can take in, or to a folder with the database itself',
  run: (call, path) => (/\.zip$/i.test(call.argument(0)) ? everything : rawEverything).run(call, path),
}

export const exportRows: readonly CommandRow[] = [accounts, accountant, all]

export const registerExport = registersRows(exportRows)
