import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { acted, becomeMember, personCalled, timesCharged } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'

const site = payingSite()
let call: Call

beforeAll(async () => {
  await import('#pwa/features/billing/billing-overview.tsx')
})

/** Opens the dialog as a new Standard member who has chosen XL; `before` runs between joining and opening. */
async function chooseXl(card?: string, before?: () => Promise<unknown>) {
  call = await becomeMember(site.world, card)
  await before?.()
  site.browser.signIn(personCalled(site.world, sam.email))
  await site.browser.open('/members?tab=billing')
  await screen.findByRole('heading', { name: 'Billing address' })
  fireEvent.click(await screen.findByRole('button', { name: 'Change tier' }))
  const opened = within(await screen.findByRole('dialog', { name: 'Change tier' }))
  fireEvent.click(await opened.findByRole('radio', { name: /^Alliance XL/ }))
  return opened
}

type Opened = Awaited<ReturnType<typeof chooseXl>>
const today = (opened: Opened) => opened.getByRole('radio', { name: /^Today/ })
const chooseToday = async (opened: Opened) => {
  await waitFor(() => expect(today(opened)).toHaveProperty('disabled', false))
  fireEvent.click(today(opened))
  return opened.findByRole('button', { name: /^Pay £[\d.]+ and start today$/ })
}

test('today stands beside the next bill with both amounts; chosen, it is paid once, and the tier is there', {
  tags: ['full'],
}, async () => {
  const opened = await chooseXl()
  const nextBill = opened.getByRole('radio', { name: /^With your next payment/ })
  expect(nextBill).toHaveProperty('checked', true)
  await waitFor(() => expect(nextBill.closest('label')?.textContent).toContain('£540.00 then'))
  expect(opened.getByRole('button', { name: 'Change to Alliance XL' })).toBeTruthy()
  const pay = await chooseToday(opened)
  expect(opened.getByText(/^Next payment, /).nextSibling?.textContent).toBe('£540.00')
  expect(
    opened.getByText(/^We’ll take £[\d.]+ from Visa ending 4242 now\. Alliance XL starts as soon as it’s paid\.$/),
  ).toBeTruthy()
  expect(opened.queryByRole('button', { name: 'Change to Alliance XL' })).toBeNull()
  fireEvent.click(pay)
  fireEvent.click(pay)
  expect(await screen.findByText('Alliance XL has started')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change tier' })).toBeNull())
  await waitFor(() => expect(document.activeElement?.id).toBe('billing-status'))
  expect((await billingOf(call)).plan?.slug).toBe('xl')
  expect(await timesCharged(site.world)).toBe(2)
})

test('with a lasting discount and credit, every sum in the dialog is what Stripe takes', {
  tags: ['full'],
}, async () => {
  const opened = await chooseXl(undefined, async () => {
    const { stripe } = site.world.ctx
    const customer = onlyCustomer(site.world)
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' })
    const [subscription] = (await stripe.subscriptions.list({ customer })).data
    await stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
    await stripe.customers.createBalanceTransaction(customer, { amount: -40_000, currency: 'gbp' })
  })
  // Half of £540.00 is less than their credit.
  expect(await opened.findByText(/Your credit pays for it$/)).toBeTruthy()
  const nextBill = opened.getByRole('radio', { name: /^With your next payment/ })
  expect(nextBill.closest('label')?.textContent).toContain('Nothing then')
  expect(opened.queryByText('Every month after')).toBeNull()
  expect(opened.queryByText(/£540\.00/)).toBeNull()
})

test('with something that’s paid once with the next payment, no sum is promised for every month', async () => {
  const opened = await chooseXl(undefined, () =>
    site.world.ctx.stripe.invoiceItems.create({
      customer: onlyCustomer(site.world),
      amount: 4_000,
      currency: 'gbp',
    }),
  )
  expect(await opened.findByText(/We’ll take £588\.00 .* for Alliance XL$/)).toBeTruthy()
  expect(opened.queryByText('Every month after')).toBeNull()
  await chooseToday(opened)
  expect(opened.getByText(/On .* we’ll take £588\.00|We’ll take £588\.00/).textContent).not.toContain('every month')
})

test('the slip names the rate that Stripe charges', async () => {
  const opened = await chooseXl(undefined, async () => {
    const { stripe } = site.world.ctx
    const rate = { display_name: 'VAT', percentage: 5, inclusive: false, country: 'GB' }
    const { id } = await stripe.taxRates.create(rate)
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(site.world) })).data
    await stripe.subscriptions.update(subscription?.id ?? '', { default_tax_rates: [id] })
  })
  await chooseToday(opened)
  const slip = within(opened.getByText('VAT 5%').closest('dl') ?? document.body)
  expect(slip.queryByText('VAT 20%')).toBeNull()
})

