import { asc } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { skippedNumbers } from '#api/db/schema/invoices.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { AppError } from '#api/errors.ts'
import type { DocumentNumbers, SkipNumbersRequest } from '#shared/contract/invoices.ts'
import { creditNoteNumber, invoiceNumber, sequenceOf } from '#shared/rules/invoice-number.ts'
import { countUninvoiced, lastCreditNoteSequence, lastInvoiceSequence } from './queries.ts'

/** What a restore left open: numbers that were given after the backup, which nobody knows here. */
const openKey = 'open_numbers'
const OpenNumbers = v.object({ madeAt: v.string() })

/** A slip of the finger must not leave out a series: no restore loses so many documents. */
const mostAtOnce = 10_000

const openNumbers = (ctx: HasDb) => {
  const parsed = v.safeParse(OpenNumbers, readSetting(ctx, openKey)?.value)
  return parsed.success ? parsed.output : null
}

/** Whether documents wait until an owner has said which numbers were given after the backup that was restored. */
export const areNumbersOpen = (ctx: HasDb): boolean => openNumbers(ctx) !== null

/** The last defence of a number: whoever asks for a document meanwhile is told why there is none. */
export function assertNumbersKnown(ctx: Context): void {
  if (!areNumbersOpen(ctx)) return
  throw new AppError(
    'conflict',
    'A backup was restored, and the numbers given after it are not known yet. "alliance invoices numbers" says what to do.',
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
    open: open === null ? null : { madeAt: open.madeAt, payments: countUninvoiced(ctx) },
    skipped: skippedRanges.all(ctx).map(({ series, first, last, reason, createdAt }) => ({
      ...{ first: numberOf[series](first), last: numberOf[series](last), reason, createdAt },
    })),
  }
}

/** Leaves numbers out for good, and lets documents be issued again where a restore had stopped that. */
export function skipNumbers(ctx: Context, actor: string, { upTo, reason }: SkipNumbersRequest): DocumentNumbers {
  return transact(ctx, () => {
    for (const number of upTo) {
      const found = sequenceOf(number)
      if (found !== null) skipUpTo(ctx, found, reason)
    }
    if (areNumbersOpen(ctx)) writeSetting(ctx, openKey, false)
    audit(ctx, actor, 'invoices.skipped', { detail: { upTo, reason } })
    return documentNumbers(ctx)
  })
}

type UpTo = { series: Series; sequence: number }

function skipUpTo(ctx: Context, { series, sequence: last }: UpTo, reason: string): void {
  const first = lastOf[series](ctx) + 1
  const number = numberOf[series](last)
  if (last < first)
    throw new AppError('conflict', `${number} is given already: the next is ${numberOf[series](first)}.`)
  if (last - first >= mostAtOnce) {
    throw new AppError('conflict', `From ${numberOf[series](first)} to ${number} are too many to leave out at once.`)
  }
  insertRow(ctx, skippedNumbers, { series, first, last, reason, createdAt: ctx.now().toISOString() })
}

/** How far the series of another copy of this database have come. */
export type LastNumbers = { invoices: number; creditNotes: number }

/**
 * After a restore: the numbers that the replaced database had given are left out. Where there was none to read (`given` is
 * null) nobody here knows them, and so documents wait until an owner says.
 */
export function settleRestoredNumbers(
  ctx: Context,
  { given, madeAt, reason }: { given: LastNumbers | null; madeAt: string; reason: string },
): DocumentNumbers {
  return transact(ctx, () => {
    if (given === null) writeSetting(ctx, openKey, { madeAt })
    else {
      const behind: UpTo[] = [
        { series: 'invoice', sequence: given.invoices },
        { series: 'credit_note', sequence: given.creditNotes },
      ]
      for (const one of behind) if (one.sequence > lastOf[one.series](ctx)) skipUpTo(ctx, one, reason)
    }
    return documentNumbers(ctx)
  })
}
