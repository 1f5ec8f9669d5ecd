import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { countRows, providerSubscriptions } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import { linkTo } from '#api/testing/reactivating.ts'
import { fillCard, fillPayer, nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { press } from '#pwa/testing/input.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'

const site = payingSite()

const email = 'kit@example.com'
const create = '/api/create-delayed-subscription'
const day = (from: number) => addDays(londonDay(site.world.ctx.billingNow()), from)
const pathOf = (url: string) => url.slice(new URL(url).origin.length)
const invite = async (lastPayment = day(-10), name?: string) =>
  pathOf((await linkTo(site.world, { email, lastPayment, ...(name ? { name } : {}) })).url)

async function toPayment(tier = 'Alliance', lastPayment?: string) {
  await site.browser.open(await invite(lastPayment, 'Kit'))
  fireEvent.click(await screen.findByRole('button', { name: `Set Up Delayed Billing - ${tier}` }))
}

const counted = () =>
  site.world.ctx.sqlite.prepare(`select pence from daily_counts where kind = 'purchase'`).pluck().all()

const heading = async () => (await screen.findByRole('heading', { level: 1 })).textContent

describe('the link', () => {
  test('DELY-2 without an email, tampered or expired it is invalid, and leads to the members’ area', async () => {
    const good = await invite()
    for (const path of [
      '/reactivate-delayed',
      good.replace('kit%40', 'sam%40'),
      `${good}A`,
      good.replace('expires=2', 'expires=3'),
    ]) {
      await site.browser.open(path)
      expect([path, await heading()]).toEqual([path, 'Invalid Link'])
      expect(screen.getByText('This reactivation link is invalid or has expired.')).toBeTruthy()
      expect(screen.getByRole('link', { name: 'Go to the members’ area' }).getAttribute('href')).toBe('/members')
    }
  })

  test('DELY-2 one that has expired since it was made is invalid too, also when it was open all the while', {
    tags: ['full'],
  }, async () => {
    const path = await invite()
    await site.browser.open(path)
    await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })
    site.world.forward(14 * 86_400_000)
    press('Set Up Delayed Billing - Alliance')
    fireEvent.click(await screen.findByRole('button', { name: 'Open the link again' }))
    await waitFor(async () => expect(await heading()).toBe('Invalid Link'))
    await site.browser.open(path)
    await waitFor(async () => expect(await heading()).toBe('Invalid Link'))
  })

  test('DELY-1 DELY-3 DELY-4 DELY-5 DELY-7 DELY-11 it offers two tiers, prices from the server, and says the date', async () => {
    site.world.ctx.sqlite.exec(`update tier_prices set net = 26000 where tierSlug = 'standard'`)
    await site.browser.open(await invite(day(-10), 'Kit'))
    await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })
    expect(await heading()).toBe('Welcome Back, Kit!')
    const tierCards = screen.getAllByRole('article').map(({ textContent }) => textContent)
    expect(tierCards).toHaveLength(2)
    expect(tierCards[0]).toContain('£260 + VAT')
    expect(tierCards[0]).toContain('£312.00 total per month')
    expect(tierCards[1]).toContain('£450 + VAT')
    expect(tierCards[1]).toContain('£540.00 total per month')
    expect(screen.getByText('Sorry we had an error').parentElement?.textContent).toContain(
      `until one month after your last payment: ${formatLongDate(day(20))}.`,
    )
    expect(screen.queryByRole('heading', { name: /^Alliance Lite/ })).toBeNull()
  })

  test('DELY-1 without a name it greets a “Member”', async () => {
    await site.browser.open(await invite())
    await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })
    expect(await heading()).toBe('Welcome Back, Member!')
  })

  test('DELY-3 it names the member it is for, and tells somebody else who is logged in here that it is not theirs', {
    tags: ['full'],
  }, async () => {
    await site.browser.open(await invite())
    expect(await screen.findByText(`For ${email}`)).toBeTruthy()
    expect(screen.queryByText(`This link is for ${email}`)).toBeNull()
    site.browser.signIn(site.world.addMember({ email: 'reader@example.com' }))
    await site.browser.open('/members')
    await screen.findByRole('link', { name: 'Logout' })
    const page = await site.browser.open(await invite())
    expect(await screen.findByText(`This link is for ${email}`)).toBeTruthy()
    expect(document.body.textContent).toContain(`You’re logged in as reader@example.com.`)
    await page.close()
  })

  test('DELY-3 for somebody who has a membership it says that nothing is to be paid', async () => {
    const path = await invite()
    site.world.addMember({ email })
    await site.browser.open(path)
    await waitFor(async () => expect(await heading()).toBe('Nothing to pay'))
    expect(screen.getByText(`This link is for ${email}, and there’s nothing to pay.`)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open Billing' })).toBeTruthy()
  })

  test('without signal it says so, and opens with the next try', { tags: ['full'] }, async () => {
    const path = await invite()
    site.browser.setSignal(false)
    await site.browser.open(path)
    expect(await screen.findByText('You need signal for this')).toBeTruthy()
    site.browser.setSignal(true)
    expect(await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance XL' })).toBeTruthy()
  })
})

