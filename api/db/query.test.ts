import Database from 'better-sqlite3'
import { and, count, desc, eq, getTableColumns, is, isNotNull, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { migratedDatabase } from '#api/testing/migrated.ts'
import { firstOf, greatest, isTrue, nullable, total } from './expressions.ts'
import { insertIfAbsent, insertRow, upsert } from './insert.ts'
import { openDatabase, overConnection } from './open.ts'
import { preparedQuery, unplanned } from './query.ts'
import { manualCommissions } from './schema/commission.ts'
import { customers } from './schema/customers.ts'
import { mailOutbox } from './schema/mail.ts'
import { users } from './schema/people.ts'
import { statement } from './statement.ts'
import { relational, tables } from './tables.ts'

const at = '2026-06-12T07:40:00.000Z'
let ctx: ReturnType<typeof openDatabase>
beforeEach(() => {
  ctx = openDatabase(migratedDatabase())
})
afterEach(() => {
  ctx.sqlite.close()
})

const addUser = (id: string, isAdmin = false) =>
  insertRow(ctx, users, { id, email: `${id}@example.com`, isAdmin, createdAt: at, updatedAt: at })

const sale = {
  id: 'sale-1',
  description: 'd',
  totalAmount: 12_500,
  commissionAmount: 1_250,
  saleDate: '2026-06-12',
  createdAt: at,
}

describe('a prepared query', () => {
  const usersByRole = preparedQuery<{ isAdmin: number; limit: number }>()((db, { isAdmin, limit }) =>
    db
      .select({ id: users.id, isAdmin: users.isAdmin })
      .from(users)
      .where(eq(users.isAdmin, unplanned(isAdmin)))
      .orderBy(desc(users.id))
      .limit(limit),
  )

  test('is compiled once, takes its parameters by name, and reads what the schema says', () => {
    addUser('a', true)
    addUser('b')
    addUser('c', true)
    const found = usersByRole.all(ctx, { isAdmin: 1, limit: 1 })
    expectTypeOf(found).toEqualTypeOf<{ id: string; isAdmin: boolean }[]>()
    expect(found).toEqual([{ id: 'c', isAdmin: true }])
    expect(usersByRole.get(ctx, { isAdmin: 0, limit: 5 })).toEqual({ id: 'b', isAdmin: false })
  })

  test('belongs to its database: another one has its own', () => {
    addUser('a', true)
    const other = openDatabase(migratedDatabase())
    expect(usersByRole.all(other, { isAdmin: 1, limit: 5 })).toEqual([])
    other.sqlite.close()
    expect(usersByRole.all(ctx, { isAdmin: 1, limit: 5 })).toHaveLength(1)
  })

  test('encodes what it writes by the column, and a null stays one', () => {
    const setNames = preparedQuery<{ firstName: string | null; isAdmin: boolean }>()((db, { firstName, isAdmin }) =>
      db.update(users).set({ firstName, isAdmin }),
    )
    addUser('a')
    expect(setNames.run(ctx, { firstName: 'Sam', isAdmin: true }).changes).toBe(1)
    expect(ctx.db.select().from(users).get()).toMatchObject({ firstName: 'Sam', isAdmin: true })
    setNames.run(ctx, { firstName: null, isAdmin: false })
    expect(ctx.db.select().from(users).get()).toMatchObject({ firstName: null, isAdmin: false })
  })
})

describe('a statement', () => {
  const customersWithUsers = statement<{ created: string }>()(
    {
      id: customers.id,
      owner: firstOf(customers.userId, customers.formerUserId),
      isAdmin: nullable(users.isAdmin),
      isKnown: isTrue(isNotNull(users.id)),
    },
    (
      fields,
      { created },
    ) => sql`select ${fields} from ${customers} left join ${users} on ${users.id} = ${customers.userId}
      where ${customers.createdAt} >= ${created} order by ${customers.id}`,
  )

  test('reads each field by its column or its decoder', () => {
    addUser('a', true)
    insertRow(ctx, customers, { id: 'one', userId: 'a', stripeCustomerId: 'cus_1', createdAt: at })
    insertRow(ctx, customers, { id: 'two', stripeCustomerId: 'cus_2', createdAt: at })
    const rows = customersWithUsers.all(ctx, { created: at })
    expectTypeOf(rows).toEqualTypeOf<
      { id: string; owner: string | null; isAdmin: boolean | null; isKnown: boolean }[]
    >()
    expect(rows).toEqual([
      { id: 'one', owner: 'a', isAdmin: true, isKnown: true },
      { id: 'two', owner: null, isAdmin: null, isKnown: false },
    ])
    expect(customersWithUsers.get(ctx, { created: '2027-01-01T00:00:00.000Z' })).toBeUndefined()
  })

  test('without fields it runs', () => {
    const rename = statement<{ name: string }>()(
      {},
      (_none, { name }) => sql`update ${users} set ${sql.identifier(users.firstName.name)} = ${name}`,
    )
    addUser('a')
    expect(rename.run(ctx, { name: 'Kim' }).changes).toBe(1)
    expect(ctx.db.select().from(users).get()?.firstName).toBe('Kim')
  })
})

describe('inserting', () => {
  test('an upsert writes only where something differs, and leaves other columns as they are', () => {
    upsert(ctx, manualCommissions, sale)
    const seen = () => ctx.sqlite.prepare('select total_changes() as n').pluck().get()
    const before = seen()
    upsert(ctx, manualCommissions, sale)
    expect(seen()).toBe(before)
    upsert(ctx, manualCommissions, { ...sale, totalAmount: 15_000 })
    expect(ctx.db.select().from(manualCommissions).get()).toMatchObject({ totalAmount: 15_000, description: 'd' })
  })

  test('a null stays one in every column that may be none, in a new row and over an older one', () => {
    const sqlite = new Database(':memory:')
    for (const table of Object.values(tables).filter((one) => is(one, SQLiteTable))) {
      const { name, columns, primaryKeys } = getTableConfig(table)
      const [keyColumn, ...others] = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
      if (keyColumn === undefined || others.length > 0 || keyColumn.dataType === 'custom') continue
      const nullable = Object.entries(getTableColumns(table)).filter(([, one]) => !one.notNull && one !== keyColumn)
      if (nullable.length === 0) continue
      const quoted = columns.map((column) => `"${column.name}"`)
      sqlite.exec(`create table "${name}" (${quoted.join()}, primary key ("${keyColumn.name}"))`)
      const key = Object.entries(getTableColumns(table)).find(([, one]) => one === keyColumn)?.[0] ?? ''
      const row = Object.fromEntries([[key, 1], ...nullable.map(([field]) => [field, null])])
      const stored = () => sqlite.prepare(`select * from "${name}"`).get()
      upsert({ db: overConnection(sqlite) }, table, row)
      const inserted = stored()
      sqlite.exec(`update "${name}" set ${nullable.map(([, one]) => `"${one.name}" = 'old'`).join()}`)
      upsert({ db: overConnection(sqlite) }, table, row)
      expect([name, inserted, stored()]).toEqual([
        name,
        expect.objectContaining(Object.fromEntries(nullable.map(([, one]) => [one.name, null]))),
        inserted,
      ])
    }
  })

  test('what is for a new row alone stays as it was', () => {
    upsert(ctx, manualCommissions, sale)
    upsert(ctx, manualCommissions, { ...sale, totalAmount: 1, createdAt: '2027-01-01T00:00:00.000Z' }, ['createdAt'])
    expect(ctx.db.select().from(manualCommissions).get()).toMatchObject({ totalAmount: 1, createdAt: at })
  })

  test('a column that the table does not know is no type, and throws', () => {
    // @ts-expect-error A misspelt column.
    expect(() => upsert(ctx, manualCommissions, { ...sale, prize: 1 })).toThrow(
      'Table manual_commissions has no column prize.',
    )
    // @ts-expect-error The same where it is inserted.
    expect(() => insertRow(ctx, manualCommissions, { ...sale, prize: 1 })).toThrow('has no column prize')
    expect(ctx.db.select().from(manualCommissions).all()).toEqual([])
  })

  test('a row that is there stays as it is', () => {
    expect(insertIfAbsent(ctx, manualCommissions, sale)).toBe(true)
    expect(insertIfAbsent(ctx, manualCommissions, { ...sale, totalAmount: 1 })).toBe(false)
    expect(ctx.db.select().from(manualCommissions).get()?.totalAmount).toBe(12_500)
  })

  test('nothing is stored as nothing, in a JSON column too', () => {
    const mail = { id: 'm', cause: 'c', to: 't', subject: 's', text: 't', html: 'h', messageId: 'i' }
    insertRow(ctx, mailOutbox, { ...mail, attachment: null, nextAttemptAt: at, createdAt: at })
    expect(ctx.sqlite.prepare('select attachment from mail_outbox').pluck().get()).toBeNull()
    expect(ctx.db.select().from(mailOutbox).get()?.attachment).toBeNull()
  })

  test('a fraction of a penny and a time of another shape are refused before they are stored', () => {
    expect(() => upsert(ctx, manualCommissions, { ...sale, totalAmount: 0.5 })).toThrow('Not whole pence: 0.5')
    expect(() => upsert(ctx, manualCommissions, { ...sale, createdAt: '2026-06-12' })).toThrow('Not a time in UTC')
    expect(ctx.db.select({ rows: count() }).from(manualCommissions).get()).toEqual({ rows: 0 })
  })
})

test('sums and extremes say what they are where there is nothing', () => {
  const sums = ctx.db
    .select({ sum: total(manualCommissions.totalAmount), last: greatest(manualCommissions.createdAt) })
    .from(manualCommissions)
    .where(and(eq(manualCommissions.id, 'xl')))
    .get()
  expectTypeOf(sums).toEqualTypeOf<{ sum: number; last: string | null } | undefined>()
  expect(sums).toEqual({ sum: 0, last: null })
})

test('relations read a row with what belongs to it in one statement', () => {
  addUser('a')
  insertRow(ctx, customers, { id: 'one', userId: 'a', stripeCustomerId: 'cus_1', createdAt: at })
  insertRow(ctx, customers, { id: 'old', formerUserId: 'a', stripeCustomerId: 'cus_0', createdAt: at })
  const found = relational(ctx.db)
    .query.users.findFirst({ with: { customer: true, formerCustomers: true } })
    .sync()
  expect(found?.customer?.id).toBe('one')
  expect(found?.formerCustomers.map(({ id }) => id)).toEqual(['old'])
})
