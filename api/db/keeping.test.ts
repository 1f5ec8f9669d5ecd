import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { audit } from '#api/audit.ts'
import { countRows } from '#api/testing/joining.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { databaseFile } from './data-dir.ts'
import { openDatabase, openDataDir, transact } from './open.ts'
import { lockDataDir } from './server-lock.ts'
import { tables } from './tables.ts'

const at = '2026-06-12T07:40:00.000Z'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  danny = world.addMember()
})

const customerOf = (person: TestPerson) =>
  world.ctx.sqlite.prepare<[string], { id: string }>('select id from customers where userId = ?').get(person.id)?.id ??
  ''

function addSubscription(status: 'active' | 'canceled' | 'incomplete_expired' | 'incomplete' | 'paused', id = status) {
  world.ctx.db
    .insert(tables.subscriptions)
    .values({
      id: `sub_${id}`,
      customerId: customerOf(danny),
      status,
      tierSlug: 'lite',
      yearlyNet: 150_000,
      created: at,
      updatedAt: at,
    })
    .run()
}

function addMoney() {
  const customerId = customerOf(danny)
  const amounts = { net: 25_000, vat: 5_000 }
  const { db, newId } = world.ctx
  const paid = { ...amounts, id: 'in_1', customerId, status: 'paid', total: 30_000, amountPaid: 30_000 } as const
  db.insert(tables.providerInvoices)
    .values({ ...paid, created: at })
    .run()
  const invoice = {
    id: newId(),
    sequence: 1,
    number: 'A-1',
    customerId,
    providerInvoiceId: 'in_1',
    taxPoint: '2026-06-12',
    issuedOn: '2026-06-12',
    seller: { name: 'S', address: 'A', vatNumber: 'V' },
    lines: [],
    customer: { name: 'Danny Marsh', address: null },
    ...amounts,
    gross: 30_000,
    createdAt: at,
  }
  db.insert(tables.invoices).values(invoice).run()
  db.insert(tables.commissionLedger)
    .values({
      id: newId(),
      kind: 'invoice',
      customerId,
      invoiceId: invoice.id,
      month: '2026-06',
      net: 25_000,
      paymentMonth: '2026-06',
      amount: 2_500,
      dueOn: '2026-06-26',
      createdAt: at,
    })
    .run()
  return invoice
}

