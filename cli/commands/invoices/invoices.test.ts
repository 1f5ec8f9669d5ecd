import { afterAll, beforeAll, expect, test } from 'vitest'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const { ctx } = server.world
  server.world.addMember({ email: 'sam@alliance.test' })
  const customerId = ctx.sqlite.prepare<[], { id: string }>('select id from customers').get()?.id ?? ''
  const createdAt = ctx.now().toISOString()
  const line = { description: 'Alliance membership', quantity: 1, unitPrice: 25_000, net: 25_000, rate: 20, vat: 5_000 }
  for (const [sequence, day] of ['2026-05-12', '2026-06-12'].entries()) {
    ctx.db
      .insert(invoices)
      .values({
        id: `i${sequence}`,
        sequence: sequence + 1,
        number: `A-00000${sequence + 1}`,
        customerId,
        createdAt,
        taxPoint: day,
        issuedOn: day,
        seller: { name: 'S', address: 'A', vatNumber: 'V' },
        lines: [line],
        customer: { name: '=Łukasz', address: null },
        isMissingAddress: true,
        isRetroactive: sequence === 1,
        net: 25_000,
        vat: 5_000,
        gross: 30_000,
      })
      .run()
  }
  ctx.db
    .insert(creditNotes)
    .values({
      id: 'n',
      sequence: 1,
      number: 'C-000001',
      invoiceId: 'i0',
      kind: 'refund',
      reason: 'Refund of 1 June 2026',
      net: 8_333,
      vat: 1_667,
      gross: 10_000,
      issuedOn: '2026-06-01',
      createdAt,
    })
    .run()
})
afterAll(() => server.close())

async function both(argv: string) {
  const [local, remote] = [await server.local(argv), await server.remote(argv)]
  expect(remote).toEqual(local)
  return local
}

test('the list has the newest first, with what was credited, by member and month', { tags: ['full'] }, async () => {
  const { code, out } = await both('invoices list')
  expect(code).toBe(0)
  const [, newest, oldest] = out.split('\n')
  expect(newest).toMatch(/^A-000002 +12 June 2026 +=Łukasz +£250\.00 +£50\.00 +£300\.00 +– +retroactive, no address$/)
  expect(oldest).toMatch(/^A-000001 +12 May 2026 .+ £100\.00 +no address, C-000001$/)
  const numbers = async (filter: string) =>
    JSON.parse((await both(`invoices list ${filter} --json`)).out).map(({ number }: { number: string }) => number)
  expect(await numbers('--month 2026-05')).toEqual(['A-000001'])
  expect(await numbers('--member SAM@alliance.test')).toEqual(['A-000002', 'A-000001'])
  expect(await numbers('--member nobody@alliance.test')).toEqual([])
  for (const [words, found] of [
    ['A-000001', ['A-000001']],
    ['C-000001', ['A-000001']],
    ['łukasz', ['A-000002', 'A-000001']],
    ['sam@alliance', ['A-000002', 'A-000001']],
    ['£300.00', ['A-000002', 'A-000001']],
    ['301', []],
  ] as const)
    expect([words, await numbers(`--search ${words}`)]).toEqual([words, found])
  for (const [filter, found] of [
    ['--quarter 2026-q2', ['A-000002', 'A-000001']],
    ['--quarter 2026-Q3', []],
    ['--show part-credited', ['A-000001']],
    ['--show uncredited --quarter 2026-Q2', ['A-000002']],
    ['--show credited', []],
    ['--show replaced', []],
    ['--show no-address --month 2026-06', ['A-000002']],
    ['--member lukas', ['A-000002', 'A-000001']],
    ['--member łukasz --limit 1', ['A-000002']],
  ] as const)
    expect([filter, await numbers(filter)]).toEqual([filter, found])
  expect(await numbers('-s łukasz --month 2026-05')).toEqual(['A-000001'])
  expect((await both('invoices list --search 301')).out).toBe('No invoices.\n')
})

test('the export is CSV by both transports, in a pipe and on a terminal, without formulas', async () => {
  const { out } = await both('invoices export')
  const rows = out.trimEnd().split('\r\n')
  expect(rows.slice(1).map((row) => row.split(',').filter((_, at) => [0, 1, 4, 9].includes(at)))).toEqual([
    ['Invoice', 'A-000001', `'=Łukasz`, '300'],
    ['Invoice', 'A-000002', `'=Łukasz`, '300'],
    ['Credit note', 'C-000001', `'=Łukasz`, '-100'],
  ])
  const onScreen = { isTTY: { stdin: true, stdout: true } }
  expect((await server.remote('invoices export', onScreen)).out).toBe(out)
  expect((await both('invoices export --to 2026-05-31')).out.split('\r\n')).toHaveLength(3)
})

test('deleting requires confirmation; a dry run does not, and deletes nothing', async () => {
  expect(await both('invoices delete-drafts sam@alliance.test')).toMatchObject({
    code: 2,
    out: '',
    err: 'Delete the drafts and retroactive invoices of sam@alliance.test? Use --yes to confirm.\n',
  })
  const dry = JSON.parse((await server.remote('invoices delete-drafts sam@alliance.test --dry-run --json')).out)
  expect(dry.facts).toMatchObject({ deleted: ['A-000002'], finalizedCount: 1, dryRun: true })
  expect(server.world.ctx.db.select().from(creditNotes).all()).toHaveLength(1)
})
