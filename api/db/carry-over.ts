import type { Database as Sqlite } from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { DocumentSeries } from '#shared/rules/invoice-number.ts'
import { openForeign } from './own-schema.ts'
import { customers } from './schema/customers.ts'
import { creditNotes, invoices, skippedNumbers } from './schema/invoices.ts'
import { mailOutbox } from './schema/mail.ts'
import { users } from './schema/people.ts'
import { providerInvoices, providerRefunds } from './schema/provider.ts'
import { renewalNotices } from './schema/renewal-notices.ts'
import { subscriptions } from './schema/subscriptions.ts'

/** Rows of another database of this product, of any version. */
type Row = Readonly<Record<string, unknown>>

export type DocumentSource = {
  /**
   * Whether it continued the database in `sqlite`: it has the same people and isn't behind with documents. A new site begun in
   * its place, or an older copy, doesn't know which documents were issued. Null if too much is damaged to tell.
   */
  continues(sqlite: Sqlite): boolean | null
  /** Whether the document exists here, and `sqlite` knows who it was issued to. */
  canCarryOver(sqlite: Sqlite, series: DocumentSeries, sequence: number): boolean
  /**
   * Copies the document as it was issued into `sqlite`, with Stripe's record behind it and the email that delivered it. False if
   * there's none, or if `sqlite` lacks the rows it refers to.
   */
  carryOver(sqlite: Sqlite, series: DocumentSeries, sequence: number): boolean
  /** Copies what members have been told of payments since, with the emails, so that no one hears it twice. */
  carryOverNotices(sqlite: Sqlite): void
  /** The Stripe payment or refund behind that number. Known even if the document is lost here too. */
  causeOf(series: DocumentSeries, sequence: number, number: string): string | null
  close(): void
}

/** Opens the replaced database. Null if it can't be read. */
export function openDocumentSource(file: string): DocumentSource | null {
  try {
    const source = openForeign(file)
    return {
      continues: (sqlite) => whereReadable(() => isContinued({ source, sqlite })),
      canCarryOver: (sqlite, series, sequence) => hasParent({ source, sqlite }, parents[series], sequence),
      carryOver: (sqlite, series, sequence) =>
        (series === 'invoice' ? copyInvoice : copyCreditNote)({ source, sqlite }, sequence),
      carryOverNotices: (sqlite) => copyNotices({ source, sqlite }),
      causeOf: (series, sequence, number) =>
        textOrNull(findRow(source, parents[series].number, sequence)?.[causes[series].name]) ??
        causeOfLost(source, number),
      close: () => source.close(),
    }
  } catch {
    return null
  }
}

function isContinued(pair: Pair): boolean | null {
  const isOfSamePeople =
    whereReadable(() => knowsOldest(pair, users.id)) ??
    // If the accounts can't be read, shared customers prove it, but their absence doesn't disprove it.
    (whereReadable(() => knowsOldest(pair, customers.id)) || null)
  return isOfSamePeople && !isBehind(pair)
}

function whereReadable(read: () => boolean | null): boolean | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Whether the two share any of the oldest rows: some may have been deleted since. */
const knowsOldest = ({ source, sqlite }: Pair, column: SQLiteColumn): boolean =>
  sqlite
    .prepare<[], string>(`select "${column.name}" from "${getTableName(column.table)}" order by 1 limit 50`)
    .pluck()
    .all()
    .some((id) => findRow(source, column, id) !== undefined)

const isBehind = ({ source, sqlite }: Pair): boolean =>
  [invoices.sequence, creditNotes.sequence].some(({ name, table }) => {
    const sql = `select coalesce(max("${name}"), 0) from "${getTableName(table)}"`
    const last = (of: Sqlite) => Number(of.prepare(sql).pluck().get())
    return last(source) < last(sqlite)
  })

