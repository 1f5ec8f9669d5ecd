// @module-tag full
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { sam } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'

const documents = process.env.FULL ? 300 : 24

let dataDir: string
let world: PaymentWorld
let member: Call
let other: Call
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-documents-'))
  world = await startPaymentWorld({ file: databaseFile(dataDir) })
  member = (await joinAndPay(world, { ...sam, billingAddress: millLane })).call
  other = (await joinAndPay(world, { ...sam, email: 'other@example.com', billingAddress: millLane })).call
  copyInvoice()
})
afterAll(async () => {
  await world.stop()
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

function copyInvoice(): void {
  const [first] = issuedInvoices(world)
  if (first === undefined) throw new Error('No invoice was issued.')
  for (let count = 0; count < documents; count += 1) {
    const sequence = 3 + count
    const id = world.ctx.newId()
    const copy = { ...first, id, sequence, number: `A-${String(sequence).padStart(6, '0')}`, providerInvoiceId: null }
    world.ctx.db.insert(invoices).values(copy).run()
  }
}

const pdf = (call: Call, id = '') => call(`/api/billing/invoices/${id}/pdf`)
const copies = () => issuedInvoices(world).filter(({ sequence }) => sequence >= 3)
const storedFiles = () => readdirSync(join(dataDir, 'documents'))

test('a member who opens every invoice at once blocks nobody: requests are served and another’s PDF is drawn meanwhile', async () => {
  const mine = issuedInvoices(world).find(({ sequence }) => sequence === 2)
  let [drawn, turns, isDone] = [0, 0, false]
  const all = copies().map(async ({ id }) => {
    expect((await pdf(member, id)).status).toBe(200)
    drawn += 1
  })
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  count()
  expect((await world.call('/api/health')).status).toBe(200)
  expect(drawn).toBe(0)
  expect((await pdf(other, mine?.id)).status).toBe(200)
  expect(drawn).toBeLessThanOrEqual(4)
  await Promise.all(all)
  isDone = true
  // If drawing ran on the event loop, it would only turn a few times per document.
  expect(turns).toBeGreaterThan(documents * 50)
})

test('a document is drawn once and kept, for its owner alone: what was kept is what is sent', async () => {
  const [first] = copies()
  const before = Buffer.from(await (await pdf(member, first?.id)).arrayBuffer())
  expect(storedFiles()).toHaveLength(documents + 1)
  for (const file of storedFiles()) {
    expect(statSync(join(dataDir, 'documents', file)).mode & 0o777).toBe(0o600)
    writeFileSync(join(dataDir, 'documents', file), Buffer.concat([before, Buffer.from('\n% kept')]))
  }
  expect(await (await pdf(member, first?.id)).text()).toMatch(/\n% kept$/)
  expect((await pdf(other, first?.id)).status).toBe(404)
})

test('one that was lost is drawn again, and the same', async () => {
  const [first] = issuedInvoices(world)
  const before = await (await pdf(member, first?.id)).arrayBuffer()
  rmSync(join(dataDir, 'documents'), { recursive: true })
  expect(Buffer.from(await (await pdf(member, first?.id)).arrayBuffer()).equals(Buffer.from(before))).toBe(true)
})
