import type { balanceTransactions } from '#api/db/schema/provider.ts'
import type { StatementDocument } from '#api/documents/statement-pdf.ts'
import type { EarnedLine } from '#shared/contract/earned.ts'
import { csvRow } from '#shared/rules/csv.ts'
import { timingNotes } from '#shared/rules/earned.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

/** A number, so that a spreadsheet can add it up; nothing where we don’t know. */
const pounds = (pence: number | null) => (pence === null ? null : pence / 100)

const earnedHead = ['month', 'takenPounds', 'refundedPounds', 'vatPounds', 'feesPounds', 'commissionPounds']
const bridgeHead = ['leftPounds', 'balanceBeforePounds', 'paidOutPounds', 'balanceAfterPounds', 'note']

export function* earnedRows(months: readonly EarnedLine[]): Generator<string, void> {
  yield csvRow([...earnedHead, ...bridgeHead])
  for (const { period, bridge, ...line } of months) {
    yield csvRow([
      ...[period, ...[line.taken, line.refunded, line.vat, line.fees, line.commission, line.left].map(pounds)],
      ...[bridge?.before ?? null, bridge?.paidOut ?? null, bridge?.after ?? null].map(pounds),
      timingNotes({ period, bridge, ...line }).join(' '),
    ])
  }
}

const balanceHead = ['id', 'day', 'kind', 'amountPounds', 'feePounds', 'netPounds', 'availableOn', 'source']

export function* balanceRows(rows: readonly (typeof balanceTransactions.$inferSelect)[]): Generator<string, void> {
  yield csvRow(balanceHead)
  for (const { id, createdOn, kind, amount, fee, availableOn, source } of rows)
    yield csvRow([id, createdOn, kind, pounds(amount), pounds(fee), pounds(amount - fee), availableOn, source])
}

type Cover = {
  title: string
  line: EarnedLine
  days: { from: string; to: string }
  seller: { name: string; vatNumber: string }
  accent: string
  createdAt: string
  invoices: number
  creditNotes: number
}

/** The first page: whose books, for which days, what’s in the ZIP, and the sums. */
export function coverSheet({ title, line, days, seller, ...cover }: Cover): StatementDocument {
  const { taken, refunded, vat, fees, commission, left } = line
  const known = fees !== null && left !== null
  return {
    kind: 'statement',
    title,
    seller: seller.name,
    accent: cover.accent,
    createdAt: cover.createdAt,
    remarks: [
      [seller.name, seller.vatNumber && `VAT ${seller.vatNumber}`].filter(Boolean).join(', '),
      `${formatLongDate(days.from)} to ${formatLongDate(days.to)}, made on ${formatLongDate(cover.createdAt)}.`,
      `${plural(cover.invoices, 'invoice')} and ${plural(cover.creditNotes, 'credit note')}, as PDFs and in invoices.csv.`,
      'earned.csv has these totals by month. stripe-balance.csv has everything in and out of the Stripe balance.',
      'Money counts on the day it came in or went out. VAT counts by tax point, as in box 1 of the VAT return. Commission counts in the month of its statement.',
      ...timingNotes(line),
      ...(known ? [bridgeSentence(line)] : ['We don’t have Stripe’s fees for all of these months.']),
    ],
    sums: [
      { label: 'Taken', amount: taken },
      { label: 'Refunded', amount: 0 - refunded },
      { label: 'VAT (box 1)', amount: 0 - vat },
      ...(known ? [{ label: 'Stripe’s fees', amount: 0 - fees }] : []),
      { label: 'Commission', amount: 0 - commission },
    ],
    closing: known
      ? { label: 'What’s left', amount: left }
      : { label: 'What’s left, before Stripe’s fees', amount: taken - refunded - vat - commission },
    lines: null,
  }
}

function bridgeSentence({ bridge }: EarnedLine): string {
  const [before, out, after] = [bridge?.before ?? 0, bridge?.paidOut ?? 0, bridge?.after ?? 0].map(formatPoundsAndPence)
  return `The Stripe balance started at ${before} and ended at ${after}. ${out} was paid out to the bank.`
}
