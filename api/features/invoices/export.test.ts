import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { download } from '#api/testing/downloads.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { csvRow } from '#shared/rules/csv.ts'

let world: World
beforeEach(() => {
  world = startWorld()
  world.addMember()
})
afterEach(() => world.ctx.sqlite.close())

const day = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)

function addInvoices(count: number, name = 'Sam Field') {
  const { ctx } = world
  const customerId = ctx.sqlite.prepare<[], { id: string }>('select id from customers').get()?.id ?? ''
  const line = { description: 'Alliance membership', quantity: 1, unitPrice: 25_000, net: 25_000, rate: 20, vat: 5_000 }
  const add = ctx.db.insert(invoices).values({
    id: 'x',
    sequence: 1,
    number: 'A-000001',
    customerId,
    taxPoint: day(0),
    issuedOn: day(0),
    seller: { name: 'S', address: 'A', vatNumber: 'V' },
    customer: { name, businessName: 'Field, Sons', address: null },
    lines: [line],
    net: 25_000,
    vat: 5_000,
    gross: 30_000,
    createdAt: ctx.now().toISOString(),
  })
  add.run()
  ctx.sqlite.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
    insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, net, vat, gross, createdAt)
    select 'x' || i, i, printf('A-%06d', i), customerId, date('2026-01-01', (i - 1) || ' days'), issuedOn, seller, customer, lines, net, vat, gross, createdAt
    from invoices, n where sequence = 1 and ${count} > 1`)
}

function addNote() {
  const { ctx } = world
  ctx.db
    .insert(creditNotes)
    .values({
      id: 'n',
      sequence: 1,
      number: 'C-000001',
      invoiceId: 'x',
      kind: 'refund',
      reason: 'Refund of 3 January 2026',
      net: 8_333,
      vat: 1_667,
      gross: 10_000,
      issuedOn: day(2),
      createdAt: ctx.now().toISOString(),
    })
    .run()
}

const ask = (query = '') => download(world.signIn(world.addOwner()), 'invoices.csv', query)
const linesOf = (csv: string) => csv.trimEnd().split('\r\n')

test('INV-4 the accountant’s CSV has invoices by tax point and credit notes below nought, in pounds', async () => {
  addInvoices(3, '=Sam "Sammy" Field')
  addNote()
  const response = await ask()
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="vat-invoices.csv"',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
  const who = `"'=Sam ""Sammy"" Field","Field, Sons",Alliance membership`
  expect(linesOf(await response.text())).toEqual([
    'document,number,issuedOn,taxPoint,customer,business,description,netPounds,vatPounds,grossPounds,refersTo,note',
    `Invoice,A-000001,2026-01-01,2026-01-01,${who},250,50,300,,`,
    `Invoice,A-000002,2026-01-01,2026-01-02,${who},250,50,300,,`,
    `Invoice,A-000003,2026-01-01,2026-01-03,${who},250,50,300,,`,
    `Credit note,C-000001,2026-01-03,2026-01-03,${who},-83.33,-16.67,-100,A-000001,Refund of 3 January 2026`,
  ])
})

/** A name that is a negative number is written as one by the writer, as text by the database. Nobody has such a name. */
const isNumber = (drawn: string) => /^[-\u2212]£?\d[\d,]*(\.\d+)?$/.test(drawn)
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n",;\'\\[]{} a£é1'), maxLength: 8 }),
  )
  .filter((drawn) => !isNumber(drawn))
const drawnDocument = fc.record({
  customer: fc.record(
    { name: text, businessName: fc.option(text), address: fc.constant(null) },
    { noNullPrototype: true },
  ),
  descriptions: fc.array(text, { maxLength: 3 }),
  reason: text,
  net: fc.nat(10_000_000),
  vat: fc.nat(2_000_000),
  gross: fc.nat(12_000_000),
})

test('a row that the database made is the one that the CSV writer makes, whatever stands in it', {
  tags: ['full'],
}, async () => {
  addInvoices(1)
  const { ctx } = world
  const [first] = ctx.db.select().from(invoices).all()
  if (first === undefined) throw new Error('no invoice')
  const drawn = fc.sample(drawnDocument, 300)
  const expected = drawn.flatMap(({ customer, descriptions, reason, net, vat, gross }, index) => {
    const [id, sequence, day] = [`y${index}`, index + 2, '2027-01-01']
    const [number, credit] = [`A-${sequence}`, `C-${index + 1}`]
    const lines = descriptions.map((description) => ({ ...first.lines[0], description })) as typeof first.lines
    ctx.db
      .insert(invoices)
      .values({ ...first, id, sequence, number, taxPoint: day, customer, lines, net, vat, gross })
      .run()
    ctx.db
      .insert(creditNotes)
      .values({
        id: `n${index}`,
        sequence: index + 1,
        number: credit,
        invoiceId: id,
        kind: 'correction',
        reason,
        net,
        vat,
        gross,
        issuedOn: first.issuedOn,
        createdAt: first.createdAt,
      })
      .run()
    const who = [first.issuedOn, day, customer.name, customer.businessName, descriptions.join('; ')] as const
    const amounts = [net, vat, gross]
    return [
      csvRow(['Invoice', number, ...who, ...amounts.map((pence) => pence / 100), null, '']),
      csvRow(['Credit note', credit, ...who, ...amounts.map((pence) => -pence / 100), number, reason]),
    ]
  })
  const csv = await (await ask('from=2027-01-01')).text()
  const ofSeries = (document: string) => expected.filter((row) => row.startsWith(document)).join('')
  expect(csv.slice(csv.indexOf('\n') + 1)).toBe(ofSeries('Invoice') + ofSeries('Credit note'))
})

test('an older shell of SQLite, which reads no table beside a view that it does not understand, reads this schema', () => {
  const { sqlite } = world.ctx
  const made = sqlite.prepare<[], string>(`select sql from sqlite_master where type in ('view', 'trigger', 'index')`)
  const newer = made
    .pluck()
    .all()
    .filter((sql) => /->|group_concat\((?:[^()]|\([^()]*\))*order by/i.test(sql ?? ''))
  expect(newer).toEqual([])
})

test('what takes back a mistake counts where the mistake did: the quarter that was filed stays as it was', async () => {
  addInvoices(1)
  const { ctx } = world
  const [first] = ctx.db.select().from(invoices).all()
  if (first === undefined) throw new Error('no invoice')
  ctx.db
    .insert(creditNotes)
    .values({
      id: 'n',
      sequence: 1,
      number: 'C-000001',
      invoiceId: 'x',
      kind: 'correction',
      reason: 'Address',
      net: 25_000,
      vat: 5_000,
      gross: 30_000,
      issuedOn: day(200),
      createdAt: first.createdAt,
    })
    .run()
  const anew = { ...first, id: 'y', sequence: 2, number: 'A-000002', replacesId: 'x', issuedOn: day(200) }
  ctx.db.insert(invoices).values(anew).run()
  const rows = linesOf(await (await ask('from=2026-01-01&to=2026-03-31')).text()).slice(1)
  expect(rows.map((row) => row.split(',').at(-3))).toEqual(['300', '300', '-300'])
  expect(linesOf(await (await ask('from=2026-04-01')).text())).toHaveLength(1)
})

test('both days are included, and a day that is none is refused', async () => {
  addInvoices(5)
  addNote()
  const numbers = async (query: string) => linesOf(await (await ask(query)).text()).map((line) => line.split(',')[1])
  expect(await numbers('from=2026-01-02&to=2026-01-03')).toEqual(['number', 'A-000002', 'A-000003', 'C-000001'])
  expect(await numbers('to=2026-01-01')).toEqual(['number', 'A-000001'])
  expect(await numbers('from=2027-01-01')).toEqual(['number'])
  expect((await ask('from=yesterday')).status).toBe(422)
})

test('writes are not blocked while it streams, and no row is lost or repeated', async () => {
  addInvoices(3_500)
  const { ctx } = world
  const reader = (await ask()).body?.getReader()
  let csv = ''
  let chunks = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    csv += new TextDecoder().decode(next.value)
    chunks += 1
    ctx.sqlite.prepare(`insert into settings (key, value, updatedAt) values (?, '1', '')`).run(`during ${chunks}`)
  }
  const numbers = linesOf(csv)
    .slice(1)
    .map((line) => line.split(',')[1])
  expect(chunks).toBeGreaterThan(3)
  expect(new Set(numbers).size).toBe(3_500)
  expect(numbers).toHaveLength(3_500)
})

test('one who breaks off leaves nothing behind', async () => {
  addInvoices(3_500)
  const response = await ask()
  await response.body?.cancel()
  addNote()
  expect(linesOf(await (await ask()).text())).toHaveLength(3_502)
})

test('the file that a browser saves begins with the mark by which Excel reads it; one for Xero does not', async () => {
  addInvoices(1)
  const owner = world.signIn(world.addOwner())
  const firstOf = async (file: string, query = '') =>
    [...new Uint8Array(await (await download(owner, file, query)).arrayBuffer())].slice(0, 3)
  expect(await firstOf('invoices.csv')).toEqual([0xef, 0xbb, 0xbf])
  expect(String.fromCharCode(...(await firstOf('accounts.csv', 'format=xero')))).toMatch(/^[*"\w]{3}$/)
})
