import { and, asc, count, desc, eq, gt, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { userIdOfCustomer } from '#api/db/customers.ts'
import { greatest, jsonFieldOf, nullable, total } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices, skippedNumbers } from '#api/db/schema/invoices.ts'
import { addresses, users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { areNumbersOpen } from '#api/features/invoices/left-out-numbers-service.ts'
import { uninvoicedPayments } from '#api/features/invoices/queries.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { plural } from '#shared/rules/plural.ts'
import {
  type Check,
  failed,
  firstFew,
  named,
  ok,
  type Part,
  runCheck,
  runs,
  runsPlanned,
  shows,
  warning,
} from './check-rules.ts'

export function checkInvoices(db: Db, billingNow: () => Date): Check[] {
  return [
    runCheck('document numbers', () => findNumberGaps(db)),
    runCheck('VAT invoices', () => findMissingInvoices(db)),
    runCheck('invoice addresses', () => findMissingAddresses(db)),
    runCheck('lines without VAT', () => findUntaxedLines(db, billingNow)),
    runCheck('commission', () => findMissingCommission(db)),
  ]
}

/** A month and a day: the next payment says whether the rate is there now. What was paid without one stays so. */
const untaxedDays = 32

/** Payments of the last month whose lines Stripe didn't tax. */
function findUntaxedLines(db: Db, billingNow: () => Date): Check {
  const name = 'lines without VAT'
  const since = new Date(billingNow().getTime() - untaxedDays * dayMs).toISOString()
  const found = db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .where(
      sql`${providerInvoices.created} > ${since} and ${providerInvoices.isHistory} = 0
        and ${providerInvoices.status} = 'paid' and exists (
        select 1 from json_each(${providerInvoices.lines}) where json_extract("value", '$.isUntaxed'))`,
    )
    .orderBy(desc(providerInvoices.created))
    .all()
  if (found.length === 0) return ok(name, 'Every payment of the last month has a tax rate.')
  const ids = firstFew(found.map(({ id }) => id))
  return warning(
    name,
    `${plural(found.length, 'payment')} at Stripe had no tax rate, so we’ve counted 20% VAT as included: ${ids}. Add the rate in Stripe.`,
  )
}

function findNumberGaps(db: Db): Check {
  const name = 'document numbers'
  if (areNumbersOpen({ db })) {
    const message =
      'You restored a backup. No invoices go out until you tell us which numbers were used after it was made.'
    return failed(name, `${message} See: alliance invoices numbers`, named(shows('invoices numbers')))
  }
  const series = [
    { table: invoices, name: 'invoice', key: 'invoice' as const },
    { table: creditNotes, name: 'credit note', key: 'credit_note' as const },
  ]
  const skipped = db.select().from(skippedNumbers).all()
  const leftOut = (key: string) =>
    skipped.reduce((sum, { series, first, last }) => sum + (series === key ? last - first + 1 : 0), 0)
  const broken = series.filter(({ table, key }) => {
    const row = db
      .select({ count: count(), last: greatest(table.sequence) })
      .from(table)
      .get()
    const behind = skipped.filter(({ series, first }) => series === key && first > (row?.last ?? 0))
    const ahead = behind.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    return (row?.count ?? 0) + leftOut(key) !== (row?.last ?? 0) + ahead
  })
  if (broken.length === 0 && skipped.length > 0) {
    const count = skipped.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    return ok(name, `No gaps, apart from ${plural(count, 'number')} recorded as skipped.`)
  }
  if (broken.length === 0) return ok(name, 'No gaps.')
  return failed(name, `Numbers are missing: ${broken.map((one) => one.name).join(', ')}.`, shows('invoices lint'))
}

/** What “Fix invoices” can mend: a payment without an invoice, or an invoice whose address came later. */
function findMissingInvoices(db: Db): Check {
  const name = 'VAT invoices'
  const uninvoiced = uninvoicedPayments.all({ db }).map(({ id }) => id)
  const incomplete = invoicesWithoutAddress(db).filter(({ hasAddressNow }) => hasAddressNow)
  const payments = plural(uninvoiced.length, 'payment has', 'payments have')
  const said = [
    uninvoiced.length > 0 ? `${payments} no invoice: ${firstFew(uninvoiced)}.` : '',
    incomplete.length > 0 ? `Without the address we have now: ${firstFew(numbersOf(incomplete))}.` : '',
  ].filter(Boolean)
  if (said.length === 0) return ok(name, 'Every payment has an invoice.')
  return warning(name, `${said.join(' ')} Create with: alliance invoices fix`, named(runsPlanned('invoices fix')))
}

/** Only the customer knows the address, so no command helps. */
function findMissingAddresses(db: Db): Check {
  const name = 'invoice addresses'
  const incomplete = invoicesWithoutAddress(db).filter(({ hasAddressNow }) => !hasAddressNow)
  if (incomplete.length === 0) return ok(name, 'We have the address for every invoice.')
  const people = [...Map.groupBy(incomplete, ({ customerId }) => customerId).values()]
  const shown = people.slice(0, mostPeople).flatMap(askForAddress)
  const left = people.length - mostPeople
  const rest =
    left > 0 ? [{ message: `${plural(left, 'more person’s', 'more people’s')} invoices have no address.` }] : []
  const message = `Without the customer’s address: ${firstFew(numbersOf(incomplete))}.`
  return { ...warning(name, message, shows('invoices lint')), parts: [...shown, ...rest] }
}

const mostPeople = 5

type Incomplete = ReturnType<typeof invoicesWithoutAddress>[number]

const numbersOf = (rows: readonly Incomplete[]) => rows.map(({ number }) => number)

function askForAddress(rows: readonly Incomplete[]): Part[] {
  return rows.slice(0, 1).map(({ memberId, name }) => ({
    message: `We haven’t got ${name}’s address for ${rows.length === 1 ? 'invoice' : 'invoices'} ${firstFew(numbersOf(rows))}.`,
    ...(memberId === null ? {} : { member: { id: memberId, name } }),
  }))
}

/** Leaves out removed members, who can't add an address, and invoices credited in full. */
function invoicesWithoutAddress(db: Db) {
  const newer = alias(invoices, 'newer')
  const credited = db
    .select({ gross: total(creditNotes.gross) })
    .from(creditNotes)
    .where(eq(creditNotes.invoiceId, invoices.id))
  return db
    .select({
      number: invoices.number,
      customerId: invoices.customerId,
      memberId: nullable(users.id, userIdOfCustomer()),
      name: jsonFieldOf(invoices.customer, 'name').mapWith(String),
      hasAddressNow: isNotNull(addresses.userId).mapWith(Boolean),
    })
    .from(invoices)
    .innerJoin(customers, eq(customers.id, invoices.customerId))
    .leftJoin(addresses, eq(addresses.userId, userIdOfCustomer()))
    .where(
      and(
        eq(invoices.isMissingAddress, true),
        isNull(customers.removedAt),
        gt(invoices.gross, credited),
        notExists(db.select({ id: newer.id }).from(newer).where(eq(newer.replacesId, invoices.id))),
      ),
    )
    .orderBy(asc(invoices.sequence))
    .all()
}

function findMissingCommission(db: Db): Check {
  const name = 'commission'
  const lines = db
    .select({ id: commissionLedger.id })
    .from(commissionLedger)
    .where(and(eq(commissionLedger.invoiceId, invoices.id), eq(commissionLedger.kind, 'invoice')))
  const missing = db
    .select({ number: invoices.number })
    .from(invoices)
    .where(and(isNotNull(invoices.tierSlug), isNull(invoices.replacesId), notExists(lines)))
    .orderBy(asc(invoices.sequence))
    .all()
    .map(({ number }) => number)
  if (missing.length === 0) return ok(name, 'Every membership invoice is in the ledger.')
  return warning(
    name,
    `${plural(missing.length, 'invoice')} missing from the commission ledger: ${firstFew(missing)}.`,
    runs('jobs run month-end'),
  )
}
