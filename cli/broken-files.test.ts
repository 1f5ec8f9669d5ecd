import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { ticketOf } from '#api/testing/downloads.ts'
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

/** More than the server reads before it sends the first byte. */
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

/** Also empties the page cache, where the server still has the pages it has read. */
function damage(name: string, which?: 'last') {
  damagePage(databaseFile(server.dataDir), name, which)
  server.world.ctx.sqlite.pragma('shrink_memory')
}

/** Asks for a file as an owner's browser does, whenever the answer is called for. */
async function asked(path: string): Promise<() => Promise<Response>> {
  const call = server.world.signIn(server.world.addOwner())
  const [, file] = /^\/api\/admin\/exports\/([^?]+)/.exec(path) ?? []
  const ticket = file === undefined ? '' : `${path.includes('?') ? '&' : '?'}ticket=${await ticketOf(call, file)}`
  return () => fetch(`${server.url}${path}${ticket}`, { headers: { cookie: call.cookie } })
}

const statement = '/api/admin/commission-statements/2026-06?format=csv'

/** How the terminal downloads it, if it does; its address; and the file it's read from. */
const files = [
  ['export accounts --format xero', '/api/admin/exports/accounts.csv?format=xero', 'invoices'],
  ['invoices export --csv', '/api/admin/exports/invoices.csv', 'document_csv_rows'],
  ['vat 2026-Q2 --csv', '/api/admin/exports/invoices.csv?from=2026-04-01&to=2026-06-30', 'document_csv_rows'],
  [null, statement, 'commission_ledger'],
] as const

const health = async () => (await fetch(`${server.url}/api/health`)).json()
const damaged = { status: 'error', services: { database: 'damaged' } }

/** A connection reset also discards what the client hasn't read yet, which may be all of it. */
const broken = {
  code: 1,
  err: expect.stringMatching(/^(The file is incomplete|No response from \S+ \(ECONNRESET\)).*\n$/),
}

/** On the server itself, the terminal gives the reason. */
const unreadable = /^(The database is damaged: |.*can’t read this right now)[^\n]*\n$/

const runs = async (argv: string | null) => (argv === null ? [] : [await server.local(argv), await server.remote(argv)])

describe.each(files)('%s, %s', { tags: ['full'] }, (argv, path, table) => {
  test('fails before its first byte where the beginning cannot be read', async () => {
    const ask = await asked(path)
    damage(table)
    expect(await readError(await ask())).toMatchObject({ status: 503, code: 'busy' })
    expect(await health()).toMatchObject(damaged)
    for (const ran of await runs(argv)) {
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringMatching(unreadable) })
    }
  })

  test('breaks off where a later part cannot be read: nobody takes it for whole', async () => {
    addInvoices()
    const ask = await asked(path)
    damage(table, 'last')
    const file = ask().then((response) => response.text())
    await expect(file).rejects.toThrow('ECONNRESET')
    expect(await health()).toMatchObject(damaged)
    const ran = await runs(argv)
    for (const one of ran) expect(one).toMatchObject(broken)
    // In-process output can't get lost on the way.
    for (const { out, err } of ran.slice(0, 1))
      expect([out.split('\r\n').length > 100, err]).toEqual([true, expect.stringMatching(/^The file is incomplete/)])
  })
})

test('a folder of files keeps none of an export that broke off', { tags: ['full'] }, async () => {
  addInvoices()
  damage('invoices', 'last')
  for (const [at, run] of [server.local, server.remote].entries()) {
    const folder = join(place, `quickbooks-${at}`)
    const ran = await run(`export accounts --format quickbooks --folder ${folder}`)
    expect(ran).toMatchObject({ ...broken, out: '' })
    expect(readdirSync(folder)).toEqual([])
  }
})

test('an archive of a member’s data that broke off is not kept', { tags: ['full'] }, async () => {
  addInvoices()
  damage('invoices', 'last')
  for (const [at, run] of [server.local, server.remote].entries()) {
    const file = join(place, `sam-${at}.zip`)
    const ran = await run(`members export sam@alliance.test ${file}`)
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toMatch(
      /^.*(can’t read this right now|The database is damaged|The file is incomplete|No response from \S+ \(ECONNRESET\)).*\n$/,
    )
    expect(existsSync(file)).toBe(false)
  }
})
