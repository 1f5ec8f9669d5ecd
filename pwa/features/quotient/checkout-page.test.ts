import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { cards } from '#api/testing/payments.ts'
import { atProvider, begunOrder, newKey, ordersOf, quotientOrder } from '#api/testing/quotient.ts'
import { fillAddress, fillCard, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { type } from '#pwa/testing/input.ts'
import { pageTexts } from '#pwa/testing/public-data.ts'
// The payment step loads this chunk lazily. It's large, so import it up front, or a test could time out waiting for it.
import '#pwa/features/payment/card/card-form.tsx'

const site = payingSite()

const create = '/api/create-quotient-payment'
const details = { First: 'Sam', Last: 'Field', Email: 'sam@example.com', Business: 'Field Heating' }
const labels: Record<string, string> = {
  First: 'First name *',
  Last: 'Last name *',
  Email: 'Email *',
  Business: 'Business name *',
}
const terms = 'I agree to provide this information for my custom Quotient setup *'

const next = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Continue to payment|^Processing/ })
const sentBodies = () => site.browser.network.sent.filter(({ path }) => path === create).map(({ body }) => body)

function fillDetails() {
  for (const [name, value] of Object.entries(details)) type(labels[name] ?? '', value)
  fireEvent.click(screen.getByLabelText(terms))
}

async function toCard(path = '/quotient/checkout') {
  const page = await site.browser.open(path)
  await screen.findByLabelText('First name *')
  fillDetails()
  fireEvent.click(next())
  await screen.findByLabelText('Card number')
  return page
}

function fillPayment(number: string) {
  fillCard(number)
  fillAddress()
}

const pay = () => fireEvent.click(screen.getByRole('button', { name: 'Complete Purchase' }))

describe('the details', () => {
  test('QUOT-9 QUOT-12 QUOT-13 QUOT-14 QUOT-15 ENT-28 every field, its example, its mark', async () => {
    await site.browser.open('/quotient/checkout?package=master')
    await screen.findByRole('heading', { name: 'Your Business Details' })
    expect(screen.getByRole('complementary', { name: 'Package summary' }).textContent).toContain('£900.00')
    const examples = [
      ['Warranty boost price *', '14.00'],
      ['Cheapest care plan price *', '12.00'],
      ['General hourly rate *', '65.00'],
      ['General install rate *', '2925.00'],
      ['General day rate *', '450.00'],
    ] as const
    for (const [label, example] of examples) {
      expect(screen.getByLabelText(label)).toMatchObject({
        placeholder: `e.g. ${example}`,
        required: false,
        type: 'text',
      })
    }
    for (const label of ['Trade type *', 'Preferred manufacturer *', 'VAT registered *', 'Phone (optional)'])
      expect(screen.getByLabelText(label)).toHaveProperty('required', false)
    expect(screen.getByLabelText('Email *')).toHaveProperty('type', 'email')
    expect(screen.getByLabelText('Additional requirements')).toBeTruthy()
    expect(screen.getByLabelText(terms)).toBeTruthy()
  })

  test('QUOT-10 the button waits for four fields and the tick, and says for what', async () => {
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('First name *')
    expect(next().disabled).toBe(true)
    const why = document.getElementById(next().getAttribute('aria-describedby') ?? '')
    expect(why?.textContent).toBe(
      'We still need: first name, last name, email, business name, a tick next to “I agree”.',
    )
    fillDetails()
    expect(next().disabled).toBe(false)
    for (const label of Object.values(labels)) {
      const value = screen.getByLabelText<HTMLInputElement>(label).value
      type(label, ' ')
      expect([label, next().disabled]).toEqual([label, true])
      type(label, value)
    }
    fireEvent.click(screen.getByLabelText(terms))
    expect(next().disabled).toBe(true)
    expect(why?.textContent).toBe('We still need: a tick next to “I agree”.')
  })

  test('QUOT-11 what is filled in wrongly is reported at its field, and nothing is sent', {
    tags: ['full'],
  }, async () => {
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('First name *')
    fillDetails()
    type('Email *', 'sam')
    fireEvent.click(next())
    expect(await screen.findByText('Please enter a valid email address')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Email *'))
    expect(sentBodies()).toEqual([])
  })

  test('QUOT-12 QUOT-16 CALLS-44 with only these the order goes through, and the card is asked for', async () => {
    await toCard()
    expect(sentBodies()).toEqual([
      expect.objectContaining({
        name: 'Sam Field',
        packageType: 'professional',
        tradeType: null,
        generalDayRate: null,
      }),
    ])
    expect(screen.getByRole('heading', { name: 'Complete Your Purchase' })).toBe(document.activeElement)
    expect(screen.getByRole('complementary', { name: 'Package summary' }).textContent).toMatch(
      /£450\.00.*VAT 20%£90\.00.*£540\.00/,
    )
  })

  test('QUOT-17 busy: a second press sends nothing more, and the button says so', { tags: ['full'] }, async () => {
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('First name *')
    fillDetails()
    fireEvent.click(next())
    fireEvent.click(next())
    await waitFor(() => expect([next().disabled, next().textContent]).toEqual([true, 'Processing...']))
    await screen.findByLabelText('Card number')
    expect(sentBodies()).toHaveLength(1)
  })

  test('EMSG-34 a failure says so and keeps what is typed; trying again makes no second order', {
    tags: ['full'],
  }, async () => {
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('First name *')
    fillDetails()
    site.browser.network.next('lose-response')
    fireEvent.click(next())
    expect(await screen.findByText('Setup Error')).toBeTruthy()
    expect(screen.getAllByText('Failed to initialize payment form.').length).toBeGreaterThan(0)
    expect(screen.getByLabelText('First name *')).toHaveProperty('value', 'Sam')
    fireEvent.click(next())
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world)).toHaveLength(1)
  })

  test('what is typed survives a reload, and a field that the server refuses is marked', {
    tags: ['full'],
  }, async () => {
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('First name *')
    fillDetails()
    await site.browser.open('/quotient/checkout')
    expect(await screen.findByLabelText('Business name *')).toHaveProperty('value', 'Field Heating')
    const error = { code: 'invalid', message: 'Please check.', fields: { phone: 'This is no number.' } }
    site.browser.network.next({ status: 422, body: { error } })
    fireEvent.click(next())
    expect(await screen.findByText('This is no number.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Phone (optional)'))
  })
})