const parents = {
  invoice: { number: invoices.sequence, column: invoices.customerId, parent: customers.id },
  credit_note: { number: creditNotes.sequence, column: creditNotes.invoiceId, parent: invoices.id },
}
const causes = { invoice: invoices.providerInvoiceId, credit_note: creditNotes.providerRefundId }
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What an earlier restore recorded. Databases of older versions have no such table. */
function causeOfLost(source: Sqlite, number: string): string | null {
  const { name, table } = skippedNumbers.documents
  const known = source.prepare(`select 1 from pragma_table_info('${getTableName(table)}') where name = '${name}'`).get()
  if (known === undefined) return null
  const sql = `select json_extract("${name}", ?) from "${getTableName(table)}" where json_extract("${name}", ?) is not null`
  return textOrNull(source.prepare(sql).pluck().get(`$."${number}"`, `$."${number}"`))
}
type Parent = Record<'number' | 'column' | 'parent', SQLiteColumn>

function hasParent({ source, sqlite }: Pair, { number, column, parent }: Parent, sequence: number) {
  const row = findRow(source, number, sequence)
  return row !== undefined && findRow(sqlite, parent, row[column.name]) !== undefined
}

type Pair = { source: Sqlite; sqlite: Sqlite }

const findRow = (sqlite: Sqlite, column: SQLiteColumn, value: unknown): Row | undefined =>
  sqlite.prepare<[unknown], Row>(`select * from "${getTableName(column.table)}" where "${column.name}" = ?`).get(value)

function copyInvoice(pair: Pair, sequence: number): boolean {
  const row = findRow(pair.source, invoices.sequence, sequence)
  if (row === undefined) return false
  return runWhole(pair, () => {
    copyProviderRow(pair, providerInvoices, row[invoices.providerInvoiceId.name])
    insertKnownColumns(pair.sqlite, invoices, row)
    copyMail(pair, `receipt:${String(row[invoices.id.name])}`)
  })
}

function copyCreditNote(pair: Pair, sequence: number): boolean {
  const row = findRow(pair.source, creditNotes.sequence, sequence)
  if (row === undefined) return false
  return runWhole(pair, () => {
    copyProviderRow(pair, providerRefunds, row[creditNotes.providerRefundId.name])
    insertKnownColumns(pair.sqlite, creditNotes, row)
    copyMail(pair, `refund:${String(row[creditNotes.providerRefundId.name])}`)
  })
}

/** One that's known already is refused. A database of an older version has no such table, and a damaged one may not be read. */
function copyNotices(pair: Pair): void {
  const told = () => pair.source.prepare<[], Row>(`select * from "${getTableName(renewalNotices)}"`).all()
  const copy = (row: Row) => {
    insertKnownColumns(pair.sqlite, renewalNotices, row)
    copyMail(pair, String(row[renewalNotices.cause.name]))
  }
  runWhole(pair, () => {
    for (const row of told()) runWhole(pair, () => copy(row))
  })
}

/** Does all of it or nothing. Leaves out rows the database rejects, because their customer came after the backup. */
function runWhole({ sqlite }: Pair, work: () => void): boolean {
  try {
    sqlite.transaction(work)()
    return true
  } catch {
    return false
  }
}

/** Leaves out a subscription that isn't known here. The next sync with Stripe fills it in. */
function copyProviderRow(
  { source, sqlite }: Pair,
  table: typeof providerInvoices | typeof providerRefunds,
  id: unknown,
): void {
  if (id === null || findRow(sqlite, table.id, id) !== undefined) return
  const row = findRow(source, table.id, id)
  if (row === undefined) return
  const { name } = providerInvoices.subscriptionId
  const isKnown = findRow(sqlite, subscriptions.id, row[name]) !== undefined
  insertKnownColumns(sqlite, table, name in row && !isKnown ? { ...row, [name]: null } : row)
}

/** So that no one gets the same receipt twice. */
function copyMail({ source, sqlite }: Pair, cause: string): void {
  const row = findRow(source, mailOutbox.cause, cause)
  if (row !== undefined && findRow(sqlite, mailOutbox.cause, cause) === undefined)
    insertKnownColumns(sqlite, mailOutbox, row)
}

function insertKnownColumns(sqlite: Sqlite, into: SQLiteTable, row: Row): void {
  const table = getTableName(into)
  const known = sqlite.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
  const names = known.filter((name) => name in row)
  const columns = names.map((name) => `"${name}"`).join(', ')
  const values = names.map(() => '?').join(', ')
  sqlite.prepare(`insert into "${table}" (${columns}) values (${values})`).run(...names.map((name) => row[name]))
}
