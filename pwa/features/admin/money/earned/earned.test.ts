import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: PaymentWorld
let browser: Browser
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-02-27T10:00:00.000Z') })
  await becomeMember(world)
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(async () => {
  await browser.close()
  await world.stop()
})

const cells = async (name: RegExp) =>
  [...(await screen.findByRole('row', { name })).querySelectorAll('td')].map(({ textContent }) => textContent)

test('a month shows what’s left once Stripe’s fees are read, and the balance proves it', async () => {
  const page = await browser.open('/admin/earned')
  expect(await cells(/^February 2027/)).toEqual([
    ...['February 2027Fees not known.', '£300.00', '£0.00', '£50.00', 'Not known', '£25.00', 'Not known'],
  ])
  screen.getByText(/HMRC’s starts on 6 April, so check with your accountant\./)
  fireEvent.click(screen.getByRole('button', { name: 'Get them now' }))
  await waitFor(async () => expect((await cells(/^February 2027/))[6]).toBe('£220.30'))
  const bridge = within(await screen.findByRole('region', { name: 'Balance at Stripe, February 2027' }))
  expect(bridge.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    ...['Opening balance£0.00', 'Taken£300.00', 'Refunded£0.00', 'Stripe’s fees−£4.70', 'Disputes£0.00'],
    ...['Paid out to your bank£0.00', 'Closing balance£295.30'],
  ])
  screen.getByText('We make it £295.30. Stripe says £295.30 too.')
  fireEvent.change(screen.getByRole('combobox', { name: 'By' }), { target: { value: 'tax-year' } })
  expect((await cells(/^2026\/27/))[1]).toBe('£300.00')
  expect(page.address()).toContain('show=tax-year')
})
