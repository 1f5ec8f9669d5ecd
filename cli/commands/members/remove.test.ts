import { afterAll, beforeAll, expect, test } from 'vitest'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { type Sandbox, startSandbox } from '#api/sandbox/server.ts'
import type { RunOptions, RunResult } from '#cli/testing/run-command.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let provider: Sandbox
beforeAll(async () => {
  folder = openDataFolder()
  const { ctx } = folder.world
  provider = await startSandbox({
    file: ':memory:',
    port: 0,
    clock: { now: ctx.billingNow, moveTo: () => {} },
    webhook: { url: () => 'http://localhost', secret: 'whsec_sandbox', deliver: async () => new Response() },
  })
  folder.world.addUser({ email: 'olive@alliance.test', isAdmin: true })
  folder.world.addMember({ email: 'sam@alliance.test', firstName: 'Sam', lastName: 'Field' })
  addCommission()
})
afterAll(async () => {
  await provider.stop()
  folder.close()
})

function addCommission() {
  const { ctx } = folder.world
  const customerId = ctx.sqlite.prepare<[], { id: string }>('select id from customers').get()?.id ?? ''
  const line = { description: 'Alliance membership', quantity: 1, unitPrice: 25_000, net: 25_000, rate: 20, vat: 5_000 }
  const money = { customerId, net: 25_000, tierSlug: 'standard' as const, createdAt: '2026-05-12T09:00:00.000Z' }
  ctx.db
    .insert(invoices)
    .values({
      id: 'i',
      sequence: 1,
      number: 'A-000001',
      taxPoint: '2026-05-12',
      issuedOn: '2026-05-12',
      ...money,
      seller: { name: 'S', address: 'A', vatNumber: 'V' },
      lines: [line],
      vat: 5_000,
      gross: 30_000,
      customer: { name: 'Sam Field', address: null },
    })
    .run()
  ctx.db
    .insert(commissionLedger)
    .values({
      id: 'l',
      kind: 'invoice',
      invoiceId: 'i',
      month: '2026-05',
      paymentMonth: '2026-05',
      ...money,
      rate: 10,
      amount: 2_500,
      dueOn: '2026-05-27',
    })
    .run()
}

const run = (argv: string, setting: RunOptions = {}): Promise<RunResult> =>
  folder.local(argv, { env: { ...folder.env, SANDBOX_PORT: String(provider.port), NO_COLOR: '1' }, ...setting })
const terminal = { isTTY: { stdin: true, stdout: true } }

test('CALLS-25 CALLS-36 a member is removed from the terminal after a confirmation; their commission is still paid, by the ID that is kept', async () => {
  const dry = await run('members remove sam@alliance.test --dry-run')
  expect(dry).toMatchObject({ code: 0, err: 'Dry run: nothing was changed.\n' })
  expect(dry.out).toMatch(/^Ends +1 membership\nDeleted +account\nKept +1 invoice, 1 commission line\n/)
  const question =
    'Permanently remove sam@alliance.test? The membership ends straight away, without a refund. Deleted: account. Kept: 1 invoice, 1 commission line.'
  expect(await run('members remove sam@alliance.test')).toEqual({
    code: 2,
    out: '',
    err: `${question} Use --yes to confirm.\n`,
  })
  const declined = await run('members remove sam@alliance.test', { ...terminal, input: ['no\n'] })
  expect(declined).toMatchObject({ code: 130, out: '' })
  expect(declined.err).toContain('Cancelled. Nothing changed.')
  expect(declined.err).toContain('straight away, without\na refund. Deleted: account.')
  for (const line of declined.err.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80)
  expect(await run('members remove olive@alliance.test --yes')).toMatchObject({
    code: 1,
    err: 'You can’t remove an owner here.\n',
  })

  const removed = await run('members remove sam@alliance.test --yes --json')
  const { memberId, subscriptions } = JSON.parse(removed.out)
  expect([removed.code, subscriptions]).toEqual([0, 1])
  expect(await run(`members remove ${memberId} --yes --json`)).toEqual(removed)
  expect(await run('members remove sam@alliance.test --yes')).toMatchObject({
    code: 3,
    err: 'We can’t find this member. See: alliance members list --search <words>\n',
  })

  const list = await run('commission list')
  const stub = /^For a removed member, use the ID: (\S+)\.\n$/.exec(list.err)?.[1] ?? ''
  expect(list.out).toMatch(/\nRemoved member +2026-05 +£250\.00 +£25\.00 +no\n$/)
  expect((await run('commission list --csv')).out).toContain(`,l,${stub}\r\n`)
  expect(await run(`commission pay ${stub} --month 2026-05`)).toEqual({
    code: 0,
    out: '',
    err: 'The commission of the removed member is marked as paid.\n',
  })
  expect((await run('commission list')).out).toMatch(/12 June 2026\n$/)
  const unpaid = await run(`commission unpay ${stub} --month 2026-05 --json`)
  expect([unpaid.code, unpaid.err, JSON.parse(unpaid.out)]).toEqual([
    ...[0, ''],
    { success: true, memberId: stub, commissionPaid: false, commissionMonth: '2026-05' },
  ])
  expect(await run(`commission pay ${memberId} --month 2026-05`)).toMatchObject({ code: 3 })
})
