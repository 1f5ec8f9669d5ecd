import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError } from '#api/testing/world.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
let member: TestPerson
let place: string
beforeEach(async () => {
  server = await startServer()
  place = mkdtempSync(join(tmpdir(), 'alliance-broken-'))
  member = server.world.addMember({ tier: 'standard', email: 'sam@alliance.test' })
  addPaidMonth(server.world, member, '2026-06-11')
})
afterEach(() => {
  server.close()
  rmSync(place, { recursive: true })
})

/** More than is read before the first byte is sent. */
const many = 3_000

function addInvoices() {
  server.world.ctx.sqlite.exec(`with recursive n(i) as (select 2 union all select i + 1 from n where i < ${many})
    insert into invoices (id, sequence, number, customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt)
    select 'x' || i, i, printf('A-%06d', i), customerId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net, vat, gross, createdAt
    from invoices, n where sequence = 1;
    insert into commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, rate, amount, dueOn, createdAt)
    select 'x' || sequence, 'invoice', customerId, id, '2026-06', '2026-06', tierSlug, net, 10, net / 10, taxPoint, createdAt
    from invoices where sequence > 1`)
}

/** The pages that the server has read are in its memory still. */
function damage(name: string, which?: 'last') {
  damagePage(databaseFile(server.dataDir), name, which)
  server.world.ctx.sqlite.pragma('shrink_memory')
}

const owner = () => server.world.signIn(server.world.addOwner()).cookie

const statement = '/api/admin/commission-statements/2026-06?format=csv'

/** How the terminal gets it, if it does; its address; and what it is read from. */
const files = [
  ['export accounts --format xero', '/api/admin/exports/accounts.csv?format=xero', 'invoices'],
  ['invoices export --csv', '/api/admin/exports/invoices.csv', 'document_csv_rows'],
  ['vat 2026-Q2 --csv', '/api/admin/exports/invoices.csv?from=2026-04-01&to=2026-06-30', 'document_csv_rows'],
  [null, statement, 'commission_ledger'],
] as const

const health = async () => (await fetch(`${server.url}/api/health`)).json()
const damaged = { status: 'error', services: { database: 'damaged' } }

/** Runs it in process and over HTTP. */
const runs = async (argv: string | null) => (argv === null ? [] : [await server.local(argv), await server.remote(argv)])

/** To who sits at the machine it is said why. */
const unreadable = /^(The database is damaged: |.*cannot be read just now)[^\n]*\n$/

describe.each(files)('%s, %s', (argv, path, table) => {
  test('fails before its first byte where the beginning cannot be read', async () => {
    const cookie = owner()
    damage(table)
    const response = await fetch(`${server.url}${path}`, { headers: { cookie } })
    expect(await readError(response)).toMatchObject({ status: 503, code: 'busy' })
    expect(await health()).toMatchObject(damaged)
    for (const ran of await runs(argv)) {
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(unreadable) })
    }
  })

  test('breaks off where a later part cannot be read: nobody takes it for whole', async () => {
    addInvoices()
    const cookie = owner()
    damage(table, 'last')
    const response = await fetch(`${server.url}${path}`, { headers: { cookie } })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(await health()).toMatchObject(damaged)
    for (const [at, { code, out, err }] of (await runs(argv)).entries()) {
      const lines = out.split('\r\n').length
      // A line that is reset may lose what was on its way.
      expect([code, lines > (at === 0 ? 100 : 0), lines < many]).toEqual([1, true, true])
      expect(err).toMatch(/^The file is incomplete.*\n$/)
    }
  })
})

test('a folder of files keeps none of an export that broke off', async () => {
  addInvoices()
  damage('invoices', 'last')
  for (const [at, run] of [server.local, server.remote].entries()) {
    const folder = join(place, `quickbooks-${at}`)
    const ran = await run(`export accounts --format quickbooks --folder ${folder}`)
    expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^The file is incomplete.*\n$/) })
    expect(readdirSync(folder)).toEqual([])
  }
})

test('an archive of a member’s data that broke off is not kept', async () => {
  addInvoices()
  damage('invoices', 'last')
  for (const [at, run] of [server.local, server.remote].entries()) {
    const file = join(place, `sam-${at}.zip`)
    const ran = await run(`members export sam@alliance.test ${file}`)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toMatch(/^(The file is incomplete|The database is damaged|.*cannot be read just now)[^\n]*\n$/)
    expect(existsSync(file)).toBe(false)
  }
})
