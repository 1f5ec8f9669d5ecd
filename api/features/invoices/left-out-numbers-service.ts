import { asc } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { DocumentSource } from '#api/db/carry-over.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { skippedNumbers } from '#api/db/schema/invoices.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { AppError } from '#api/errors.ts'
import type { DocumentNumbers, SkipNumbersRequest } from '#shared/contract/invoices.ts'
import { creditNoteNumber, invoiceNumber, sequenceOf } from '#shared/rules/invoice-number.ts'
import { lastCreditNoteSequence, lastInvoiceSequence, newestInvoice, uninvoicedPayments } from './queries.ts'

/** After a restore: numbers may have been given after the backup that we don't know. */
const openKey = 'open_numbers'
const OpenNumbers = v.object({ madeAt: v.string() })

/** Guards against a typo leaving out a whole series. No restore loses this many documents. */
const mostAtOnce = 10_000

function openNumbers(ctx: HasDb) {
  const parsed = v.safeParse(OpenNumbers, readSetting(ctx, openKey)?.value)
  return parsed.success ? parsed.output : null
}

/** Whether we hold documents until an owner says which numbers were given after the restored backup. */
export const areNumbersOpen = (ctx: HasDb): boolean => openNumbers(ctx) !== null

/** The last check before giving a number. Tells anyone who asks for a document why there is none yet. */
export function assertNumbersKnown(ctx: Context): void {
  if (!areNumbersOpen(ctx)) return
  throw new AppError(
    'conflict',
    'You restored a backup, and we don’t know the invoice numbers issued after it. See: alliance invoices numbers',
  )
}

const skippedRanges = preparedQuery()((db) =>
  db.select().from(skippedNumbers).orderBy(asc(skippedNumbers.series), asc(skippedNumbers.first)),
)

const numberOf = { invoice: invoiceNumber, credit_note: creditNoteNumber }
const lastOf = { invoice: lastInvoiceSequence, credit_note: lastCreditNoteSequence }
type Series = keyof typeof numberOf

export function documentNumbers(ctx: Context): DocumentNumbers {
  const open = openNumbers(ctx)
  return {
    nextInvoice: invoiceNumber(lastInvoiceSequence(ctx) + 1),
    nextCreditNote: creditNoteNumber(lastCreditNoteSequence(ctx) + 1),
    open: open === null ? null : { madeAt: open.madeAt, payments: uninvoicedPayments.all(ctx).length },
    skipped: skippedRanges.all(ctx).map(({ series, first, last, reason, documents, createdAt }) => ({
      first: numberOf[series](first),
      last: numberOf[series](last),
      reason,
      createdAt,
      documents: documents ?? {},
    })),
  }
}

/** The number left out with this payment's or refund's document. If there are several, the last one, which replaced the others. */
export function leftOutNumberOf(ctx: HasDb, series: Series, cause: string): string | null {
  const ranges = skippedRanges.all(ctx).filter((range) => range.series === series)
  const numbers = ranges.flatMap(({ documents }) => Object.entries(documents ?? {}))
  return numbers.findLast(([, of]) => of === cause)?.[0] ?? null
}

/** Leaves numbers out for good, and lifts a restore's hold on issuing documents. */
export function skipNumbers(
  ctx: Context,
  actor: string,
  { upTo, reason, documents }: SkipNumbersRequest,
): DocumentNumbers {
  return transact(ctx, () => {
    const unsaid = new Map(Object.entries(documents))
    for (const cause of unsaid.values()) assertWithoutInvoice(ctx, cause)
    for (const number of upTo) {
      const found = sequenceOf(number)
      if (found === null) continue
      if (found.sequence - lastOf[found.series](ctx) > mostAtOnce) {
        throw new AppError('conflict', `That would skip too many numbers. Is ${number} the right one?`)
      }
      skipUpTo(ctx, found, { reason, documents: takeWithin(ctx, found, unsaid) })
    }
    for (const number of unsaid.keys()) throw new AppError('conflict', `${number} isn’t one of the skipped numbers.`)
    if (areNumbersOpen(ctx)) writeSetting(ctx, openKey, false)
    audit(ctx, actor, 'invoices.skipped', { detail: { upTo, reason } })
    return documentNumbers(ctx)
  })
}

/** Documents never change, so one that's already issued can't be told what it replaces. */
function assertWithoutInvoice(ctx: Context, cause: string): void {
  const invoice = newestInvoice(ctx, cause)
  if (invoice !== undefined) throw new AppError('conflict', `Payment ${cause} already has invoice ${invoice.number}.`)
}

/** Takes the entries whose numbers this range leaves out. */
function takeWithin(ctx: Context, { series, sequence: last }: UpTo, said: Map<string, string>): Causes {
  const first = lastOf[series](ctx) + 1
  const own = [...said].filter(([number]) => {
    const found = sequenceOf(number)
    return found?.series === series && first <= found.sequence && found.sequence <= last
  })
  for (const [number] of own) said.delete(number)
  return Object.fromEntries(own)
}

type UpTo = { series: Series; sequence: number }
/** By number: the payment or refund its document was for. */
type Causes = Record<string, string>

function skipUpTo(
  ctx: Context,
  { series, sequence: last }: UpTo,
  { reason, documents }: { reason: string; documents: Causes },
): void {
  const first = lastOf[series](ctx) + 1
  const number = numberOf[series](last)
  if (last < first) throw new AppError('conflict', `${number} is already used. The next is ${numberOf[series](first)}.`)
  insertRow(ctx, skippedNumbers, { series, first, last, reason, documents, createdAt: ctx.now().toISOString() })
}

export type LastNumbers = { invoices: number; creditNotes: number }

type Settlement = {
  given: LastNumbers | null
  /** The replaced database; null if there was none. */
  source: DocumentSource | null
  madeAt: string
  reason: string
}

/**
 * Copies in the documents issued since the backup, and leaves out the numbers it can't copy. Without a database to read (`given` is
 * null), holds documents until an owner gives the numbers. Returns the numbers copied.
 */
export function settleRestoredNumbers(ctx: Context, { given, source, madeAt, reason }: Settlement): string[] {
  return transact(ctx, () => {
    if (given === null) {
      writeSetting(ctx, openKey, { madeAt })
      return []
    }
    const invoices = { series: 'invoice', sequence: given.invoices } as const
    const notes = { series: 'credit_note', sequence: given.creditNotes } as const
    return [invoices, notes].flatMap((upTo) => catchUp(ctx, upTo, { source, reason }))
  })
}

/** One at a time, because each takes the next number. Adjacent missing numbers become one range. */
function catchUp(
  ctx: Context,
  { series, sequence: last }: UpTo,
  { source, reason }: Pick<Settlement, 'source' | 'reason'>,
) {
  const carried: string[] = []
  let lost: { sequence: number; documents: Causes } | null = null
  const closeRange = () => {
    if (lost !== null) skipUpTo(ctx, { series, sequence: lost.sequence }, { reason, documents: lost.documents })
    lost = null
  }
  for (let sequence = lastOf[series](ctx) + 1; sequence <= last; sequence += 1) {
    const number = numberOf[series](sequence)
    if (lost !== null && source?.canCarryOver(ctx.sqlite, series, sequence)) closeRange()
    if (lost === null && source?.carryOver(ctx.sqlite, series, sequence)) carried.push(number)
    else {
      const cause = source?.causeOf(series, sequence, number) ?? null
      const documents: Causes = { ...lost?.documents, ...(cause === null ? {} : { [number]: cause }) }
      lost = { sequence, documents }
    }
  }
  closeRange()
  return carried
}