describe('the migrations', () => {
  test('make exactly what the schema says', async () => {
    const journal = JSON.parse(readFileSync('data/migrations/meta/_journal.json', 'utf8'))
    const newest = `${String(journal.entries.at(-1).idx).padStart(4, '0')}_snapshot.json`
    const snapshots = readdirSync('data/migrations/meta').filter((name) => name !== '_journal.json')
    expect(snapshots, 'older ones are of no use: npm run db:generate removes them').toEqual([newest])
    const written = JSON.parse(readFileSync(`data/migrations/meta/${newest}`, 'utf8'))
    expect(await generateSQLiteMigration(written, await generateSQLiteDrizzleJson(tables))).toEqual([])
    const names = Object.values(tables).flatMap((one) => (is(one, SQLiteTable) ? getTableName(one) : []))
    const made = world.ctx.sqlite
      .prepare<[], { name: string }>(
        // The schema can't say a virtual table.
        `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\'
         and name not glob 'people_found*'`,
      )
      .all()
    expect(made.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  test('run once: opening the database again changes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-db-'))
    const first = openDatabase(databaseFile(folder))
    first.sqlite.prepare(`insert into settings (key, value, updatedAt) values ('a', '1', ?)`).run(at)
    const rows = first.sqlite.prepare('select * from settings').all()
    first.sqlite.close()
    const again = openDatabase(databaseFile(folder))
    expect(rows).toContainEqual(expect.objectContaining({ key: 'a' }))
    expect(again.sqlite.prepare('select * from settings').all()).toEqual(rows)
    again.sqlite.close()
    rmSync(folder, { recursive: true })
  })

  test('a customer that was unlinked before the account was recorded is linked again; a removed member’s stays unlinked', () => {
    const removed = world.addMember()
    const stubs = [danny, removed].map((person) => {
      const customer = customerOf(person)
      const { sqlite } = world.ctx
      sqlite.prepare(`update customers set userId = null, stripeCustomerId = 'cus_' || id where id = ?`).run(customer)
      audit(world.ctx, 'system', 'customer.forgotten', {
        targetId: person.id,
        detail: { customer: `cus_${customer}` },
      })
      return customer
    })
    world.ctx.sqlite.prepare('delete from users where id = ?').run(removed.id)
    world.ctx.sqlite.exec(readFileSync('data/migrations/0005_former_customers_known.sql', 'utf8'))
    const former = world.ctx.sqlite.prepare<[string], string | null>('select formerUserId from customers where id = ?')
    expect(stubs.map((id) => former.pluck().get(id))).toEqual([danny.id, null])
  })

  test('a mailbox is proven where a password was set by its link, of every member, and of an owner', () => {
    const since = '2026-02-01T09:00:00.000Z'
    const [reset, member, owner] = [world.addUser(), world.addUser({ membershipStartDate: since }), world.addOwner()]
    const byCode = world.addUser()
    audit(world.ctx, `user:${reset.id}`, 'auth.reset', { targetId: reset.id })
    audit(world.ctx, `user:${byCode.id}`, 'auth.login', { targetId: byCode.id, detail: { name: 'code by email' } })
    const [, update = ''] = readFileSync('data/migrations/0046_proven_mailboxes.sql', 'utf8').split('breakpoint\n')
    world.ctx.sqlite.exec(update)
    const provenAt = world.ctx.sqlite.prepare<[string], string | null>('select emailProvenAt from users where id = ?')
    const now = world.ctx.now().toISOString()
    expect([reset, member, owner, byCode].map(({ id }) => provenAt.pluck().get(id))).toEqual([now, since, now, null])
  })

  test('leave nothing that points nowhere', () => {
    addMoney()
    expect(world.ctx.sqlite.pragma('foreign_key_check')).toEqual([])
    expect(world.ctx.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  })
})

describe('a data folder', () => {
  test('is opened with a log ahead, full syncs, foreign keys and patience, for its owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-db-'))
    const { sqlite } = openDataDir(join(folder, 'inside'))
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout']
    expect(pragmas.map((name) => sqlite.pragma(name, { simple: true }))).toEqual(['wal', 2, 1, 5000])
    expect(statSync(join(folder, 'inside')).mode & 0o777).toBe(0o700)
    sqlite.close()
    rmSync(folder, { recursive: true })
  })

  test('is held by one server at a time', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-db-'))
    const held = lockDataDir(folder)
    expect([held === null, lockDataDir(folder)]).toEqual([false, null])
    held?.release()
    const next = lockDataDir(folder)
    expect(next).not.toBeNull()
    next?.release()
    rmSync(folder, { recursive: true })
  })
})

describe('a transaction', () => {
  const count = () => countRows(world, 'audit_entries')

  test('is all or nothing, and a nested one with it', () => {
    const undone = () =>
      transact(world.ctx, () => {
        transact(world.ctx, () => audit(world.ctx, 'system', 'card.change'))
        throw new Error('no')
      })
    expect(undone).toThrow('no')
    expect(count()).toBe(0)
  })

  test('refuses to wait for anything', () => {
    expect(() => transact(world.ctx, async () => audit(world.ctx, 'system', 'card.change'))).toThrow(/promise/i)
    expect(count()).toBe(0)
  })
})

