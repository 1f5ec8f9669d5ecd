import { strFromU8, unzipSync } from 'fflate'
import { afterEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { contentOf } from '#api/site/content.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { download } from '#api/testing/downloads.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let world: PaymentWorld
afterEach(() => world.stop())

test('the accountant’s ZIP has a cover sheet, the sums, every document of the period and no other', async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-03-20T10:00:00.000Z') })
  await becomeMember(world)
  await world.advance(32)
  const [renewal] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: renewal?.id ?? '', amount: 6_000 })
  await world.sandbox.settle()
  await runJob(world.ctx, 'reconcile')
  const owner = world.signIn(world.addOwner())
  const response = await download(owner, 'accountant.zip', 'period=2026%2F27')
  const named = decodeURIComponent(response.headers.get('content-disposition') ?? '')
  const { brand } = contentOf(world.ctx).read().site
  expect(named).toBe(`attachment; filename*=UTF-8''${brand.name} accounts, tax year 2026-27.zip`)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(Object.keys(files)).toEqual([
    ...['cover-sheet.pdf', 'earned.csv', 'invoices.csv', 'stripe-balance.csv', 'commission/commission-2027-03.pdf'],
    'invoices/invoice-A-000001.pdf',
  ])
  // Excel reads them as UTF-8 only with the mark.
  for (const name of ['earned.csv', 'invoices.csv', 'stripe-balance.csv'])
    expect([name, [...(files[name] ?? []).slice(0, 3)]]).toEqual([name, [0xef, 0xbb, 0xbf]])
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  expect(textOf('cover-sheet.pdf')).toMatch(/^%PDF-/)
  expect(textOf('earned.csv').split('\r\n')[1]).toBe('2027-03,300,0,50,4.7,25,220.3,0,295.3,0,')
  expect(textOf('invoices.csv').split('\r\n').slice(1, -1)).toHaveLength(1)
  expect(textOf('stripe-balance.csv')).toContain(',charge,300,4.7,295.3,')
  const april = await download(owner, 'accountant.zip', 'period=2027-04')
  const names = Object.keys(unzipSync(new Uint8Array(await april.arrayBuffer())))
  expect(names).toContain('invoices/invoice-A-000002.pdf')
  expect(names).toContain('invoices/credit-note-C-000001.pdf')
  expect((await download(owner, 'accountant.zip', 'period=2026%2F28')).status).toBe(422)
})
