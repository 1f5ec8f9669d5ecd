// @module-tag full
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { cards } from '#api/testing/payments.ts'
import { fillCard, fillPayer, nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { press, type } from '#pwa/testing/input.ts'
import { londonInstant, tomorrowInLondon } from '#shared/rules/london.ts'
import { applicationValues, fillApplication } from './testing/application.ts'

const site = payingSite()

const title = async (text: string) => {
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(text))
}
const toTiers = async () => {
  await screen.findByLabelText('Goals')
  fillApplication()
  press('Continue to tiers')
  await title('Choose your tier')
}
const toPayment = async () => {
  await toTiers()
  fireEvent.click(await screen.findByRole('button', { name: 'JOIN ALLIANCE' }))
  await screen.findByLabelText('Card number')
}
const open = async () => {
  const page = await site.browser.open('/login')
  await page.go('/membership-application')
  return page
}

test('Back goes one step back and Forward one on, with nothing lost, until the page before', async () => {
  const page = await open()
  await toPayment()
  page.back()
  await title('Choose your tier')
  expect(await screen.findByRole('button', { name: 'SELECTED' })).toBeTruthy()
  page.back()
  expect(await screen.findByLabelText('Goals')).toHaveProperty('value', applicationValues.Goals)
  page.forward()
  await title('Choose your tier')
  page.forward()
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
  expect(page.address()).toBe('/membership-application')
  for (const _ of [1, 2, 3]) page.back()
  await waitFor(() => expect(page.address()).toBe('/login'))
})

test('a step that no longer fits what is typed is not opened', async () => {
  const page = await open()
  await toPayment()
  page.back()
  await title('Choose your tier')
  page.back()
  await screen.findByLabelText('Goals')
  type('Goals', '')
  page.forward()
  await waitFor(() => expect(screen.getByLabelText('Goals')).toHaveProperty('value', ''))
  expect(screen.getByLabelText('Joining, step 1 of 4')).toBeTruthy()
  press('Continue to tiers')
  expect(await screen.findByText('Goals are required')).toBeTruthy()
})

test('JOIN-10 the page’s own link leads from the payment to the application, and Back from there to the payment', async () => {
  const page = await open()
  await toPayment()
  fireEvent.click(screen.getByRole('link', { name: 'Back to application' }))
  expect(await screen.findByLabelText('Goals')).toHaveProperty('value', applicationValues.Goals)
  page.back()
  expect(await screen.findByLabelText('Card number')).toBeTruthy()
})

test('after the payment Back leads to no step that could be paid again', async () => {
  const page = await open()
  await toPayment()
  fillCard(cards.pays)
  fillPayer()
  press(/^PAY/)
  await screen.findByText('Alliance includes')
  page.back()
  page.back()
  expect(screen.getByText('Alliance includes')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^(PAY|JOIN|SELECTED)/ })).toBeNull()
})

test('a price that has changed takes the place of the payment, so that Back does not lead into it again', async () => {
  const page = await open()
  await toTiers()
  nextTo(site.browser, '/api/create-subscription', ourError(409, 'price_changed'))
  press('JOIN ALLIANCE')
  await screen.findByText('Refused: price_changed.')
  await title('Choose your tier')
  page.back()
  await title('Choose your tier')
  page.back()
  expect(await screen.findByLabelText('Goals')).toHaveProperty('value', applicationValues.Goals)
})

test('a page left open past the midnight a new price starts at says so, and sells at the new one', async () => {
  const { ctx } = site.world
  await open()
  await toTiers()
  const tomorrow = tomorrowInLondon(ctx.now())
  const next = JSON.stringify({ net: 35_000, stripePriceId: 'price_next', from: tomorrow })
  ctx.sqlite.prepare(`update tier_prices set nextPrice = ? where tierSlug = 'standard'`).run(next)
  invalidateResponses(ctx)
  site.world.forward(londonInstant(tomorrow, '00:00').getTime() - ctx.now().getTime())
  press('JOIN ALLIANCE')
  await screen.findByText('The price has changed. Please choose your tier again.')
  await title('Choose your tier')
  await screen.findByText('£350')
  fireEvent.click(await screen.findByRole('button', { name: 'SELECTED' }))
  expect(await screen.findByRole('button', { name: /^PAY £420.00/ })).toBeTruthy()
})

test('a tier that’s retired under an open page is refused, and the tiers come as they are now', async () => {
  const { world } = site
  await open()
  await toTiers()
  const owner = world.signIn(world.addOwner())
  const tiers: { slug: string; version: string }[] = await (await owner('/api/admin/tiers')).json()
  const version = tiers.find(({ slug }) => slug === 'lite')?.version
  expect((await owner('/api/admin/tiers/lite/retire', { body: { version } })).status).toBe(200)
  press('JOIN ALLIANCE LITE')
  await screen.findByText('We don’t sell this tier at the moment. Choose another.')
  await screen.findByRole('button', { name: 'JOIN ALLIANCE' })
  expect(screen.queryByRole('button', { name: 'JOIN ALLIANCE LITE' })).toBeNull()
  expect(screen.queryByText('No membership tiers available at the moment.')).toBeNull()
})
