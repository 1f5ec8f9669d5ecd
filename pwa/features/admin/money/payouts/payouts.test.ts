import '#pwa/testing/window.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: PaymentWorld
let browser: Browser
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
  await becomeMember(world)
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(async () => {
  await browser.close()
  await world.stop()
})

test('a payout opens on what it’s made of, by person, with the fees that came off', async () => {
  await world.advance(4)
  const page = await browser.open('/admin/payouts')
  const row = await screen.findByRole('row', { name: /^4 February 2027/ })
  expect(row.textContent).toContain('Paid')
  expect(row.textContent).toContain('£295.30')
  fireEvent.click(within(row).getByRole('button', { name: 'Open the payout of 4 February 2027' }))
  const dialog = await screen.findByRole('dialog', { name: '£295.30 on 4 February 2027' })
  const entry = await within(dialog).findByRole('row', { name: /^Sam Field/ })
  expect(entry.textContent).toMatch(/£300\.00£4\.70£295\.30$/)
  page.back()
  await screen.findByRole('row', { name: /^4 February 2027/ })
  expect(screen.queryByRole('dialog')).toBeNull()
})
