// @module-tag full
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cards } from '#api/testing/payments.ts'
import { atProvider } from '#api/testing/quotient.ts'
import { fillApplication } from '#pwa/features/join/testing/application.ts'
import { press, type } from '#pwa/testing/input.ts'
import { fillAddress, fillCard, fillPayer, payingSite } from './testing/paying.ts'
// Large, and loaded with the step, so no test should wait for it.
import '#pwa/features/payment/card/card-form.tsx'

const site = payingSite()

function refuse(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

beforeEach(() => {
  const closed = new Proxy({}, { get: refuse, ownKeys: refuse })
  vi.stubGlobal('localStorage', closed)
  vi.stubGlobal('sessionStorage', closed)
  vi.spyOn(indexedDB, 'open').mockImplementation(refuse)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const heading = async () => (await screen.findByRole('heading', { level: 1 })).textContent

test('QUOT-18 with storage closed a set-up is bought', async () => {
  await site.browser.open('/quotient/checkout')
  await screen.findByLabelText('First name *')
  for (const [label, value] of Object.entries({ 'First name *': 'Sam', 'Last name *': 'Field' })) type(label, value)
  type('Email *', 'sam@example.com')
  type('Business name *', 'Field Heating')
  fireEvent.click(screen.getByLabelText(/^I agree to provide/))
  press('Continue to payment')
  await screen.findByLabelText('Card number')
  fillCard(cards.pays)
  fillAddress()
  press('Complete Purchase')
  expect(await screen.findByRole('heading', { name: 'Payment Successful!' })).toBeTruthy()
  expect((await atProvider(site.world)).taken).toEqual([54_000])
})

test('JOIN-17 WELC-07 with storage closed somebody joins, and is told why the members’ area has no place', async () => {
  await site.browser.open('/membership-application')
  await screen.findByLabelText('Goals')
  fillApplication()
  press('Continue to tiers')
  fireEvent.click(await screen.findByRole('button', { name: 'JOIN ALLIANCE' }))
  await screen.findByLabelText('Card number')
  fillCard(cards.pays)
  fillPayer()
  press(/^PAY £300.00/)
  await screen.findByText('Processing Payment')
  expect((await atProvider(site.world)).taken).toEqual([30_000])
  await site.browser.open('/membership-success')
  await waitFor(async () => expect(await heading()).toBe('Your membership is active'))
  await site.browser.open('/members')
  expect(await screen.findByText(/^Your browser’s blocking storage for this site\./)).toBeTruthy()
})

test('REAC-11 with storage closed an account without a membership starts one', async () => {
  site.browser.signIn(site.world.addUser())
  await site.browser.open('/reactivate')
  await screen.findByRole('button', { name: 'Join Alliance - £250/month' })
  press('Join Alliance - £250/month')
  await screen.findByLabelText('Card number')
  fillCard(cards.pays)
  fillPayer()
  press(/^PAY £300.00/)
  await screen.findByText('Processing Payment')
  expect((await atProvider(site.world)).taken).toEqual([30_000])
})
