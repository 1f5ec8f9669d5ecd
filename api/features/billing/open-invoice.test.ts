import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { act, acted, becomeMember, beginTrial, providerInvoices, timesCharged } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { InvoiceList } from '#shared/contract/billing.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const askToPay = (call: Call) => acted(call, '/api/billing/pay')

async function overdue(days = 32): Promise<Call> {
  const call = await becomeMember(world, cards.failsLater)
  await world.control('settings', { retryDays: [3], afterRetries: 'unpaid' })
  await world.advance(days)
  return call
}

describe('a renewal that failed', () => {
  test('is paid once, from two tabs, after a double click, and when requested again', async () => {
    const call = await overdue()
    expect((await billingOf(call)).status).toBe('past_due')
    const [one, other] = await Promise.all([askToPay(call), askToPay(call)])
    expect(other).toEqual(one)
    expect(one).toMatchObject({ net: 25_000, vat: 5_000, total: 30_000 })
    const paid = await Promise.all([world.pay(one.clientSecret), world.pay(other.clientSecret)])
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await askToPay(call)).toEqual({ ...one, clientSecret: null, vatRate: undefined })
    expect(await billingOf(call)).toMatchObject({ status: 'active', openInvoice: null, showsBanner: false })
    expect(await timesCharged(world)).toBe(2)
  })

  test('a decline is followed by another card; 3-D Secure asks on the way', async () => {
    const call = await overdue()
    const { clientSecret } = await askToPay(call)
    expect((await world.pay(clientSecret, cards.declined)).status).toBe(402)
    expect((await billingOf(call)).status).toBe('past_due')
    const asked = JSON.parse((await world.pay(clientSecret, cards.asks3ds)).body)
    expect(asked.status).toBe('requires_action')
    expect((await askToPay(call)).clientSecret).toBe(clientSecret)
    const page = asked.next_action.redirect_to_url.url
    await fetch(`${page}/complete`, { method: 'POST', redirect: 'manual' })
    await world.sandbox.settle()
    expect((await billingOf(call)).status).toBe('active')
    expect(await timesCharged(world)).toBe(2)
  })

  test('another card pays from then on, also where the membership was made to keep the first one', {
    tags: ['full'],
  }, async () => {
    const call = await overdue()
    const { stripe } = world.ctx
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    await stripe.subscriptions.update(subscription?.id ?? '', {
      payment_settings: { save_default_payment_method: 'off' },
    })
    const { clientSecret } = await askToPay(call)
    expect((await world.pay(clientSecret, cards.pays)).status).toBe(200)
    await world.advance(32)
    expect(await billingOf(call)).toMatchObject({ status: 'active', openInvoice: null })
    expect(await timesCharged(world)).toBe(3)
  })

  test('the next renewal, still a draft, is the one that is paid; the older is cancelled', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, cards.failsLater)
    await world.control('settings', { retryDays: [40], draftMinutes: 60 })
    await world.advance(32)
    const { end } = world.ctx.sqlite
      .prepare<[], { end: string }>('select currentPeriodEnd as end from subscriptions')
      .get() ?? { end: '' }
    await world.sandbox.advance(new Date(Date.parse(end) + 30 * 60_000))
    expect(await providerInvoices(world)).toEqual(['draft 30000', 'open 30000', 'paid 30000'])
    const { clientSecret } = await askToPay(call)
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'void 30000', 'paid 30000'])
    expect((await billingOf(call)).status).toBe('active')
    expect(await timesCharged(world)).toBe(2)
  })

  test('in order, nothing waits', async () => {
    const call = await becomeMember(world)
    expect(await askToPay(call)).toMatchObject({ clientSecret: null })
    const { call: unfinished } = await beginJoin(world.call, { ...sam, email: 'kim@example.com' })
    expect((await readError(await act(unfinished, '/api/billing/pay'))).message).toBe('You don’t owe anything.')
  })
})

