import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import { fillCard, fillPayer, nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { press } from '#pwa/testing/input.ts'
import { applicationValues, fillApplication } from './testing/application.ts'

const site = payingSite()

const create = '/api/create-subscription'

const sentTo = (address: string) => site.browser.network.sent.filter(({ path }) => path === address)

async function toPayment() {
  const page = await site.browser.open('/membership-application')
  await screen.findByLabelText('Goals')
  fillApplication()
  press('Continue to tiers')
  expect(sentTo('/api/payment-config')).toHaveLength(0)
  fireEvent.click(await screen.findByRole('button', { name: 'JOIN ALLIANCE' }))
  return page
}

describe('beginning', () => {
  test('API-05 PAY-01 PAY-02 the form comes with the client secret, and the key with it; name, email, tier and price are sent', async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    expect(sentTo('/api/payment-config')).toHaveLength(1)
    const [{ body } = { body: null }] = sentTo(create)
    expect(body).toMatchObject({
      email: applicationValues.Email,
      name: 'Sam Field',
      tierSlug: 'standard',
      tierPrice: 25000,
    })
    expect(screen.getByText('Total today').parentElement?.textContent).toBe('Total today£300.00')
    expect(screen.getByRole('button', { name: /^PAY £300.00/ })).toBeTruthy()
  })

  test('a reload resumes at the payment', async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    await site.browser.open('/membership-application')
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
    expect(countRows(site.world, 'users')).toBe(1)
  })

  test('ERR-10 the address is asked for once: it stands there again after a try that was left or refused', {
    tags: ['full'],
  }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.declined)
    fillPayer()
    press(/^PAY/)
    await screen.findAllByText('Payment Setup Failed')
    await site.browser.open('/membership-application')
    await screen.findByLabelText('Card number')
    await waitFor(() => expect(screen.getByLabelText('Postcode')).toHaveProperty('value', 'LS1 1AA'))
    expect(screen.getByLabelText('Address')).toHaveProperty('value', '1 High Street')
    expect(screen.getByLabelText(/^Take £/)).toHaveProperty('checked', false)
  })

  test('another tier is chosen at the payment, without the form, and after a reload too', {
    tags: ['full'],
  }, async () => {
    const page = await toPayment()
    await screen.findByLabelText('Card number')
    press('Change tier')
    fireEvent.click(await screen.findByRole('button', { name: 'JOIN ALLIANCE LITE' }))
    expect(await screen.findByRole('button', { name: /^PAY £150.00/ })).toBeTruthy()
    page.back()
    await screen.findByRole('button', { name: 'SELECTED' })
    sessionStorage.clear()
    await site.browser.open('/membership-application')
    fireEvent.click(await screen.findByRole('button', { name: 'JOIN ALLIANCE' }))
    expect(await screen.findByRole('button', { name: /^PAY £300.00/ })).toBeTruthy()
    const { data } = await site.world.ctx.stripe.subscriptions.list({ status: 'incomplete' })
    expect(data).toHaveLength(1)
  })

  test('somebody who is logged in resumes a payment that was begun, with nothing stored here', {
    tags: ['full'],
  }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    await site.browser.open('/members')
    await screen.findByRole('link', { name: 'Logout' })
    localStorage.clear()
    sessionStorage.clear()
    await site.browser.open('/membership-application')
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
    expect(screen.getByText('For sam@example.com')).toBeTruthy()
  })

  test('ERR-08 ERR-09 an answer without a secret says so, and can be tried again', { tags: ['full'] }, async () => {
    nextTo(site.browser, create, {
      status: 200,
      body: { subscriptionId: 'sub_1', net: 25000, vat: 5000, total: 30000 },
    })
    await toPayment()
    expect(await screen.findByText('No client secret received from server')).toBeTruthy()
    expect(screen.getByText('Failed to initialize payment. Please refresh and try again.')).toBeTruthy()
    press('Try again')
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
  })

  test('ERR-07 a failure says what the server says', async () => {
    nextTo(site.browser, create, ourError(502, 'payment_provider_unavailable'))
    await toPayment()
    expect(await screen.findByText('Refused: payment_provider_unavailable.')).toBeTruthy()
  })

  test('an address that is known by then asks for a login that leads back here', { tags: ['full'] }, async () => {
    nextTo(site.browser, '/api/membership-application/email', 'lose-request')
    site.world.addMember({ email: applicationValues.Email })
    await toPayment()
    expect(await screen.findByText('You already have an account. Please log in to continue.')).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Log in' })
    expect(link.getAttribute('href')).toBe('/login?redirect=%2Fmembership-application')
  })

  test('a price that has changed leads back to the tiers, which are asked for again', { tags: ['full'] }, async () => {
    nextTo(site.browser, create, ourError(409, 'price_changed'))
    await toPayment()
    expect(await screen.findByText('Refused: price_changed.')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: 'SELECTED' }))
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
    expect(site.browser.network.sent.filter(({ path }) => path === '/api/membership-tiers').length).toBeGreaterThan(1)
  })

  test('so does a tier that isn’t sold any more', async () => {
    const fields = { tierSlug: 'We don’t sell this tier at the moment. Choose another.' }
    const error = { code: 'invalid', message: fields.tierSlug, fields }
    nextTo(site.browser, create, { status: 422, body: { error } })
    await toPayment()
    expect(await screen.findByText(fields.tierSlug)).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'SELECTED' })).toBeTruthy()
  })

  test('without signal it says so, and continues by itself', { tags: ['full'] }, async () => {
    nextTo(site.browser, create, 'lose-request')
    await toPayment()
    expect(await screen.findByText('You need signal to pay')).toBeTruthy()
    site.browser.setSignal(false)
    site.browser.setSignal(true)
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
  })
})

