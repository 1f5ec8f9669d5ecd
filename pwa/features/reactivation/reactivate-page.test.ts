import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { beginJoin, providerSubscriptions } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import { fillCard, fillPayer, nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { press, type } from '#pwa/testing/input.ts'
import type { MembershipTierList } from '#shared/contract/tier.ts'

const site = payingSite()

const addFormer = (more = {}) => site.world.addUser({ membershipStartDate: '2024-03-09T12:00:00.000Z', ...more })
const open = () => site.browser.open('/reactivate')
const heading = async () => (await screen.findByRole('heading', { level: 1 })).textContent
const isBusy = (button: HTMLElement) => button.getAttribute('aria-busy') === 'true'
const tierCards = () => screen.getAllByRole('article')

test('REAC-1 nobody is asked to log in, and comes back', async () => {
  await open()
  await waitFor(async () => expect(await heading()).toBe('Please Log In'))
  expect(screen.getByText('You need to be logged in to reactivate your membership.')).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Log In' })
  expect(link.getAttribute('href')).toBe('/login?redirect=%2Freactivate')
})

test('REAC-1 a fault of the site is no login: it says so, and opens with the next try', async () => {
  site.browser.signIn(addFormer())
  nextTo(site.browser, '/api/billing/subscription', ourError(500, 'internal'))
  await open()
  await waitFor(async () => expect(await heading()).toBe('We couldn’t load your membership'))
  press('Try again')
  await waitFor(async () => expect(await heading()).toBe('Welcome Back!'))
})

test('without signal it says so, and opens by itself when there is signal again', async () => {
  site.browser.signIn(addFormer())
  site.browser.setSignal(false)
  await open()
  expect(await screen.findByText('You need signal for this')).toBeTruthy()
  site.browser.setSignal(true)
  await waitFor(async () => expect(await heading()).toBe('Welcome Back!'))
})

test('REAC-2 REAC-4 REAC-5 REAC-11 the tiers, the standard one badged and picked', async () => {
  site.browser.signIn(addFormer())
  await open()
  await screen.findByRole('button', { name: 'Reactivate Alliance - £250/month' })
  expect(await heading()).toBe('Welcome Back!')
  expect(screen.getByRole('link', { name: 'Back to the members’ area' }).getAttribute('href')).toBe('/members')
  expect(tierCards().map((card) => within(card).getByRole('heading').firstChild?.textContent)).toEqual([
    'Alliance Lite',
    'Alliance',
    'Alliance XL',
  ])
  expect(tierCards().map((card) => within(card).queryByText('MOST POPULAR') !== null)).toEqual([false, true, false])
  expect(screen.getByText(/^Your subscription starts immediately and billing begins today/).textContent).toContain(
    '£300.00 a month, with VAT (£250.00 + £50.00).',
  )
  press('CHOOSE ALLIANCE XL')
  expect(screen.getByRole('button', { name: 'Reactivate Alliance XL - £450/month' })).toBeTruthy()
})

test('REAC-3 LIMIT-4 only active tiers, in the order of their rows, each with its words, monthly price and features', async () => {
  const { sqlite } = site.world.ctx
  sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'lite'`)
  sqlite.exec(`update membership_tiers set orderIndex = 5 where slug = 'standard'`)
  sqlite.exec(`update tier_prices set net = 26050 where tierSlug = 'standard'`)
  sqlite.exec(`update membership_tiers set features = '["**One** of two","Two"]' where slug = 'xl'`)
  site.browser.signIn(addFormer())
  await open()
  await screen.findByRole('button', { name: 'Reactivate Alliance - £260.50/month' })
  const { tiers }: MembershipTierList = await (await site.world.call('/api/membership-tiers')).json()
  expect(tiers.map(({ slug }) => slug)).toEqual(['xl', 'standard'])
  const prices = ['£450 + VAT/month', '£260.50 + VAT/month']
  expect(tierCards()).toHaveLength(2)
  for (const [index, card] of tierCards().entries()) {
    const { name = '', description = '', features = [] } = tiers[index] ?? {}
    expect(within(card).getByRole('heading').firstChild?.textContent).toBe(name)
    for (const said of [description, prices[index] ?? '']) expect(card.textContent).toContain(said)
    const listed = within(card).getAllByRole('listitem')
    expect(listed.map(({ textContent }) => textContent)).toEqual(features.map((one) => one.replaceAll('**', '')))
  }
})

test('REAC-5 the state and its one action lead; a person who was never a member is not asked to come back', async () => {
  site.browser.signIn(addFormer())
  await open()
  await screen.findByRole('button', { name: 'Reactivate Alliance - £250/month' })
  expect(screen.getByText(/^Your membership has ended\. Start again/)).toBeTruthy()
  expect(screen.getByText('No Active Subscription')).toBeTruthy()
  site.browser.signIn(site.world.addUser())
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Join Alliance - £250/month' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Start Your Membership' })).toBeTruthy()
  expect(screen.queryByText(/Reactivate/)).toBeNull()
})

test('an owner is sold nothing', { tags: ['full'] }, async () => {
  site.browser.signIn(site.world.addOwner())
  await open()
  expect(await screen.findByText('You’re an owner, so everything’s open to you.')).toBeTruthy()
  expect(screen.queryByText('No Active Subscription')).toBeNull()
  expect(screen.queryByText(/£\d/)).toBeNull()
  expect(screen.queryByRole('button', { name: /^(Reactivate|Join|PAY)/ })).toBeNull()
})

test('REAC-4 without a standard tier the second one is picked', { tags: ['full'] }, async () => {
  site.world.ctx.sqlite.exec(`update membership_tiers set isActive = 0, isDefault = 0 where slug = 'standard'`)
  site.browser.signIn(addFormer())
  await open()
  expect(await screen.findByRole('button', { name: 'Reactivate Alliance XL - £450/month' })).toBeTruthy()
  expect(tierCards()).toHaveLength(2)
})

test('REAC-6 REAC-7 REAC-12 the payment shows the plan, four features and how many more; the way back keeps the choice', {
  tags: ['full'],
}, async () => {
  const features = JSON.stringify(['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
  site.world.ctx.sqlite.prepare(`update membership_tiers set features = ? where slug = 'xl'`).run(features)
  site.browser.signIn(addFormer())
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'CHOOSE ALLIANCE XL' }))
  press('Reactivate Alliance XL - £450/month')
  await screen.findByLabelText('Card number')
  expect(await heading()).toBe('Reactivate Your Membership')
  const plan = screen.getByRole('complementary', { name: 'Plan summary' }).textContent ?? ''
  expect(plan).toContain('Alliance XL, per month£450.00VAT 20%£90.00Total today£540.00')
  expect(plan).toContain('OneTwoThreeFourAnd 2 more...')
  press('Back to Plan Selection')
  expect(await screen.findByRole('button', { name: 'Reactivate Alliance XL - £450/month' })).toBeTruthy()
})

test('REAC-9 while a payment is under way its button says so, and pressed again it sends nothing more', {
  tags: ['full'],
}, async () => {
  site.browser.signIn(addFormer({ passwordHash: 'x' }))
  await open()
  fireEvent.click(await screen.findByRole('button', { name: /^Reactivate Alliance - / }))
  await screen.findByLabelText('Card number')
  fillCard(cards.declined)
  fillPayer()
  const usual = globalThis.fetch
  const held = Promise.withResolvers<void>()
  let confirmations = 0
  const holding = async (path: string | URL | Request, init?: RequestInit) => {
    if (!String(path).endsWith('/confirm')) return usual(path, init)
    confirmations += 1
    await held.promise
    return usual(path, init)
  }
  globalThis.fetch = Object.assign(holding, { preconnect: () => {} })
  const form = within(screen.getByRole('form', { name: 'Payment' }))
  const button = form.getByRole('button', { name: /^PAY/ })
  expect(isBusy(button)).toBe(false)
  press(/^PAY/)
  await waitFor(() => expect(confirmations).toBe(1))
  expect([button.textContent, isBusy(button)]).toEqual([expect.stringMatching(/^PROCESSING/), true])
  fireEvent.click(button)
  held.resolve()
  expect(await screen.findByText('This card was declined')).toBeTruthy()
  expect([button.textContent, isBusy(button)]).toEqual([expect.stringMatching(/^PAY/), false])
  expect(confirmations).toBe(1)
})

test('REAC-8 REAC-13 REAC-14 WELC-07 declined, then paid once by the calls of joining: the welcome', {
  tags: ['full'],
}, async () => {
  site.browser.signIn(addFormer({ passwordHash: 'x' }))
  await open()
  fireEvent.click(await screen.findByRole('button', { name: /^Reactivate Alliance - / }))
  await screen.findByLabelText('Card number')
  fillCard(cards.declined)
  fillPayer()
  press(/^PAY/)
  expect(await screen.findByText('This card was declined')).toBeTruthy()
  fillCard(cards.pays)
  press(/^PAY/)
  press(/^PAY|^PROCESSING/)
  await waitFor(async () => expect(await heading()).toBe('Your membership is active'))
  const calls = new Set(site.browser.network.sent.map(({ path }) => path))
  for (const call of [
    '/api/create-subscription',
    '/api/payment-config',
    '/api/billing/address',
    '/api/billing/subscription',
  ])
    expect([...calls]).toContain(call)
  expect(await providerSubscriptions(site.world)).toEqual(['active'])
  expect((await site.world.ctx.stripe.charges.list()).data.filter(({ paid }) => paid)).toHaveLength(1)
})

test('REAC-10 an account without a name gives one here, and keeps it', { tags: ['full'] }, async () => {
  const { id } = addFormer({ firstName: null, lastName: null })
  site.browser.signIn({ id, email: '' })
  await open()
  await screen.findByLabelText('Your name')
  press('Continue')
  expect(await screen.findByText('Name is required')).toBeTruthy()
  type('Your name', 'Danny Marsh')
  press('Continue')
  fireEvent.click(await screen.findByRole('button', { name: /^Reactivate Alliance/ }))
  expect(await screen.findByLabelText('Name on card')).toHaveProperty('value', 'Danny Marsh')
  const stored = site.world.ctx.sqlite.prepare('select firstName, lastName from users where id = ?').get(id)
  expect(stored).toEqual({ firstName: 'Danny', lastName: 'Marsh' })
})

test('a first payment that was begun: finish it, or choose another tier', { tags: ['full'] }, async () => {
  const person = site.world.addUser()
  const call = site.world.signIn(person)
  await beginJoin(call, { email: person.email, name: 'Danny Marsh', tierSlug: 'lite' })
  site.browser.signIn(person)
  await open()
  expect(await screen.findByRole('button', { name: 'Join Alliance Lite - £125/month' })).toBeTruthy()
  press('Finish paying for Alliance Lite')
  await screen.findByLabelText('Card number')
  expect(await providerSubscriptions(site.world)).toEqual(['incomplete'])
  press('Back to Plan Selection')
  fireEvent.click(await screen.findByRole('button', { name: 'CHOOSE ALLIANCE' }))
  press('Join Alliance - £250/month')
  await screen.findByLabelText('Card number')
  expect((await providerSubscriptions(site.world)).filter((status) => status === 'incomplete')).toHaveLength(1)
})

test('a first payment that was begun is finished, though its tier isn’t sold any more', async () => {
  const person = site.world.addUser()
  await beginJoin(site.world.signIn(person), { email: person.email, name: 'Danny Marsh', tierSlug: 'xl' })
  site.world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'xl'`)
  invalidateResponses(site.world.ctx)
  site.browser.signIn(person)
  await open()
  expect(await screen.findByRole('button', { name: /^Join Alliance - / })).toBeTruthy()
  press('Finish paying for Alliance XL')
  expect(await screen.findByRole('button', { name: /^PAY £540.00/ })).toBeTruthy()
})

