import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, count, countDistinct, eq, gt, gte, isNotNull, notExists, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices, skippedNumbers } from '#api/db/schema/invoices.ts'
import { addresses, users } from '#api/db/schema/people.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { creditedAmounts, isNewest, notesOn, uninvoicedPayments } from '#api/features/invoices/queries.ts'
import { listUnknownPayments } from '#api/features/invoices/unknown-payments-queries.ts'
import type { InvoiceLint, InvoiceProblem } from '#shared/contract/accounting.ts'
import { leftByRate, type Note } from '#shared/rules/credit-note.ts'
import { invoiceNumber } from '#shared/rules/invoice-number.ts'
import { addAddress, findInvoiceProblems, type Problem } from '#shared/rules/invoice-problems.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { vatByRate } from '#shared/rules/vat-by-rate.ts'

const rowsPerPage = 200
const shown = 1000

const pagesOfInvoices = preparedQuery<{ sequence: number }>()((db, { sequence }) =>
  db
    .select({
      id: invoices.id,
      sequence: invoices.sequence,
      number: invoices.number,
      replacesId: invoices.replacesId,
      isRetroactive: invoices.isRetroactive,
      taxPoint: invoices.taxPoint,
      issuedOn: invoices.issuedOn,
      seller: invoices.seller,
      customer: invoices.customer,
      lines: invoices.lines,
      net: invoices.net,
      vat: invoices.vat,
      gross: invoices.gross,
      payment: {
        id: providerInvoices.id,
        status: providerInvoices.status,
        net: providerInvoices.net,
        vat: providerInvoices.vat,
        total: providerInvoices.total,
        paidAt: providerInvoices.paidAt,
        created: providerInvoices.created,
      },
      memberEmail: users.email,
      addressOf: addresses.userId,
    })
    .from(invoices)
    .leftJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
    .leftJoin(customers, eq(customers.id, invoices.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .leftJoin(addresses, eq(addresses.userId, users.id))
    .where(gt(invoices.sequence, sequence))
    .orderBy(asc(invoices.sequence))
    .limit(rowsPerPage),
)

type LintedInvoice = ReturnType<typeof pagesOfInvoices.all>[number]

/** A mistake in a VAT return can be put right for four years: regulation 34 of the VAT Regulations 1995. */
const yearsBack = 4

const unread = preparedQuery<{ since: string }>()((db, { since }) =>
  db
    .select({ count: countDistinct(customers.id) })
    .from(customers)
    .innerJoin(providerInvoices, eq(providerInvoices.customerId, customers.id))
    .where(and(eq(customers.waitsForReading, true), gte(providerInvoices.created, since))),
)

/** Numbering is checked whole. Page by page, so that other requests run in between and memory stays flat. */
export async function lintInvoices(ctx: Context): Promise<InvoiceLint> {
  const skipped = skippedOf.all(ctx, { series: 'invoice' })
  const isSkipped = (number: number) => skipped.some(({ first, last }) => first <= number && number <= last)
  const taken = new Set(replacedIds.all(ctx).flatMap(({ id }) => id ?? []))
  const found = createFindings()
  const since = fourYearsBefore(londonDay(ctx.billingNow()))
  let checked = 0
  for (let last = 0; ; ) {
    const page = pagesOfInvoices.all(ctx, { sequence: last })
    for (const invoice of page) {
      for (let gap = last + 1; gap < invoice.sequence; gap += 1) {
        if (isSkipped(gap)) continue
        found.add({ document: invoiceNumber(gap), problem: 'The series is broken: this number is missing.', fix: null })
      }
      last = invoice.sequence
      if (taken.has(invoice.id) || invoice.taxPoint < since || isSettled(ctx, invoice)) continue
      for (const problem of problemsOf(invoice)) found.add(problem)
    }
    checked += page.length
    if (page.length < rowsPerPage) break
    await nextTurn()
  }
  checkCreditNotes(ctx, found)
  checkPayments(ctx, found, since)
  checkWaiting(ctx, found, since)
  checkNotes(ctx, found, since)
  checkUnknown(ctx, found)
  return { checked, ...found.end(), unread: unread.get(ctx, { since })?.count ?? 0 }
}

/** Goodwill paid all of it, and it's credited whole: nothing is left to put right. */
const isSettled = (ctx: Context, { id, gross, payment }: LintedInvoice) =>
  payment?.total === 0 && creditedAmounts(ctx, id).gross === gross

const fourYearsBefore = (day: string) => `${Number(day.slice(0, 4)) - yearsBack}${day.slice(4)}`

/** Numbers left out for a recorded reason aren't gaps. */
const skippedOf = preparedQuery<{ series: string }>()((db, { series }) =>
  db
    .select({ first: skippedNumbers.first, last: skippedNumbers.last })
    .from(skippedNumbers)
    .where(eq(skippedNumbers.series, series)),
)

/** A replaced invoice has been corrected, however wrong it was. */
const replacedIds = preparedQuery()((db) =>
  db.select({ id: invoices.replacesId }).from(invoices).where(gt(invoices.replacesId, '')),
)

type Findings = ReturnType<typeof createFindings>

function createFindings() {
  const problems: InvoiceProblem[] = []
  let total = 0
  return {
    add(problem: InvoiceProblem) {
      total += 1
      if (problems.length < shown) problems.push(problem)
    },
    end: () => ({ total, problems }),
  }
}

function problemsOf({ payment, memberEmail, addressOf, ...invoice }: LintedInvoice): InvoiceProblem[] {
  const paidOn = payment === null ? null : londonDay(new Date(payment.paidAt ?? payment.created))
  const known = { number: invoice.number, memberEmail, hasAddress: addressOf !== null }
  return findInvoiceProblems(invoice, payment === null || paidOn === null ? null : { ...payment, paidOn }).map(
    (problem) => ({ document: invoice.number, ...toldOf(problem, known) }),
  )
}

type Known = { number: string; memberEmail: string | null; hasAddress: boolean }

/** A run can use an address added since. If there is none, an owner enters it on the member's page, which reissues the invoice. */
function toldOf({ says, mend, reason }: Problem, known: Known): Pick<InvoiceProblem, 'problem' | 'fix'> {
  const { number, memberEmail, hasAddress } = known
  if (mend === null) return { problem: says, fix: null }
  if (mend === 'credit') return { problem: says, fix: `alliance invoices credit ${number} --reason "${reason}"` }
  if (hasAddress) return { problem: says, fix: 'alliance invoices fix' }
  if (memberEmail === null) return { problem: `${says} Their account is gone, so you can’t add one.`, fix: null }
  return { problem: `${says} ${addAddress}`, fix: `alliance members open ${memberEmail}` }
}

const notesInSeries = preparedQuery()((db) =>
  db.select({ count: count(), last: greatest(creditNotes.sequence) }).from(creditNotes),
)

function checkCreditNotes(ctx: Context, found: Findings): void {
  const { count: notes = 0, last = 0 } = notesInSeries.get(ctx) ?? {}
  const left = skippedOf.all(ctx, { series: 'credit_note' }).filter((range) => range.last <= (last ?? 0))
  const missing = (last ?? 0) - notes - left.reduce((sum, range) => sum + range.last - range.first + 1, 0)
  if (missing !== 0) {
    found.add({ document: 'credit notes', problem: `The series is broken: ${missing} numbers are missing.`, fix: null })
  }
}

function checkPayments(ctx: Context, found: Findings, since: string): void {
  const today = londonDay(ctx.billingNow())
  for (const { id, paidAt, created } of uninvoicedPayments.all(ctx)) {
    if ((paidAt ?? created) < since) continue
    const dueOn = addDays(londonDay(new Date(paidAt ?? created)), 30)
    const when = dueOn < today ? `It was due on ${dueOn}.` : `It is due by ${dueOn}.`
    found.add({ document: id, problem: `This payment has no VAT invoice. ${when}`, fix: 'alliance invoices fix' })
  }
}

/** Credited at Stripe before such credit was read, and not here. */
const waitingRefunds = preparedQuery<{ since: string }>()((db, { since }) =>
  db
    .select({
      id: invoices.id,
      number: invoices.number,
      gross: invoices.gross,
      amount: providerRefunds.amount,
      created: providerRefunds.created,
    })
    .from(providerRefunds)
    .innerJoin(invoices, and(eq(invoices.providerInvoiceId, providerRefunds.providerInvoiceId), isNewest))
    .where(
      and(
        eq(providerRefunds.waitsForFix, true),
        gte(providerRefunds.created, since),
        notExists(
          db
            .select({ id: creditNotes.id })
            .from(creditNotes)
            .where(eq(creditNotes.providerRefundId, providerRefunds.id)),
        ),
      ),
    )
    .orderBy(asc(providerRefunds.created)),
)

function checkWaiting(ctx: Context, found: Findings, since: string): void {
  for (const { id, number, gross, amount, created } of waitingRefunds.all(ctx, { since })) {
    if (creditedAmounts(ctx, id).gross === gross) continue
    const when = formatLongDate(londonDay(new Date(created)))
    const problem = `Stripe credited ${formatPoundsAndPence(amount)} of it on ${when}, but we haven’t issued a credit note.`
    found.add({ document: number, problem, fix: 'alliance invoices fix' })
  }
}

const notedRefunds = preparedQuery<{ since: string }>()((db, { since }) =>
  db
    .select({
      document: creditNotes.number,
      lines: creditNotes.lines,
      named: providerRefunds.lines,
      invoice: { id: invoices.id, number: invoices.number, gross: invoices.gross, lines: invoices.lines },
    })
    .from(creditNotes)
    .innerJoin(invoices, and(eq(invoices.id, creditNotes.invoiceId), isNewest))
    .innerJoin(providerRefunds, eq(providerRefunds.id, creditNotes.providerRefundId))
    .where(and(gte(creditNotes.issuedOn, since), or(isNotNull(creditNotes.lines), isNotNull(providerRefunds.lines))))
    .orderBy(asc(creditNotes.sequence)),
)

/**
 * What's issued before it was read which lines Stripe's credit note names is for a share of every line, and what's issued before a
 * rate was the limit may have gone below nought at it. Where all of an invoice is credited, its notes are right together.
 */
function checkNotes(ctx: Context, found: Findings, since: string): void {
  const told = new Set<string>()
  for (const { document, lines, named, invoice } of notedRefunds.all(ctx, { since })) {
    const { id, number, gross } = invoice
    const fix = (reason: string) => `alliance invoices credit ${number} --reason "${reason}"`
    if (told.has(id) || creditedAmounts(ctx, id).gross === gross) continue
    const rate = rateBelowNought(invoice, notesOn(ctx, invoice))
    if (lines === null && named !== null) {
      const what = [...new Set(named.map(({ description }) => description))].join(', ')
      const problem = `It’s for a share of every line, but Stripe’s credit note is for ${what}.`
      found.add({ document, problem, fix: fix(`Credit note ${document} was for the wrong lines`) })
    } else if (rate !== undefined) {
      const problem = `Its credit notes credit more at ${rate}% than it charged.`
      found.add({ document: number, problem, fix: fix(`Credit notes credited too much at ${rate}%`) })
    } else continue
    told.add(id)
  }
}

function rateBelowNought(invoice: Pick<LintedInvoice, 'lines'>, notes: readonly Note[]): number | undefined {
  const isCredit = (rate: number) => vatByRate(invoice.lines).some((of) => of.rate === rate && of.net < 0)
  return leftByRate(invoice, notes).find(({ rate, net, vat }) => Math.min(net, vat) < 0 && !isCredit(rate))?.rate
}

const leftOut = preparedQuery()((db) =>
  db.select({ documents: skippedNumbers.documents }).from(skippedNumbers).where(eq(skippedNumbers.series, 'invoice')),
)
const paymentById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: providerInvoices.id }).from(providerInvoices).where(eq(providerInvoices.id, id)),
)