describe('paying', () => {
  test('what is wrong is marked on both sides, and nothing is charged', { tags: ['full'] }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    press(/^PAY/)
    expect(await screen.findByText('Card number is required')).toBeTruthy()
    for (const sentence of ['Address is required', 'Town is required', 'Tick the box to carry on.'])
      expect(screen.getByText(sentence)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Card number'))
  })

  test('ERR-10 ERR-21 PAY-04 PAY-06 PAY-09 JOIN-11 JOIN-12 JOIN-13 LIMIT-2 ANLT-02 a declined card keeps the form; the next one pays, once', async () => {
    const page = await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.declined)
    fillPayer()
    press(/^PAY/)
    expect(await screen.findByText('This card was declined')).toBeTruthy()
    expect((await screen.findAllByText('Payment Setup Failed')).length).toBeGreaterThan(0)
    expect(screen.getByLabelText('Town')).toHaveProperty('value', 'Leeds')
    fillCard(cards.pays)
    press(/^PAY/)
    press(/^PAY|^PROCESSING/)
    expect(await screen.findByText('Payment Successful!')).toBeTruthy()
    const included = within(
      screen.getByRole('heading', { name: 'Alliance includes' }).closest('section') ?? document.body,
    )
    expect(included.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['Community access', 'Training videos', '30-minute monthly coaching call'],
    ])
    expect(screen.getByRole('link', { name: 'Open the members’ area' }).getAttribute('href')).toBe('/members')
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/')
    expect(localStorage.getItem('membership-payment')).toBeNull()
    // The page stays the same, and its first invoice is for the payment.
    expect(page.address()).toBe('/membership-application')
    const { data } = await site.world.ctx.stripe.charges.list()
    expect(data.filter(({ paid }) => paid)).toHaveLength(1)
    expect(
      countRows(site.world, 'provider_invoices', "status = 'paid' and billingReason = 'subscription_create'"),
    ).toBe(1)
    expect(countRows(site.world, 'addresses', "postcode = 'LS1 1AA'")).toBe(1)
    const counted = site.world.ctx.sqlite.prepare('select kind, "key", "count", pence from daily_counts')
    expect(counted.all()).toContainEqual({ kind: 'purchase', key: 'GBP', count: 1, pence: 30_000 })
    expect(counted.all()).toContainEqual({ kind: 'form_submit', key: 'membership', count: 1, pence: 0 })
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', applicationValues.Email)
  })

  test('what has given way to another choice, in another window, says so, and nothing is charged', {
    tags: ['full'],
  }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    const other = await site.world.call(create, {
      body: { email: applicationValues.Email, name: 'Sam Field', tierSlug: 'xl' },
      headers: { cookie: site.browser.cookie ?? '' },
    })
    expect(other.status).toBe(200)
    fillCard(cards.pays)
    fillPayer()
    press(/^PAY/)
    expect((await screen.findAllByText(/You’ve chosen something else/)).length).toBeGreaterThan(0)
    expect((await site.world.ctx.stripe.charges.list()).data).toEqual([])
  })

  test('ERR-11 an exception says so and keeps the form', { tags: ['full'] }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.pays)
    fillPayer()
    nextTo(site.browser, '/api/billing/address', 'lose-request')
    press(/^PAY/)
    expect(await screen.findByText('Payment Error')).toBeTruthy()
    expect(screen.getByText('Payment processing failed. Please try again.')).toBeTruthy()
    expect(screen.getByLabelText('Card number')).toHaveProperty('value', '4242 4242 4242 4242')
    expect(screen.getByText('No signal')).toBeTruthy()
    expect(screen.getByText(/^Your details are still here, and you haven’t been charged\./)).toBeTruthy()
    press(/^PAY/)
    expect(await screen.findByText('Payment Successful!')).toBeTruthy()
    expect(screen.queryByText('No signal')).toBeNull()
  })

  test('an answer of the provider that is lost is found out, not charged again', { tags: ['full'] }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.pays)
    fillPayer()
    const usual = globalThis.fetch
    const losing = vi.fn(async (path: string | URL | Request, init?: RequestInit) => {
      const response = await usual(path, init)
      if (!String(path).endsWith('/confirm')) return response
      globalThis.fetch = usual
      throw new TypeError('Failed to fetch')
    })
    globalThis.fetch = Object.assign(losing, { preconnect: () => {} })
    press(/^PAY/)
    expect(await screen.findByText('Payment Successful!')).toBeTruthy()
    expect((await site.world.ctx.stripe.charges.list()).data).toHaveLength(1)
  })
})