describe('the payment', () => {
  test('QUOT-18 CALLS-46 ANLT-02 paid: the last page, one charge, the address kept, counted in pounds with VAT', async () => {
    const page = await toCard('/quotient/checkout?package=master')
    fillPayment(cards.pays)
    pay()
    fireEvent.click(screen.getByRole('button', { name: /^Complete Purchase|^Processing/ }))
    expect(await screen.findByRole('heading', { name: 'Payment Successful!' })).toBeTruthy()
    expect(page.address()).toBe('/quotient/success')
    await site.world.sandbox.settle()
    expect(ordersOf(site.world).map(({ status, address }) => [status, address])).toEqual([
      ['paid', expect.stringContaining('LS1 1AA')],
    ])
    expect((await atProvider(site.world)).taken).toEqual([90_000])
    const counted = site.world.ctx.sqlite.prepare('select kind, "key", "count", pence from daily_counts')
    expect(counted.all()).toContainEqual({ kind: 'purchase', key: 'GBP', count: 1, pence: 90_000 })
    await site.browser.open('/quotient/checkout')
    expect(await screen.findByLabelText('First name *')).toHaveProperty('value', '')
  })

  test('EMSG-35 a declined card says what the provider says; the next one pays, once', { tags: ['full'] }, async () => {
    await toCard()
    fillPayment(cards.declined)
    pay()
    expect(await screen.findByText('This card was declined')).toBeTruthy()
    expect((await screen.findAllByText('Payment Failed')).length).toBeGreaterThan(0)
    type('Card number', cards.pays)
    pay()
    await screen.findByRole('heading', { name: 'Payment Successful!' })
    expect((await atProvider(site.world)).taken).toEqual([54_000])
  })

  test('EMSG-36 an exception says so and keeps the form', { tags: ['full'] }, async () => {
    await toCard()
    fillPayment(cards.pays)
    site.browser.network.next('lose-request')
    pay()
    expect(await screen.findByText('Payment Error')).toBeTruthy()
    expect(screen.getByText('Something went wrong processing your payment.')).toBeTruthy()
    expect(screen.getByLabelText('Card number')).toHaveProperty('value', '4242 4242 4242 4242')
  })

  test('a reload at step 2 resumes there with the same order; without signal it waits for it', {
    tags: ['full'],
  }, async () => {
    await toCard()
    site.browser.setDelivery(create, 'lose-request')
    await site.browser.open('/quotient/checkout')
    expect(await screen.findByText('You need signal to pay')).toBeTruthy()
    site.browser.setDelivery(create, 'deliver')
    site.browser.setSignal(false)
    site.browser.setSignal(true)
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world)).toHaveLength(1)
  })

  test('back to the details loses nothing: unchanged it is the same order, changed it takes its place', {
    tags: ['full'],
  }, async () => {
    await toCard()
    fireEvent.click(screen.getByRole('link', { name: 'Back to your details' }))
    expect(await screen.findByLabelText('Business name *')).toHaveProperty('value', 'Field Heating')
    fireEvent.click(next())
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world)).toHaveLength(1)
    fireEvent.click(screen.getByRole('link', { name: 'Back to your details' }))
    await screen.findByLabelText('Business name *')
    type('Business name *', 'Field & Son')
    fireEvent.click(next())
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world).map(({ status, businessName }) => [status, businessName])).toEqual([
      ['cancelled', 'Field Heating'],
      ['pending', 'Field & Son'],
    ])
  })

  test('an order that has ended leads back to the details, and continues as a new order', {
    tags: ['full'],
  }, async () => {
    await toCard()
    site.world.ctx.sqlite.prepare(`update quotient_orders set status = 'cancelled'`).run()
    fillPayment(cards.pays)
    pay()
    await screen.findByLabelText('First name *')
    expect(screen.getByText(/You’ve started another order/)).toBeTruthy()
    fireEvent.click(next())
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world).map(({ status }) => status)).toEqual(['cancelled', 'pending'])
    expect((await atProvider(site.world)).taken).toEqual([])
  })

  test('paid elsewhere in the meantime: a reload leads to the last page and takes nothing', {
    tags: ['full'],
  }, async () => {
    await toCard()
    const [intent] = (await site.world.ctx.stripe.paymentIntents.list({})).data
    expect((await site.world.pay(intent?.client_secret ?? '')).status).toBe(200)
    const page = await site.browser.open('/quotient/checkout')
    await screen.findByRole('heading', { name: 'Payment Successful!' })
    expect(page.address()).toBe('/quotient/success')
  })
})