/** Payments after the restored backup and the numbers the restore left out belong together. */
function checkUnknown(ctx: Context, found: Findings): void {
  const commandOf = new Map(listUnknownPayments(ctx, ctx.now()).map(({ id, command }) => [id, `alliance ${command}`]))
  for (const [document, id] of leftOut.all(ctx).flatMap(({ documents }) => Object.entries(documents ?? {}))) {
    if (paymentById.get(ctx, { id }) !== undefined) continue
    const problem = `A restore left this number out, and its payment ${id} isn’t in the books.`
    found.add({ document, problem, fix: commandOf.get(id) ?? 'alliance jobs run reconcile --all' })
    commandOf.delete(id)
  }
  for (const [document, fix] of commandOf) {
    found.add({ document, problem: 'Stripe has this payment, and it isn’t in the books.', fix })
  }
}

const lintedById = preparedQuery<{ sequence: number }>()((db, { sequence }) =>
  db.select({ sequence: invoices.sequence }).from(invoices).where(eq(invoices.sequence, sequence)),
)

export function problemsOfInvoice(ctx: Context, sequence: number): string[] {
  if (lintedById.get(ctx, { sequence }) === undefined) return []
  const [invoice] = pagesOfInvoices.all(ctx, { sequence: sequence - 1 })
  return invoice === undefined ? [] : problemsOf(invoice).map(({ problem }) => problem)
}