describe('a membership whose payments were given up', () => {
  test('the newest is paid, a draft of the provider’s; older ones are cancelled, with the browser closed', {
    tags: ['full'],
  }, async () => {
    const call = await overdue(100)
    expect(await billingOf(call)).toMatchObject({ status: 'unpaid', hasAccess: false, offer: 'pay_or_restart' })
    expect(await providerInvoices(world)).toEqual(['draft 30000', 'draft 30000', 'open 30000', 'paid 30000'])
    const { openInvoice } = await billingOf(call)
    const [{ clientSecret, invoiceId }, twice] = await Promise.all([askToPay(call), askToPay(call)])
    expect(twice).toMatchObject({ clientSecret, invoiceId })
    expect(openInvoice).toMatchObject({ id: invoiceId, total: 30_000 })
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'void 30000', 'void 30000', 'paid 30000'])
    expect(countRows(world, 'provider_invoices', `status = 'void'`)).toBe(2)
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    expect(await timesCharged(world)).toBe(2)
  })

  test('a draft whose finalising got no response is found by looking again, a failed voiding is completed by the next sync', {
    tags: ['full'],
  }, async () => {
    const call = await overdue(70)
    await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/invoices/', times: 3 })
    expect((await act(call, '/api/billing/pay')).status).toBe(200)
    const { clientSecret } = await askToPay(call)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(clientSecret)
    // The first three answer the question of what comes next.
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/invoices/', times: 6 })
    await expect(syncCustomer(world.ctx, onlyCustomer(world))).rejects.toThrow()
    expect((await billingOf(call)).status).toBe('active')
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'void 30000', 'paid 30000'])
  })

  test('ended, nothing more has to be paid, and a new one can begin', { tags: ['full'] }, async () => {
    const call = await overdue(70)
    const ended = await acted(call, '/api/billing/end')
    expect(ended).toMatchObject({ status: 'canceled', offer: 'subscribe', openInvoice: null })
    expect(await acted(call, '/api/billing/end')).toEqual(ended)
    expect(await providerInvoices(world)).toEqual(['void 30000', 'void 30000', 'paid 30000'])
    expect(countRows(world, 'audit_entries', `action = 'subscription.end'`)).toBe(1)
    const { response } = await beginJoin(call, sam)
    await world.pay(response.clientSecret)
    expect((await billingOf(call)).status).toBe('active')
    expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
  })

  const refunded = async () => (await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)

  test('paid in another tab at the moment in which it is ended, the money goes back', { tags: ['full'] }, async () => {
    const call = await overdue(70)
    const { clientSecret } = await askToPay(call)
    const { stripe } = world.ctx
    const subscriptions = Object.create(stripe.subscriptions)
    subscriptions.cancel = async (id: string) => {
      await world.pay(clientSecret)
      return stripe.subscriptions.cancel(id)
    }
    const value = Object.create(stripe, { subscriptions: { value: subscriptions } })
    Object.defineProperty(world.ctx, 'stripe', { value })
    expect(await acted(call, '/api/billing/end')).toMatchObject({ status: 'canceled' })
    expect(await refunded()).toEqual([30_000])
  })

  test('paid after it was ended, before its invoice was voided, the money goes back once', {
    tags: ['full'],
  }, async () => {
    const call = await overdue(70)
    const { clientSecret } = await askToPay(call)
    await world.control('settings', { webhooks: { hold: true } })
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/invoices/', times: 6 })
    expect((await act(call, '/api/billing/end')).status).toBe(502)
    await world.sandbox.advance(new Date(world.ctx.billingNow().getTime() + 2000))
    await world.pay(clientSecret)
    await world.control('settings', { webhooks: { hold: false } })
    await world.control('webhooks/release')
    await world.sandbox.settle()
    expect((await billingOf(call)).status).toBe('canceled')
    expect(await refunded()).toEqual([30_000])
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await refunded()).toEqual([30_000])
    expect(countRows(world, 'audit_entries', `action = 'invoice.late_payment'`)).toBe(1)
  })

  /** The provider gives up on a renewal and cancels. Holds back that event and all later ones until released. */
  async function givenUp() {
    await world.control('settings', { retryDays: [3], afterRetries: 'canceled' })
    const call = await becomeMember(world, cards.failsLater)
    await world.advance(32)
    await world.control('settings', { webhooks: { hold: true } })
    await world.advance(5)
    const release = async () => {
      await world.control('settings', { webhooks: { hold: false } })
      await world.control('webhooks/release')
      await world.sandbox.settle()
    }
    return { call, release }
  }

  test('ended by the provider because it was not paid, nothing more has to be paid', { tags: ['full'] }, async () => {
    const { call, release } = await givenUp()
    await release()
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', openInvoice: null })
    expect(await providerInvoices(world)).toEqual(['void 30000', 'paid 30000'])
  })

  test('paid after the provider had ended it, the money goes back once', { tags: ['full'] }, async () => {
    const { call, release } = await givenUp()
    const { stripe } = world.ctx
    const [open] = (await stripe.invoices.list({ status: 'open' })).data
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
    await stripe.invoices.pay(open?.id ?? '', { payment_method: card.id })
    const readings = Array.from({ length: 6 }, () => syncCustomer(world.ctx, onlyCustomer(world)))
    await Promise.all([...readings, release()])
    expect((await billingOf(call)).status).toBe('canceled')
    expect(await refunded()).toEqual([30_000])
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await refunded()).toEqual([30_000])
    expect(countRows(world, 'audit_entries', `action = 'invoice.late_payment'`)).toBe(1)
  })

  test('paid after its end by a way that is not the provider’s, there is nothing that could go back by it', {
    tags: ['full'],
  }, async () => {
    const call = await overdue(70)
    const { stripe } = world.ctx
    const [newest] = (await stripe.invoices.list({ status: 'open' })).data
    await stripe.invoices.markUncollectible(newest?.id ?? '')
    await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
    await world.sandbox.advance(new Date(world.ctx.billingNow().getTime() + 2000))
    await stripe.invoices.pay(newest?.id ?? '', { paid_out_of_band: true })
    await world.sandbox.settle()
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect((await billingOf(call)).status).toBe('canceled')
    expect(await refunded()).toEqual([])
    expect(countRows(world, 'provider_invoices', 'paidAt > (select max(endedAt) from subscriptions)')).toBe(1)
    expect(countRows(world, 'audit_entries', `action = 'invoice.late_payment'`)).toBe(0)
  })

  test('one that is in order is not ended, it is cancelled', async () => {
    const call = await becomeMember(world)
    expect(await readError(await act(call, '/api/billing/end'))).toMatchObject({ status: 409, code: 'conflict' })
    expect(await providerSubscriptions(world)).toEqual(['active'])
  })
})