describe('after it', () => {
  const paid = async () => {
    const { clientSecret } = await begunOrder(site.world, { ...quotientOrder, packageType: 'master' })
    await site.world.pay(clientSecret)
    return clientSecret
  }
  const back = (clientSecret: string, status = 'succeeded') =>
    site.browser.open(
      `/quotient/success?payment_intent=pi_1&payment_intent_client_secret=${clientSecret}&redirect_status=${status}`,
    )
  const counted = () =>
    site.world.ctx.sqlite.prepare(`select "count", pence from daily_counts where kind = 'purchase'`).all()

  test('QUOT-19 QUOT-20 QUOT-21 back from the bank: the next steps in their order, where help is, ways on, and a clean address', async () => {
    const page = await back(await paid())
    await screen.findByRole('heading', { name: 'Payment Successful!' })
    const { steps, help } = pageTexts.quotient.success
    const next = within(screen.getByRole('region', { name: 'What happens next' })).getAllByRole('listitem')
    expect(next.map((step) => within(step).getByRole('heading').textContent)).toEqual(steps.map(({ title }) => title))
    for (const [index, { text }] of steps.entries()) expect(next[index]?.textContent).toContain(text)
    const { email, phone, response, hours } = help
    expect(screen.getByRole('link', { name: email }).getAttribute('href')).toBe(`mailto:${email}`)
    expect(screen.getByRole('link', { name: phone }).getAttribute('href')).toBe(`tel:${phone.replaceAll(' ', '')}`)
    expect(screen.getByText(hours).parentElement?.textContent).toBe(`${response}, in business hours ${hours}`)
    expect(screen.getByRole('link', { name: 'Back to Quotient' }).getAttribute('href')).toBe('/quotient')
    expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
    await waitFor(() => expect(page.address()).toBe('/quotient/success'))
    expect(screen.getByRole('heading', { name: 'Payment Successful!' })).toBeTruthy()
  })

  test('QUOT-19 ANLT-02 the address bar is believed in nothing: no claim, nothing counted, and what is typed stays', {
    tags: ['full'],
  }, async () => {
    await toCard()
    await site.browser.open('/quotient/success?payment_intent=pi_1&redirect_status=succeeded')
    expect(await screen.findByRole('heading', { name: 'Your order' })).toBeTruthy()
    await back('pi_1_secret_1')
    expect(await screen.findByRole('heading', { name: 'Your order' })).toBeTruthy()
    expect(screen.queryByText('Payment Successful!')).toBeNull()
    // Someone else's payment is paid; this browser's own purchase isn't.
    await back(await paid())
    await screen.findByRole('heading', { name: 'Payment Successful!' })
    expect(counted()).toEqual([])
    await site.browser.open('/quotient/checkout')
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world)).toHaveLength(2)
  })

  test('the bank said no, whatever the address says: no success, and the way back to the same payment', {
    tags: ['full'],
  }, async () => {
    await toCard('/quotient/checkout?package=master')
    const [intent] = (await site.world.ctx.stripe.paymentIntents.list({})).data
    await back(intent?.client_secret ?? '')
    expect(await screen.findByText('Payment Failed')).toBeTruthy()
    expect(screen.queryByText('Payment Successful!')).toBeNull()
    fireEvent.click(screen.getByRole('link', { name: 'Back to the payment' }))
    await screen.findByLabelText('Card number')
    expect(ordersOf(site.world)).toHaveLength(1)
  })

  test('what is still being confirmed says so, is asked for again, and then counts as paid', {
    tags: ['full'],
  }, async () => {
    const orderId = newKey()
    site.browser.setDelivery('/api/quotient-payment-state', { status: 200, body: { state: 'confirming', orderId } })
    await back('pi_1_secret_1', 'succeeded')
    expect(await screen.findByText('We’re waiting for your bank')).toBeTruthy()
    expect(screen.queryByText('Payment Successful!')).toBeNull()
    site.browser.setDelivery('/api/quotient-payment-state', { status: 200, body: { state: 'paid', orderId } })
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByRole('heading', { name: 'Payment Successful!' })).toBeTruthy()
  })

  test('without signal it claims nothing and asks again; money that went back is not called paid', {
    tags: ['full'],
  }, async () => {
    const clientSecret = await paid()
    site.browser.setDelivery('/api/quotient-payment-state', 'lose-request')
    await back(clientSecret)
    expect(await screen.findByText('You need signal to check your payment')).toBeTruthy()
    site.browser.setDelivery('/api/quotient-payment-state', 'deliver')
    site.browser.setSignal(false)
    site.browser.setSignal(true)
    await screen.findByRole('heading', { name: 'Payment Successful!' })
    const refunded = { state: 'refunded', orderId: ordersOf(site.world)[0]?.id }
    site.browser.setDelivery('/api/quotient-payment-state', { status: 200, body: refunded })
    await back(clientSecret)
    expect(await screen.findByText('We’ve refunded this payment')).toBeTruthy()
  })

  test('QUOT-19 opened by itself it congratulates nobody, and says that this alone buys nothing', async () => {
    await site.browser.open('/quotient/success')
    expect(await screen.findByText(/You’ll see this page after you pay/)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Your order' })).toBeTruthy()
    expect(screen.queryByText(/Successful|What happens next/)).toBeNull()
    expect(counted()).toEqual([])
  })
})
