import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const { world } = server
  const una = world.addMember({ tier: 'standard', email: 'una@alliance.test', firstName: 'Una', lastName: 'Keel' })
  for (const day of ['2026-04-01', '2026-05-20', '2026-06-11']) addPaidMonth(world, una, day)
})
afterAll(() => server.close())

const json = async (argv: string) => JSON.parse((await server.local(`${argv} --json`)).out)

/** The database refuses this; only a damaged one could contain it. */
function spoil(sql: string, table = 'invoices') {
  const { sqlite } = server.world.ctx
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master where type = 'trigger' and tbl_name = '${table}'`,
    )
    .all()
  for (const { name } of triggers) sqlite.exec(`drop trigger "${name}"`)
  sqlite.exec(sql)
  for (const trigger of triggers) sqlite.exec(trigger.sql)
}

test('the books are in order, and every figure of the VAT return comes from the invoices that the CSV lists', async () => {
  expect(await server.local('invoices lint')).toMatchObject({
    code: 0,
    out: expect.stringContaining('No problems found.'),
  })
  expect(await server.remote('vat 2026-q2')).toEqual(await server.local('vat 2026-Q2'))
  const figures = await json('vat 2026-Q2')
  expect(figures.boxes).toEqual({ 1: 15_000, 2: 0, 3: 15_000, 4: null, 5: 15_000, 6: 75_000, 7: null, 8: 0, 9: 0 })
  const rows = (await server.remote('vat 2026-Q2 --csv')).out.trimEnd().split('\r\n').slice(1)
  const sumOf = (at: number) => rows.reduce((sum, row) => sum + Math.round(Number(row.split(',')[at]) * 100), 0)
  expect([rows.length, sumOf(7), sumOf(8)]).toEqual([3, figures.boxes[6], figures.boxes[1]])
  expect((await server.local('vat 2026-Q2')).err).toContain('ends on 30 June 2026')
  expect(await server.local('vat 2026')).toMatchObject({ code: 2, err: 'Give a quarter such as 2026-Q3.\n' })
})

test('both programs get every invoice in the columns that their imports know', async () => {
  const xero = (await server.remote('export accounts --format xero --from 2026-06-01')).out.split('\r\n')
  expect(xero[0]).toBe(
    '*ContactName,*InvoiceNumber,*InvoiceDate,*DueDate,*Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,TaxAmount',
  )
  expect(xero[1]).toBe('Danny Marsh,A-3,11/06/2026,11/06/2026,Alliance,1,250.00,200,20% (VAT on Income),50.00')
  const quickbooks = await server.local('export accounts --format quickbooks')
  const [head, ...rows] = quickbooks.out.trimEnd().split('\r\n')
  expect(head).toBe(
    '*InvoiceNo,*Customer,*InvoiceDate,*DueDate,Memo,Item(Product/Service),ItemDescription,ItemQuantity,ItemRate,*ItemAmount,*ItemTaxCode,ItemTaxAmount,Currency',
  )
  expect(rows).toHaveLength(3)
  expect(rows.at(-1)).toBe('A-3,Danny Marsh,11/06/2026,11/06/2026,,Sales,Alliance,1,250.00,250.00,20.0% S,50.00,GBP')
  expect(quickbooks.err).toContain('--format quickbooks-credit-notes')
  const named = await server.remote('export accounts --format quickbooks --sales Membership')
  expect(named.out).toContain(',Membership,Alliance,1,')
  expect((await server.remote('export accounts --format xero --sales 201')).out).toContain(',250.00,201,20% (VAT')
  expect((await server.local('export accounts')).code).toBe(2)
})

test('files have no more rows than the program takes, each with its head; a credit is a number below nought', async () => {
  const { ctx } = server.world
  const lastId = ctx.db.select().from(invoices).all().at(-1)?.id ?? ''
  insertRow(ctx, creditNotes, {
    id: ctx.newId(),
    sequence: 1,
    number: 'C-1',
    invoiceId: lastId,
    kind: 'refund',
    reason: 'Refund',
    net: 25_000,
    vat: 5_000,
    gross: 30_000,
    issuedOn: '2026-06-12',
    createdAt: '2026-06-12T07:40:00.000Z',
  })
  ctx.sqlite.exec('begin')
  ctx.sqlite.exec(`with recursive n(i) as (select 4 union all select i + 1 from n where i < 700)
    insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, net, vat, gross, createdAt)
    select 'x' || i, i, 'A-' || i, customerId, '2025-01-01', '2025-01-01', seller, customer, lines, net, vat, gross, createdAt
    from invoices, n where sequence = 1`)
  ctx.sqlite.exec('commit')
  const folder = mkdtempSync(join(tmpdir(), 'alliance-accounts-'))
  try {
    const made = await server.remote('export accounts --format xero --folder xero', { cwd: folder })
    expect(made).toMatchObject({ code: 0, out: '', err: '2 files in xero.\n' })
    const files = readdirSync(join(folder, 'xero')).sort()
    expect(files).toEqual(['xero-001.csv', 'xero-002.csv'])
    const rows = files.map((file) =>
      readFileSync(join(folder, 'xero', file), 'utf8')
        .trimEnd()
        .split('\r\n'),
    )
    expect(rows.map(({ length }) => length)).toEqual([501, 702 - 501 + 1])
    expect(rows[0]?.[0]).toBe(rows[1]?.[0])
    // "To import credit notes, add them as invoices or bills with negative amounts": help.xero.com/Help/Accounts_InvoiceImport.htm
    expect(rows[1]?.at(-1)).toBe(
      'Danny Marsh,C-1,12/06/2026,12/06/2026,Credit of A-3: Alliance,1,-250,200,20% (VAT on Income),-50',
    )
    await server.local('export accounts --format quickbooks --folder books', { cwd: folder })
    // 700 invoices, a hundred in each file, and the credit note separately.
    expect(readdirSync(join(folder, 'books'))).toHaveLength(8)
    expect(readFileSync(join(folder, 'books', 'quickbooks-credit-notes-001.csv'), 'utf8')).toContain(
      'C-1,Danny Marsh,12/06/2026,A-3,Sales,Credit of A-3: Alliance,1,250.00,250.00,20.0% S,50.00,GBP',
    )
    expect((await server.local('export accounts --format xero --folder xero', { cwd: folder })).code).toBe(2)
  } finally {
    rmSync(folder, { recursive: true })
    for (const table of ['credit_notes', 'invoices']) {
      spoil(`delete from ${table} where ${table === 'invoices' ? `id like 'x%'` : '1'}`, table)
    }
  }
})

test('an invoice is shown by its number, with its PDF', async () => {
  expect(await json('invoices show a-2')).toMatchObject({
    number: 'A-2',
    taxPoint: '2026-05-20',
    gross: 30_000,
    problems: [],
    customer: { address: '2 Mill Lane' },
  })
  expect((await server.remote('invoices pdf A-2')).out).toMatch(/^%PDF-/)
  expect(await server.local('invoices show A-9')).toMatchObject({
    code: 3,
    err: 'We can’t find this invoice. See: alliance invoices list\n',
  })
  expect((await server.remote('invoices show A-1')).out).toMatch(/Total +£300\.00/)
})

test('an invoice shows the discount that makes its line come to its net', async () => {
  spoil(`update invoices set lines = json_set(lines, '$[0].unitPrice', 50000) where sequence = 2`)
  expect((await server.local('invoices show A-2')).out).toMatch(/Discount 50%: £250\.00 off/)
  spoil(`update invoices set lines = json_set(lines, '$[0].unitPrice', 25000) where sequence = 2`)
})

test('what is wrong is named with the command that mends it, and crediting it issues it anew', async () => {
  spoil(`update invoices set seller = json_set(seller, '$.vatNumber', '') where sequence = 1`)
  spoil(`update invoices set net = 25001, gross = 30001 where sequence = 2`)
  spoil(`update invoices set "issuedOn" = '2026-07-30' where sequence = 3`)
  const { code, out } = await server.remote('invoices lint')
  expect(code).toBe(1)
  expect(out).toContain('A-1')
  const { total, problems } = JSON.parse((await server.local('invoices lint --json')).out)
  expect(total).toBe(4)
  expect(problems.map(({ document, problem }: { document: string; problem: string }) => [document, problem])).toEqual([
    ['A-1', 'The seller’s VAT number is missing.'],
    ['A-2', 'The lines don’t add up to the amount excluding VAT.'],
    ['A-2', 'Stripe’s amounts are different.'],
    ['A-3', 'It was issued more than 30 days after the tax point, and doesn’t say so.'],
  ])
  expect(problems[0].fix).toBe('alliance invoices credit A-1 --reason "The seller’s VAT number was missing"')
  expect((await server.local('invoices credit A-1 --reason Wrong')).code).toBe(2)
  expect((await server.local('invoices credit A-1 --yes')).code).toBe(2)
  expect(await json('invoices credit A-1 --reason Wrong --dry-run')).toMatchObject({ facts: { creditNote: null } })
  const done = await json('invoices credit A-1 --reason Wrong --yes')
  expect(done).toMatchObject({ creditNote: 'C-000001', replacedBy: 'A-000004', credited: { gross: 30_000 } })
  expect((await server.remote('invoices credit A-1 --reason Wrong --yes')).err).toContain(
    'A-000004 has already replaced it.',
  )
  const left = await json('invoices show A-1')
  expect(left).toMatchObject({ replacedBy: 'A-000004', credited: { gross: 30_000 }, problems: [] })
})

test('what’s older than four years is left alone, and who an earlier version read is told with what reads them', async () => {
  const { sqlite } = server.world.ctx
  spoil(`update invoices set lines = '[]' where sequence = 2`)
  const linted = async () => JSON.parse((await server.local('invoices lint --json')).out)
  const of = ({ problems }: { problems: { document: string }[] }) =>
    problems.filter(({ document }) => document === 'A-2')
  expect(of(await linted()).length).toBeGreaterThan(0)
  spoil(`update invoices set taxPoint = '2022-05-31' where sequence = 2`)
  expect(of(await linted())).toEqual([])
  expect((await server.remote('invoices lint')).err).not.toContain('reconcile --all')
  sqlite.exec('update customers set waitsForReading = 1 where id in (select customerId from provider_invoices)')
  expect((await server.remote('invoices lint')).err).toMatch(
    /^\d+ customers? not read .* First run: alliance jobs run reconcile --all$/m,
  )
})