test('PAY-03 PAY-09 back from the bank’s page the members’ area greets, once, and its address is clean', async () => {
  site.browser.signIn(site.world.addMember())
  const page = await site.browser.open('/members?payment_intent=pi_1&redirect_status=succeeded')
  expect(await screen.findByText('Welcome to the membership!')).toBeTruthy()
  await waitFor(() => expect(page.address()).toBe('/members'))
})

test('the bank’s page said no: the payment is there again, with one message, until its step is left', {
  tags: ['full'],
}, async () => {
  await toPayment()
  await screen.findByLabelText('Card number')
  const page = await site.browser.open('/members?payment_intent=pi_1&redirect_status=failed')
  await screen.findByLabelText('Card number')
  await waitFor(() => expect(page.address()).toBe('/membership-application'))
  expect(screen.getAllByText('Payment Setup Failed')).toHaveLength(1)
  expect(screen.queryByLabelText('New password')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'Back to application' }))
  await screen.findByLabelText('Goals')
  expect(screen.queryByText('Payment Setup Failed')).toBeNull()
})

test('a return from the bank’s page after a refusal, with nothing stored here: one message, and the way to begin', async () => {
  const page = await site.browser.open('/members?payment_intent=pi_1&redirect_status=failed')
  await screen.findByLabelText('Goals')
  await waitFor(() => expect(page.address()).toBe('/membership-application'))
  expect(screen.getAllByText('Payment Setup Failed')).toHaveLength(1)
})

test('the link of a mail resumes where joining stopped, by a press: opening it changes nothing', async () => {
  await toPayment()
  await screen.findByLabelText('Card number')
  const sqlite = site.world.ctx.sqlite
  const first = site.browser.cookie
  site.browser.cookie = null
  await site.browser.open('/membership-application')
  await screen.findByText('You already have an account. Please log in to continue.')
  const mails = JSON.stringify(sqlite.prepare('select * from mail_outbox').all())
  const address = `/membership-application?continue=${/continue=([\w-]+)/.exec(mails)?.[1] ?? ''}`
  const state = () =>
    JSON.stringify(['sessions', 'password_resets'].map((name) => sqlite.prepare(`select * from ${name}`).all()))
  const before = state()
  // A mail scanner opens it and runs its scripts.
  await site.browser.open(address)
  await screen.findByRole('button', { name: 'Carry on joining' })
  expect([state(), site.browser.cookie]).toEqual([before, null])
  const page = await site.browser.open(address)
  press('Carry on joining')
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
  expect(page.address()).toBe('/membership-application')
  expect(site.browser.cookie).not.toBe(first)
})

test('a double-click on it is one press: the second would say that the link has been used', async () => {
  await toPayment()
  await screen.findByLabelText('Card number')
  site.browser.cookie = null
  await site.browser.open('/membership-application')
  await screen.findByText('You already have an account. Please log in to continue.')
  const mails = JSON.stringify(site.world.ctx.sqlite.prepare('select * from mail_outbox').all())
  const page = await site.browser.open(`/membership-application?continue=${/continue=([\w-]+)/.exec(mails)?.[1]}`)
  const button = await screen.findByRole('button', { name: 'Carry on joining' })
  for (const detail of [1, 2]) fireEvent.click(button, { detail })
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
  expect(screen.queryByText(/That link doesn’t work any more/)).toBeNull()
  expect(page.address()).toBe('/membership-application')
})

test('a link that has been used says so, and joining begins', { tags: ['full'] }, async () => {
  await site.browser.open('/membership-application?continue=used')
  fireEvent.click(await screen.findByRole('button', { name: 'Carry on joining' }))
  expect(await screen.findByText('That link doesn’t work any more. Carry on below.')).toBeTruthy()
  expect(await screen.findByLabelText('Goals')).toBeTruthy()
})

test('without signal the link stays, and its button works later', { tags: ['full'] }, async () => {
  await site.browser.open('/membership-application?continue=used')
  await screen.findByRole('button', { name: 'Carry on joining' })
  site.browser.setSignal(false)
  press('Carry on joining')
  expect(await screen.findByRole('alert')).toBeTruthy()
  site.browser.setSignal(true)
  press('Carry on joining')
  expect(await screen.findByLabelText('Goals')).toBeTruthy()
})