test('where credit pays for all of it, it starts without the card', { tags: ['full'] }, async () => {
  const opened = await chooseXl(undefined, () =>
    site.world.ctx.stripe.customers.createBalanceTransaction(onlyCustomer(site.world), {
      amount: -100_000,
      currency: 'gbp',
    }),
  )
  await waitFor(() => expect(today(opened)).toHaveProperty('disabled', false))
  fireEvent.click(today(opened))
  expect(opened.getByText(/^Next payment, /).nextSibling?.textContent).toBe('Nothing to pay')
  expect(opened.getByText(/^Your credit pays for it, £[\d.]+\. We won’t charge Visa ending 4242\./)).toBeTruthy()
  fireEvent.click(opened.getByRole('button', { name: 'Start today' }))
  expect(await screen.findByText('Your credit paid for it.')).toBeTruthy()
  expect(await timesCharged(site.world)).toBe(1)
})

test('a declined card is reported in the dialog, nothing has changed, and it can be tried again', {
  tags: ['full'],
}, async () => {
  const opened = await chooseXl(cards.failsLater)
  fireEvent.click(await chooseToday(opened))
  expect(await opened.findByText('Your card was declined. Nothing has changed.')).toBeTruthy()
  expect(await opened.findByRole('button', { name: /^Pay £[\d.]+ and start today$/ })).toBeTruthy()
  expect((await billingOf(call)).plan?.slug).toBe('standard')
  expect(await timesCharged(site.world)).toBe(1)
})

test('where it cannot start today the reason stands in its place, and the next bill can be chosen', {
  tags: ['full'],
}, async () => {
  const opened = await chooseXl(undefined, async () => {
    const { stripe } = site.world.ctx
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'once' })
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(site.world) })).data
    await stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
  })
  expect(await opened.findByText(/^You’ve got a discount on your next payment\./)).toBeTruthy()
  expect(today(opened)).toHaveProperty('disabled', true)
  expect(opened.queryByRole('button', { name: 'Retry' })).toBeNull()
  fireEvent.click(opened.getByRole('button', { name: 'Change to Alliance XL' }))
  expect(await screen.findByText(/^Alliance XL from /)).toBeTruthy()
})

test('an amount that could not be worked out is asked for again, and a cheaper tier offers none', {
  tags: ['full'],
}, async () => {
  nextTo(site.browser, '/api/billing/upgrade/preview', 'lose-request')
  const opened = await chooseXl()
  expect(await opened.findByText('No signal. Try again when you’re back in range.')).toBeTruthy()
  fireEvent.click(opened.getByRole('button', { name: 'Retry' }))
  await chooseToday(opened)
  fireEvent.click(opened.getByRole('radio', { name: /^Alliance Lite/ }))
  expect(opened.queryByRole('radio', { name: /^Today/ })).toBeNull()
  expect(opened.getByRole('button', { name: 'Change to Alliance Lite' })).toBeTruthy()
})

test('an amount that was shown too long ago is not taken: the new one is shown first', { tags: ['full'] }, async () => {
  const opened = await chooseXl()
  const pay = await chooseToday(opened)
  const before = pay.textContent
  await site.world.advance(10)
  fireEvent.click(pay)
  expect(await opened.findByText(/^The price may have changed\./)).toBeTruthy()
  const again = await opened.findByRole('button', { name: /^Pay £[\d.]+ and start today$/ })
  expect(again.textContent).not.toBe(before)
  expect(await timesCharged(site.world)).toBe(1)
})

test('comes back from the bank: unanswered it ends, and that is said', { tags: ['full'] }, async () => {
  await chooseXl(cards.pays, async () => {
    const { stripe } = site.world.ctx
    const customer = onlyCustomer(site.world)
    const card = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
    const [subscription] = (await stripe.subscriptions.list({ customer })).data
    await stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
    const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
    expect(await acted(call, '/api/billing/upgrade', { attemptId })).toMatchObject({ status: 'action_required' })
  })
  const back = '/members?tab=billing&errand=upgrade&payment_intent=pi_1&redirect_status=failed'
  const page = await site.browser.open(back)
  expect(await screen.findByText('You haven’t been charged, and your tier hasn’t changed.')).toBeTruthy()
  await waitFor(() => expect(page.address()).toBe('/members?tab=billing'))
  expect((await billingOf(call)).plan?.slug).toBe('standard')
})
