import Database, { type Database as Sqlite } from 'better-sqlite3'

/** Rows as another database of this program has them, whatever its version. */
type Row = Readonly<Record<string, unknown>>

export type DocumentSource = {
  /**
   * Whether it went on from the database in `sqlite`: of the same people, and no document behind. A new site that was begun in its
   * place, or an older copy, does not know what was issued.
   */
  continues(sqlite: Sqlite): boolean
  /** Whether there is such a document, and who it was issued to is known in `sqlite`. */
  canCarryOver(sqlite: Sqlite, series: 'invoice' | 'credit_note', sequence: number): boolean
  /**
   * Puts the document of that number into `sqlite` as it was issued, with the provider's record that it is of and the mail that
   * brought it. False where there is none, or where what it hangs on is not known there.
   */
  carryOver(sqlite: Sqlite, series: 'invoice' | 'credit_note', sequence: number): boolean
  close(): void
}

/** The documents of a database that was replaced; null where it cannot be read. */
export function openDocumentSource(file: string): DocumentSource | null {
  try {
    const source = new Database(file, { readonly: true, fileMustExist: true })
    return {
      continues: (sqlite) => isOfSamePeople({ source, sqlite }) && !isBehind({ source, sqlite }),
      canCarryOver: (sqlite, series, sequence) => hasParent({ source, sqlite }, parents[series], sequence),
      carryOver: (sqlite, series, sequence) => (series === 'invoice' ? invoice : note)({ source, sqlite }, sequence),
      close: () => source.close(),
    }
  } catch {
    return null
  }
}

/** By the oldest accounts, of which some may have been removed since. */
const isOfSamePeople = ({ source, sqlite }: Pair): boolean =>
  sqlite
    .prepare<[], string>('select id from users order by id limit 50')
    .pluck()
    .all()
    .some((id) => find(source, 'users', 'id', id) !== undefined)

const isBehind = ({ source, sqlite }: Pair): boolean =>
  ['invoices', 'credit_notes'].some((table) => {
    const last = (of: Sqlite) => Number(of.prepare(`select coalesce(max(sequence), 0) from "${table}"`).pluck().get())
    return last(source) < last(sqlite)
  })

const parents = {
  invoice: { table: 'invoices', column: 'customerId', parent: 'customers' },
  credit_note: { table: 'credit_notes', column: 'invoiceId', parent: 'invoices' },
}

function hasParent({ source, sqlite }: Pair, { table, column, parent }: (typeof parents)['invoice'], sequence: number) {
  const row = find(source, table, 'sequence', sequence)
  return row !== undefined && find(sqlite, parent, 'id', row[column]) !== undefined
}

type Pair = { source: Sqlite; sqlite: Sqlite }

const find = (sqlite: Sqlite, table: string, column: string, value: unknown): Row | undefined =>
  sqlite.prepare<[unknown], Row>(`select * from "${table}" where "${column}" = ?`).get(value)

function invoice(pair: Pair, sequence: number): boolean {
  const row = find(pair.source, 'invoices', 'sequence', sequence)
  if (row === undefined) return false
  return whole(pair, () => {
    copyProviderRow(pair, 'provider_invoices', row.providerInvoiceId)
    insert(pair.sqlite, 'invoices', row)
    copyMail(pair, `receipt:${String(row.id)}`)
  })
}

function note(pair: Pair, sequence: number): boolean {
  const row = find(pair.source, 'credit_notes', 'sequence', sequence)
  if (row === undefined) return false
  return whole(pair, () => {
    copyProviderRow(pair, 'provider_refunds', row.providerRefundId)
    insert(pair.sqlite, 'credit_notes', row)
    copyMail(pair, `refund:${String(row.providerRefundId)}`)
  })
}

/** All of it or nothing: what the database refuses, since its customer came after the backup, stays out. */
function whole({ sqlite }: Pair, work: () => void): boolean {
  try {
    sqlite.transaction(work)()
    return true
  } catch {
    return false
  }
}

/** The next reading of the provider brings it up to date; a subscription that is not known yet is named by that reading. */
function copyProviderRow({ source, sqlite }: Pair, table: string, id: unknown): void {
  if (id === null || find(sqlite, table, 'id', id) !== undefined) return
  const row = find(source, table, 'id', id)
  if (row === undefined) return
  const isKnown = find(sqlite, 'subscriptions', 'id', row.subscriptionId) !== undefined
  insert(sqlite, table, 'subscriptionId' in row && !isKnown ? { ...row, subscriptionId: null } : row)
}

/** So that nobody gets the same receipt again. */
function copyMail({ source, sqlite }: Pair, cause: string): void {
  const row = find(source, 'mail_outbox', 'cause', cause)
  if (row !== undefined && find(sqlite, 'mail_outbox', 'cause', cause) === undefined) insert(sqlite, 'mail_outbox', row)
}

/** The columns that both have. */
function insert(sqlite: Sqlite, table: string, row: Row): void {
  const known = sqlite.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
  const names = known.filter((name) => name in row)
  const columns = names.map((name) => `"${name}"`).join(', ')
  const values = names.map(() => '?').join(', ')
  sqlite.prepare(`insert into "${table}" (${columns}) values (${values})`).run(...names.map((name) => row[name]))
}