describe('subscriptions', () => {
  test('a second live one is refused, whatever its state; ended ones are many', () => {
    for (const status of ['active', 'incomplete', 'paused'] as const) {
      expect(() => addSubscription(status)).toThrow(/UNIQUE/)
    }
    addSubscription('canceled')
    addSubscription('incomplete_expired')
    expect(countRows(world, 'subscriptions')).toBe(3)
  })

  test('a person is one customer, and a customer of the provider one row', () => {
    const row = { userId: danny.id, stripeCustomerId: 'cus_other', createdAt: at }
    const insert = (more: object) => () =>
      world.ctx.db
        .insert(tables.customers)
        .values({ ...row, id: world.ctx.newId(), ...more })
        .run()
    expect(insert({})).toThrow(/UNIQUE/)
    const known = world.ctx.db.select().from(tables.customers).get()?.stripeCustomerId
    expect(insert({ userId: null, stripeCustomerId: known })).toThrow(/UNIQUE/)
  })

  test('one purchase may be under way per person; closed ones are many', () => {
    const add = (closedAt: string | null) =>
      world.ctx.db
        .insert(tables.purchaseAttempts)
        .values({
          id: world.ctx.newId(),
          userId: danny.id,
          kind: 'subscription',
          tierSlug: 'xl',
          request: { customer: { email: danny.email, name: 'Danny' }, order: null },
          openedAt: at,
          closedAt,
        })
        .run()
    add(at)
    add(at)
    add(null)
    expect(() => add(null)).toThrow(/UNIQUE/)
    const wrong = [`kind = 'gift'`, `tierSlug = 'platinum'`]
    for (const set of wrong)
      expect(() => world.ctx.sqlite.exec(`update purchase_attempts set ${set}`)).toThrow(/CHECK|FOREIGN/)
  })

  test('a status or tier that does not exist is refused', () => {
    for (const set of [`status = 'gone'`, `tierSlug = 'platinum'`]) {
      expect(() => world.ctx.sqlite.exec(`update subscriptions set ${set}`)).toThrow(/CHECK|FOREIGN/)
    }
  })
})