test('ANLT-02 3-D Secure completed: the purchase is counted once, with VAT', { tags: ['full'] }, async () => {
  site.browser.signIn(addFormer({ passwordHash: 'x' }))
  await open()
  fireEvent.click(await screen.findByRole('button', { name: /^Reactivate Alliance - / }))
  await screen.findByLabelText('Card number')
  const counted = () =>
    site.world.ctx.sqlite.prepare(`select "count", pence from daily_counts where kind = 'purchase'`).all()
  for (const times of [1, 1]) {
    await site.browser.open('/membership-success?payment_intent=pi_1&redirect_status=succeeded')
    await waitFor(() => expect(counted()).toEqual([{ count: times, pence: 30_000 }]))
  }
})

test('a tab that may keep nothing: the page after the payment comes all the same', async () => {
  site.browser.signIn(addFormer({ passwordHash: 'x' }))
  const blocked = () => {
    throw new DOMException('Blocked', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked, removeItem: blocked })
  try {
    const page = await site.browser.open('/membership-success?payment_intent=pi_1&redirect_status=succeeded')
    await waitFor(() => expect(page.address()).toBe('/membership-success'))
    expect(await heading()).toBe('Nearly there')
  } finally {
    vi.unstubAllGlobals()
  }
})

test('the bank’s page said no: the welcome page says so, and leads back', async () => {
  site.browser.signIn(addFormer())
  const page = await site.browser.open('/membership-success?payment_intent=pi_1&redirect_status=failed')
  await waitFor(async () => expect(await heading()).toBe('Payment Setup Failed'))
  expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/reactivate')
  await waitFor(() => expect(page.address()).toBe('/membership-success'))
})
