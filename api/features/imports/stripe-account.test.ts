// @module-tag full
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { compareRevenue } from '#api/features/reconcile/comparison-service.ts'
import { acted } from '#api/testing/billing.ts'
import { fillForeignAccount, foreignLives } from '#api/testing/foreign-account.ts'
import { countRows } from '#api/testing/joining.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'

/** Two thousand take two minutes: `IMPORT_PEOPLE=2000`. */
const people = Number(process.env.IMPORT_PEOPLE ?? 500)

test('subscriptions of another program, in every state, are adopted once and keep what they charge', async () => {
  const world = await startPaymentWorld()
  const { port } = world.sandbox
  const another = new Stripe('sk_test_sandbox', { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
  await fillForeignAccount(another, people)
  await world.sandbox.settle()
  // By then some cards have failed, and what was never paid for has expired.
  await world.advance(25)
  const owner = world.signIn(world.addOwner())
  const { data: prices } = await another.prices.list({ limit: 100 })
  const gold = prices.find(({ unit_amount }) => unit_amount === 4999)?.id ?? ''
  const read = async () => {
    const options = { tiers: { [gold]: 'lite' } }
    const { id } = await acted(owner, '/api/admin/imports', { kind: 'stripe', upload: null, options })
    await runJob(world.ctx, 'imports')
    return acted(owner, `/api/admin/imports/${id}`, undefined, 'GET')
  }
  const planned = await read()
  const each = people / foreignLives
  const countOf = (name: string) => planned.facts.find(({ fact }: { fact: string }) => fact === name)?.count ?? 0
  const nearly = (count: number) => [Math.floor(count * 0.9), Math.ceil(count * 1.1)] as const
  const stays = ['currency', 'interval', 'other_tax', 'several_items', 'several_seats', 'paused', 'scheduled']
  for (const reason of [...stays, 'no_card_for_trial']) {
    const [least, most] = nearly(each)
    expect([reason, countOf(`stays-${reason}`) >= least, countOf(`stays-${reason}`) <= most]).toEqual([
      reason,
      true,
      true,
    ])
  }
  expect(countOf('adopts-past_due')).toBeGreaterThan(each * 0.9)
  expect(countOf('stays-no_address')).toBeGreaterThan(0)

  const charges = async () => (await another.charges.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })).length
  const [before, mails] = [await charges(), countRows(world, 'mail_outbox')]
  await acted(owner, `/api/admin/imports/${planned.id}/apply`)
  await runJob(world.ctx, 'imports')
  const applied = await acted(owner, `/api/admin/imports/${planned.id}`, undefined, 'GET')
  expect(applied).toMatchObject({ state: 'applied', failed: 0, done: planned.counts.new })
  expect([await charges(), countRows(world, 'mail_outbox'), countRows(world, 'invoices')]).toEqual([before, mails, 0])
  expect(countRows(world, 'subscriptions')).toBe(planned.counts.new)
  expect(await read()).toMatchObject({
    counts: { new: 0, existing: planned.counts.new, refused: planned.counts.refused },
  })
  // As `alliance mrr diff` does it at the server's own terminal, where no request waits.
  const { differences } = await compareRevenue(world.ctx)
  const ours = differences.filter(({ ours: mine }) => mine !== null)
  expect(ours).toEqual([])

  // Each goes on paying what they paid, with our VAT invoice for exactly that.
  await world.advance(8)
  const odd = world.ctx.sqlite
    .prepare(`select i.gross, p.total from invoices i join provider_invoices p on p.id = i.providerInvoiceId
      where i.gross <> p.total or i.net + i.vat <> i.gross or p.isHistory`)
    .all()
  expect(odd).toEqual([])
  expect(countRows(world, 'invoices')).toBeGreaterThan(each * 4)
  expect(countRows(world, 'withdrawals')).toBe(0)
  expect((await another.refunds.list({})).data).toEqual([])
  await world.stop()
}, 900_000)