describe('money', () => {
  test('one invoice per payment, one number each, one commission per invoice', () => {
    const invoice = addMoney()
    const { db, newId } = world.ctx
    const again = (more: object) => () =>
      db
        .insert(tables.invoices)
        .values({ ...invoice, id: newId(), ...more })
        .run()
    expect(again({ sequence: 2, number: 'A-2' })).toThrow(/UNIQUE.*providerInvoiceId/)
    for (const taken of [{ sequence: 1, number: 'A-2' }, { sequence: 2 }, { sequence: 3, number: 'A-3' }]) {
      expect(again({ ...taken, providerInvoiceId: null })).toThrow('the next invoice has the next number')
    }
    expect(() =>
      world.ctx.sqlite.exec(
        `insert into commission_ledger select 'again', kind, customerId, invoiceId, manualCommissionId, reverses, providerRefundId, month, paymentMonth, isSettlement, tierSlug, net, rate, amount, dueOn, createdAt from commission_ledger`,
      ),
    ).toThrow(/UNIQUE/)
  })

  test('a line of the ledger is never changed and never goes', () => {
    addMoney()
    const { sqlite } = world.ctx
    for (const attempt of [
      'update commission_ledger set amount = 0',
      'delete from commission_ledger',
      'insert or replace into commission_ledger select * from commission_ledger',
    ]) {
      expect(() => sqlite.exec(attempt)).toThrow('only ever appended to')
    }
    expect(sqlite.prepare('select amount from commission_ledger').all()).toEqual([{ amount: 2_500 }])
  })

  test('a customer with money rows cannot go, nor an invoice with a commission', () => {
    addMoney()
    for (const table of ['customers', 'provider_invoices']) {
      expect(() => world.ctx.sqlite.exec(`delete from ${table}`)).toThrow(/FOREIGN KEY/)
    }
    expect(() => world.ctx.sqlite.exec('delete from invoices')).toThrow(/never deleted/)
  })

  test('what was issued is never changed, deleted or written over, and a credit note neither', () => {
    const invoice = addMoney()
    const { db, sqlite, newId } = world.ctx
    const note = {
      id: newId(),
      sequence: 1,
      number: 'C-1',
      invoiceId: invoice.id,
      kind: 'correction' as const,
      reason: 'Address',
      net: 12_500,
      vat: 2_500,
      gross: 15_000,
      issuedOn: '2026-06-12',
      createdAt: at,
    }
    db.insert(tables.creditNotes).values(note).run()
    for (const table of ['invoices', 'credit_notes']) {
      const before = sqlite.prepare(`select * from ${table}`).all()
      expect(() => sqlite.exec(`update ${table} set net = net`)).toThrow(/never changed/)
      expect(() => sqlite.exec(`delete from ${table}`)).toThrow(/never deleted/)
      expect(() => sqlite.exec(`insert or replace into ${table} select * from ${table}`)).toThrow(/next number/)
      expect(sqlite.prepare(`select * from ${table}`).all()).toEqual(before)
    }
    expect(() =>
      db
        .insert(tables.creditNotes)
        .values({ ...note, id: newId(), number: 'C-3', sequence: 3 })
        .run(),
    ).toThrow('the next credit note has the next number')
  })

  test('the credit notes of an invoice take back no more than it, neither of net nor of VAT', () => {
    const { id: invoiceId } = addMoney()
    const credit = (sequence: number, net: number, vat: number) =>
      world.ctx.db
        .insert(tables.creditNotes)
        .values({
          id: world.ctx.newId(),
          sequence,
          number: `C-${sequence}`,
          invoiceId,
          kind: 'correction',
          reason: 'Address',
          net,
          vat,
          gross: net + vat,
          issuedOn: '2026-06-12',
          createdAt: at,
        })
        .run()
    const tooMuch = 'credit notes take back no more than their invoice'
    expect(() => credit(1, 25_001, 5_000)).toThrow(tooMuch)
    credit(1, 20_000, 4_000)
    expect(() => credit(2, 5_001, 999)).toThrow(tooMuch)
    expect(() => credit(2, 4_999, 1_001)).toThrow(tooMuch)
    credit(2, 5_000, 1_000)
    expect(() => credit(3, 1, 0)).toThrow(tooMuch)
  })
})

describe('removing a person', () => {
  test('deletes their data and leaves the money, the ledger and the audit on an anonymous stub', async () => {
    const { ctx } = world
    addMoney()
    audit(ctx, `user:${danny.id}`, 'tier.changed', { targetId: danny.id })
    world.signIn(danny)
    const [video] = world.addVideos()
    const call = world.signIn(danny)
    await call(`/api/video-progress/${video?.id}/complete`, { method: 'POST' })
    await call('/api/billing/address', {
      method: 'PUT',
      body: { line1: '1 High Street', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' },
    })
    const rows = (table: string) => countRows(world, table)
    expect([rows('sessions'), rows('video_progress'), rows('addresses')]).toEqual([2, 1, 1])
    ctx.sqlite.prepare('delete from users where id = ?').run(danny.id)
    expect([rows('sessions'), rows('video_progress'), rows('applied_changes'), rows('addresses')]).toEqual([0, 0, 0, 0])
    const kept = ['provider_invoices', 'invoices', 'commission_ledger', 'subscriptions', 'audit_entries', 'customers']
    expect(kept.map(rows)).toEqual([1, 1, 1, 1, 1, 1])
    expect(ctx.sqlite.prepare('select userId from customers').get()).toEqual({ userId: null })
    expect(ctx.sqlite.pragma('foreign_key_check')).toEqual([])
  })
})

test('nothing points at a person who is not there', () => {
  const insert = `insert into sessions (sid, sess, expire, userId, createdAt) values ('s', '{}', ?, 'nobody', ?)`
  expect(() => world.ctx.sqlite.prepare(insert).run(at, at)).toThrow(/FOREIGN KEY/)
})
