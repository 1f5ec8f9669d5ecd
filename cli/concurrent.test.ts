// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { beginJoin, countRows } from '#api/testing/joining.ts'
import { issuedInvoices } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readBooks, recurringRevenue } from '#api/testing/year/books.ts'
import { Mrr } from '#shared/contract/revenue.ts'

const main = builtProgram('cli/main')
const rounds = process.env.FULL ? 3 : 1

let dataDir = ''
let world: PaymentWorld
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-beside-'))
  world = await startPaymentWorld({ file: databaseFile(dataDir), env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterEach(async () => {
  await world.stop()
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

/** A terminal in a process of its own on the same database; this process is the server. */
async function terminal(argv: string) {
  const child = Bun.spawn([process.execPath, '--no-env-file', main, ...argv.split(' ')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, SANDBOX_PORT: String(world.sandbox.port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const err = await new Response(child.stderr).text()
  return { argv, code: await child.exited, err }
}

/** Each from its own IP address, so that they don't share a rate limit. */
let joined = 0
async function joinOne(): Promise<void> {
  joined += 1
  const headers = { 'x-forwarded-for': `10.0.0.${joined}` }
  /**
   * A terminal may lock the database for longer than a request waits. The request then retries as the form does: in a browser with
   * the account's cookie, if it already made one.
   */
  const call: PaymentWorld['call'] = async (path, options = {}) => {
    const response = await world.call(path, { ...options, headers: { ...headers, ...options.headers } })
    if (response.status !== 503) return response
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
    return call(path, cookie.length === 0 ? options : { ...options, headers: { cookie: cookie.join('; ') } })
  }
  const { response } = await beginJoin(call, { email: `sam-${joined}@example.com`, name: 'Sam Field' })
  await world.pay(response.clientSecret)
}

test('terminals read and repair on the server’s database while webhooks arrive: nothing is lost, doubled or refused for good', async () => {
  await joinOne()
  for (let round = 0; round < rounds; round += 1) {
    const commands = [
      'jobs run reconcile',
      'invoices fix',
      'subscriptions sync sam-1@example.com',
      'jobs run month-end',
    ]
    const terminals = Promise.all(commands.map(terminal))
    // While every member renews, others join.
    const renewed = world.advance(31)
    for (let count = 0; count < 6; count += 1) await joinOne()
    await renewed
    expect(await terminals).toEqual(commands.map((argv) => ({ argv, code: 0, err: '' })))
  }
  await world.control('webhooks/release')
  await world.sandbox.settle()
  // Stripe resends webhooks that waited too long for a terminal. The books show that none is missing.
  const refused = world.logged.filter((line) => line.includes('webhook') && !line.includes('"status":503'))
  expect(refused).toEqual([])
  await expectWhole()
})

async function expectWhole(): Promise<void> {
  const books = await readBooks(world)
  const sequences = issuedInvoices(world).map(({ sequence }) => sequence)
  expect(sequences).toEqual(books.paid.map((_paid, index) => index + 1))
  expect(countRows(world, 'commission_ledger', "kind = 'invoice'")).toBe(books.paid.length)
  expect(countRows(world, 'mail_outbox', "cause like 'receipt:%'")).toBe(books.paid.length)
  const { totalMRR } = v.parse(Mrr, await (await world.signIn(world.addOwner())('/api/admin/mrr')).json())
  expect(totalMRR).toBe(recurringRevenue(books))
}