describe('setting up', () => {
  test('CALLS-45 DELY-6 DELY-8 the plan, net and total, the first payment’s date, features, a card tab and a PayPal tab', async () => {
    await toPayment('Alliance XL')
    await screen.findByLabelText('Card number')
    const body = site.browser.network.sent.find(({ path }) => path === create)?.body
    expect(body).toMatchObject({ email, name: 'Kit', tierSlug: 'xl', delayedBillingDate: day(20) })
    expect(screen.getByText('Special Delayed Billing').parentElement?.textContent).toContain(
      `We’ll take the first £540.00 on ${formatLongDate(day(20))}`,
    )
    const plan = screen.getByRole('complementary', { name: 'Plan summary' }).textContent
    for (const part of [
      'Alliance XL, per month£450.00',
      'Total per month£540.00',
      `First payment${formatLongDate(day(20))}`,
      'Weekly accountability',
    ])
      expect(plan).toContain(part)
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Card', 'PayPal'])
    fireEvent.click(screen.getByRole('tab', { name: 'PayPal' }))
    expect(screen.queryByLabelText('Card number')).toBeNull()
    press('Back to Plan Selection')
    expect(await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })).toBeTruthy()
  })

  test('DELY-9 EMSG-39 EMSG-41 a declined card keeps the form; the next is saved, once, and the page after says when it pays', {
    tags: ['full'],
  }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.declined)
    fillPayer()
    press(/^SAVE/)
    expect(await screen.findByText('This card was declined')).toBeTruthy()
    expect((await screen.findAllByText('Setup Failed')).length).toBeGreaterThan(0)
    expect(screen.getAllByText(/Your card was declined/).length).toBeGreaterThan(0)
    fillCard(cards.pays)
    press(/^SAVE/)
    press(/^SAV/)
    expect(await screen.findByText('Payment Method Saved!')).toBeTruthy()
    expect(screen.getByText(`Billing will start on ${formatLongDate(day(20))}.`)).toBeTruthy()
    await waitFor(async () => expect(await heading()).toBe('We’ve saved your payment method'))
    expect(document.body.textContent).toContain(`Your first payment of £300.00 is on ${formatLongDate(day(20))}.`)
    // A link may have removed a password that the account had.
    expect(
      screen.getByText(/^Log in with a code, or with your password\. We’ve emailed .+ a link to set one\.$/),
    ).toBeTruthy()
    expect(await providerSubscriptions(site.world)).toEqual(['trialing'])
    expect(counted()).toEqual([])
    expect((await site.world.ctx.stripe.charges.list()).data.filter(({ paid }) => paid)).toEqual([])
    expect(countRows(site.world, 'addresses', "postcode = 'LS1 1AA'")).toBe(1)
    expect(site.browser.cookie).toBeNull()
  })

  test('DELY-10 ANLT-02 a date that has come: the first payment is taken at once and counted, and the page says so', {
    tags: ['full'],
  }, async () => {
    await toPayment('Alliance', day(-40))
    await screen.findByLabelText('Card number')
    expect(document.body.textContent).toContain('We’ll take your first payment of £300.00 today.')
    fillCard(cards.pays)
    fillPayer()
    press(/^PAY £300.00/)
    await waitFor(async () => expect(await heading()).toBe('Your payment went through'))
    expect((await site.world.ctx.stripe.charges.list()).data.map(({ amount }) => amount)).toEqual([30_000])
    await waitFor(() => expect(counted()).toEqual([30_000]))
  })

  test('EMSG-37 EMSG-38 DELY-8 a failure has its screen and its toast, and can be tried again', {
    tags: ['full'],
  }, async () => {
    nextTo(site.browser, create, ourError(502, 'payment_provider_unavailable'))
    await toPayment()
    await waitFor(async () => expect(await heading()).toBe('Setup Failed'))
    expect(screen.getByText('Unable to initialize delayed billing. Please try again or contact support.')).toBeTruthy()
    expect(await screen.findByText('Setup Error')).toBeTruthy()
    expect(screen.getByText('Failed to initialize delayed billing. Please try again.')).toBeTruthy()
    press('Try again')
    expect(await screen.findByLabelText('Card number')).toBeTruthy()
  })

  test('EMSG-40 an exception says so and keeps the form', { tags: ['full'] }, async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.pays)
    fillPayer()
    nextTo(site.browser, create, { status: 500, body: {} })
    press(/^SAVE/)
    expect(await screen.findByText('Setup Error')).toBeTruthy()
    expect(screen.getByText('Failed to set up delayed billing. Please try again.')).toBeTruthy()
    expect(screen.getByLabelText('Card number')).toHaveProperty('value', '4242 4242 4242 4242')
  })

  test('a date that has changed since asks for the link to be opened again', async () => {
    nextTo(site.browser, create, ourError(409, 'date_changed'))
    await toPayment()
    fireEvent.click(await screen.findByRole('button', { name: 'Open the link again' }))
    expect(await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })).toBeTruthy()
  })

  test('a tier that isn’t sold any more, and a price that has changed, lead back to the tiers as they are now', async () => {
    await site.browser.open(await invite())
    const button = { name: 'Set Up Delayed Billing - Alliance XL' }
    await screen.findByRole('button', button)
    site.world.ctx.sqlite.exec(`update tier_prices set net = 50000 where tierSlug = 'xl'`)
    press(button.name)
    expect(await screen.findByText('The price has changed. Please choose your tier again.')).toBeTruthy()
    press('Back to the tiers')
    expect(await screen.findByText('£600.00 total per month')).toBeTruthy()
    site.world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'xl'`)
    press(button.name)
    expect(await screen.findByText('We don’t sell this tier at the moment. Choose another.')).toBeTruthy()
    press('Back to the tiers')
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
  })

  test('somebody who has a membership is told so, and nothing is set up', { tags: ['full'] }, async () => {
    nextTo(site.browser, create, ourError(409, 'already_subscribed'))
    await toPayment()
    expect(await screen.findByRole('link', { name: 'Open Billing' })).toBeTruthy()
    expect(screen.queryByText('Setup Failed')).toBeNull()
  })
})

describe('back from the bank’s page or PayPal', () => {
  const leave = async () => {
    await toPayment()
    await screen.findByLabelText('Card number')
    fillCard(cards.declined)
    fillPayer()
    press(/^SAVE/)
    await screen.findByText('This card was declined')
  }

  test('CALLS-47 refused: nothing is called saved, and the link is there again', { tags: ['full'] }, async () => {
    await leave()
    const page = await site.browser.open('/membership-success?setup_intent=seti_1&redirect_status=failed')
    await waitFor(async () => expect(await heading()).toBe('Setup Failed'))
    fireEvent.click(screen.getByRole('link', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Set Up Delayed Billing - Alliance' })).toBeTruthy()
    expect(page.address()).toMatch(/^\/reactivate-delayed\?/)
  })

  test('CALLS-47 refused with somebody else logged in here: the tier is the link’s, not the reader’s', {
    tags: ['full'],
  }, async () => {
    await leave()
    site.browser.signIn(site.world.addMember({ email: 'reader@example.com', tier: 'xl' }))
    await site.browser.open('/membership-success?setup_intent=seti_1&redirect_status=failed')
    await waitFor(async () => expect(await heading()).toBe('Setup Failed'))
    expect(await screen.findByRole('region', { name: 'Alliance includes' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Alliance XL includes' })).toBeNull()
  })

  test('CALLS-47 a payment that was due and refused is called a payment, here and at the card', {
    tags: ['full'],
  }, async () => {
    await toPayment('Alliance', day(-40))
    await screen.findByLabelText('Card number')
    fillCard(cards.declined)
    fillPayer()
    press(/^PAY £300.00/)
    await screen.findByText('This card was declined')
    expect(screen.getAllByText('Payment Failed').length).toBeGreaterThan(0)
    expect(screen.queryByText('Setup Failed')).toBeNull()
    await site.browser.open('/membership-success?payment_intent=pi_1&redirect_status=failed')
    await waitFor(async () => expect(await heading()).toBe('Payment Failed'))
    expect(screen.getByText('Your payment wasn’t confirmed. You haven’t been charged.')).toBeTruthy()
  })

  test('CALLS-47 EMSG-41 once agreed, it is reported once, and the address is clean', async () => {
    await leave()
    const page = await site.browser.open('/membership-success?setup_intent=seti_1&redirect_status=succeeded')
    expect(await screen.findByText('Payment Method Saved!')).toBeTruthy()
    await waitFor(() => expect(page.address()).toBe('/membership-success'))
    expect(await heading()).toBe('We’ve saved your payment method')
    expect(counted()).toEqual([])
  })
})
