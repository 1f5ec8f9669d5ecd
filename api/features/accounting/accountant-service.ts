import { asc, between } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { balanceTransactions } from '#api/db/schema/provider.ts'
import { renderPdf } from '#api/documents/pdf-renderer.ts'
import { type ZipFile, zipParts } from '#api/documents/zip-parts.ts'
import { statementFile } from '#api/features/earnings/commission/statement-service.ts'
import { earned } from '#api/features/earnings/earned/service.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import { exportedInvoices } from '#api/features/invoices/export-service.ts'
import { documentsBetween } from '#api/features/invoices/queries.ts'
import { logoForDocument } from '#api/features/media/photograph-service.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { periodSpan } from '#shared/contract/earned.ts'
import { withByteOrderMark } from '#shared/rules/csv.ts'
import { sumOfEarned } from '#shared/rules/earned.ts'
import { daysOf, monthsOf, periodName } from '#shared/rules/periods.ts'
import { balanceRows, coverSheet, earnedRows } from './accountant-rules.ts'

/** One ZIP with everything an accountant asks for. Fails if a document can’t be drawn: a partial one mustn’t look complete. */
export const accountantZip = (ctx: Context, period: string) => ({
  fileName: fileNameOf(ctx, period),
  pieces: zipParts(filesOf(ctx, period)),
})

/** Said as people do, because it’s sent on: “The Alliance accounts, Jul to Sep 2026.zip”. */
function fileNameOf(ctx: Context, period: string): string {
  const { brand } = contentOf(ctx).read().site
  const when = period.includes('/') ? `tax year ${period}` : periodName(period)
  return `${brand.name} accounts, ${when}.zip`.replaceAll('/', '-')
}

const utf8 = new TextEncoder()
const bytesOf = function* (texts: Iterable<string>) {
  for (const text of withByteOrderMark(texts)) yield utf8.encode(text)
}

async function* filesOf(ctx: Context, period: string): AsyncGenerator<ZipFile> {
  const days = daysOf(period)
  const months = earnedIn(ctx, period)
  const refs = documentsBetween(ctx, days)
  yield { name: 'cover-sheet.pdf', parts: [await drawCover(ctx, period, refs)] }
  yield { name: 'earned.csv', parts: bytesOf(earnedRows(months)) }
  yield { name: 'invoices.csv', parts: bytesOf(exportedInvoices(ctx, days)) }
  yield { name: 'stripe-balance.csv', parts: bytesOf(balanceRows(transactionsWithin.all(ctx, days))) }
  for (const { period: month, commission } of months) {
    if (commission === 0) continue
    const { fileName, bytes } = await statementFile(ctx, month)
    yield { name: `commission/${fileName}`, parts: [bytes] }
  }
  for (const ref of refs) {
    const file = await documentPdf(ctx, ref)
    if (file !== null) yield { name: `invoices/${file.fileName}`, parts: [file.bytes] }
  }
}

/** The period’s months so far, oldest first. */
function earnedIn(ctx: Context, period: string) {
  const months = monthsOf(period)
  return earned(ctx)
    .lines.filter((line) => months.includes(line.period))
    .toReversed()
}

async function drawCover(ctx: Context, period: string, refs: readonly { kind: string }[]): Promise<Uint8Array> {
  const { brand } = contentOf(ctx).read().site
  const line = earned(ctx, periodSpan(period)).lines.find((one) => one.period === period) ?? sumOfEarned(period, [])
  const document = coverSheet({
    title: `Accounts for ${periodName(period)}`,
    line,
    days: daysOf(period),
    seller: siteSettings(ctx).seller,
    accent: brand.colours.accent,
    createdAt: ctx.billingNow().toISOString(),
    invoices: refs.filter(({ kind }) => kind === 'invoice').length,
    creditNotes: refs.filter(({ kind }) => kind !== 'invoice').length,
  })
  return renderPdf(document, await logoForDocument(ctx, brand.logo))
}

const transactionsWithin = preparedQuery<{ from: string; to: string }>()((db, { from, to }) =>
  db
    .select()
    .from(balanceTransactions)
    .where(between(balanceTransactions.createdOn, from, to))
    .orderBy(asc(balanceTransactions.createdOn), asc(balanceTransactions.id)),
)
