import { strToU8, zipSync } from 'fflate'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import { assertProven } from '#api/http/proof.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/http/rate-limits.ts'
import type { Person } from '#api/http/session.ts'
import { toCsv } from '#shared/rules/account-archive.ts'
import { londonDay } from '#shared/rules/london.ts'
import { archiveTables } from './archive-queries.ts'

/** The PDFs that go into one archive; a member of many years has some two hundred. */
const mostDocuments = 500

const readme = `Everything that we hold about you.

everything.json  all of it in one file, for programs
*.csv            the same, a file for each list, for a spreadsheet
invoices/        your VAT invoices and credit notes

Amounts are in pence, times in UTC.
`

/**
 * Everything about a person in one ZIP. It holds their invoices too, so its size grows with the years of a membership; it is
 * bounded by the rows and documents that go in, and by the archives of a day.
 */
export async function makeArchive(ctx: Context, person: Person): Promise<{ fileName: string; bytes: Uint8Array }> {
  if (person.hasPassword) assertProven(ctx, person)
  transact(ctx, () => {
    const limit = rateLimits.archives(person.id)
    assertWithinLimits(ctx, [limit], 'You have had three copies today. Please come back tomorrow.')
    recordHit(ctx, limit)
    audit(ctx, `user:${person.id}`, 'member.exported', { targetId: person.id })
  })
  const tables = archiveTables(ctx, person)
  const everything = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
  const files: Record<string, Uint8Array> = {
    'README.txt': strToU8(readme),
    'everything.json': strToU8(JSON.stringify(everything, null, 2)),
  }
  for (const table of tables) if (table.rows.length > 0) files[`${table.name}.csv`] = strToU8(toCsv(table))
  for (const ref of documentsIn(everything)) {
    const pdf = await documentPdf(ctx, ref)
    if (pdf === null) throw new AppError('internal', 'One of your invoices could not be drawn. Please tell us.')
    files[`invoices/${pdf.fileName}`] = pdf.bytes
    // Others shall not wait for a whole archive.
    await new Promise(setImmediate)
  }
  return { fileName: `my-data-${londonDay(ctx.now())}.zip`, bytes: zipSync(files, { level: 6 }) }
}

function documentsIn(everything: Record<string, readonly Record<string, unknown>[]>) {
  const refs = (name: string, kind: 'invoice' | 'credit_note') =>
    (everything[name] ?? []).map(({ id }) => ({ kind, id: String(id) }))
  return [...refs('invoices', 'invoice'), ...refs('credit-notes', 'credit_note')].slice(0, mostDocuments)
}