describe('a pause', () => {
  /** A trial that ended without a card, at a provider that pauses such trials. */
  async function paused(): Promise<Call> {
    const call = await beginTrial(world)
    const { stripe } = world.ctx
    const [trial] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    await stripe.subscriptions.update(trial?.id ?? '', {
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    })
    await world.advance(25)
    await syncCustomer(world.ctx, onlyCustomer(world))
    return call
  }

  test('ends with a paid invoice, however often it was resumed', { tags: ['full'] }, async () => {
    const call = await paused()
    expect(await billingOf(call)).toMatchObject({ status: 'paused', hasAccess: false, offer: 'resume' })
    expect((await act(call, '/api/billing/pay')).status).toBe(409)
    const [resumed] = await Promise.all([acted(call, '/api/billing/resume'), acted(call, '/api/billing/resume')])
    expect(resumed).toMatchObject({ status: 'paused', openInvoice: { total: 30_000 } })
    await acted(call, '/api/billing/resume')
    const { clientSecret } = await askToPay(call)
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'paid 0'])
  })

  test('cancelled, it ends straight away', { tags: ['full'] }, async () => {
    const call = await paused()
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ status: 'canceled' })
  })
})

describe('a purchase that was begun and left', () => {
  const listed = async (call: Call) =>
    v.parse(InvoiceList, await (await call('/api/billing/invoices')).json()).map(({ status }) => status)

  test('BILL-01 its first invoice is no debt: it is neither listed nor to be paid in Billing, now or later', async () => {
    const { call } = await beginJoin(world.call)
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(countRows(world, 'provider_invoices', `status = 'open'`)).toBe(1)
    expect(await billingOf(call)).toMatchObject({
      status: 'incomplete',
      openInvoice: null,
      offer: 'pay_or_change_tier',
    })
    expect(await listed(call)).toEqual([])
    await world.advance(2)
    expect((await billingOf(call)).status).toBe('incomplete_expired')
    expect(await listed(call)).toEqual([])
  })

  test('BILL-01 a renewal that waits is listed, and the way to pay it with it', async () => {
    const call = await overdue()
    expect(await listed(call)).toEqual(['open', 'paid'])
    expect((await billingOf(call)).openInvoice).toMatchObject({ total: 30_000 })
  })
})
