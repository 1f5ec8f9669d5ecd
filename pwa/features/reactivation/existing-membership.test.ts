import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { beginJoin, billingOf, countRows, providerSubscriptions } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import type { MemberOptions, TestPerson } from '#api/testing/people.ts'
import { fillCard, fillPayer, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { press } from '#pwa/testing/input.ts'

const site = payingSite()

async function openAs(person: TestPerson) {
  site.browser.signIn(person)
  await site.browser.open('/reactivate')
  await screen.findByRole('heading', { name: 'Welcome Back!' })
}

describe('what each state offers', () => {
  const states: [name: string, member: MemberOptions, says: RegExp, offers: string[]][] = [
    ['active', {}, /^Your membership is active\.$/, []],
    [
      'ending',
      { subscription: { cancelAtPeriodEnd: true } },
      /^Paid until .*\. You keep your access until then\. We won’t take another payment\.$/,
      ['Resume membership'],
    ],
    [
      'trialing',
      { subscription: { status: 'trialing', trialEnd: '2099-07-12T08:00:00.000Z' } },
      /^You have access\.$/,
      [],
    ],
    ['paused', { subscription: { status: 'paused' } }, /^Your membership is paused/, ['Resume membership']],
    ['unpaid', { subscription: { status: 'unpaid' } }, /^A payment is due/, ['End it and start again']],
  ]
  test.each(states)('%s', async (_name, member, says, offers) => {
    await openAs(site.world.addMember(member))
    expect(screen.getByText(says)).toBeTruthy()
    for (const offer of offers) expect(screen.getByRole('button', { name: offer })).toBeTruthy()
    const others = ['Resume membership', 'End it and start again'].filter((other) => !offers.includes(other))
    for (const other of others) expect(screen.queryByRole('button', { name: other })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Reactivate/ })).toBeNull()
  })

  test('revoked: the owners’ sentence, and only to cancel what still runs', async () => {
    await openAs(site.world.addMember({ accessOverride: 'revoked' }))
    expect(screen.getAllByText(/^Your access was ended by the owners\. Please contact us\./)).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Cancel membership' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Reactivate|^Resume|^PAY/ })).toBeNull()
    await openAs(site.world.addMember({ accessOverride: 'revoked', subscription: { status: 'canceled' } }))
    expect(screen.queryByRole('button', { name: 'Cancel membership' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Reactivate/ })).toBeNull()
  })
})

async function joined(card: string = cards.pays) {
  const person = site.world.addUser({ passwordHash: 'x' })
  const call = site.world.signIn(person)
  const { response } = await beginJoin(call, { email: person.email, name: 'Danny Marsh' })
  await site.world.pay(response.clientSecret, card)
  expect((await billingOf(call)).status).toBe('active')
  return { person, call }
}

test('a cancellation is taken back, and the page says that it is active', { tags: ['full'] }, async () => {
  const { person, call } = await joined()
  await call('/api/billing/cancel', { method: 'POST' })
  await openAs(person)
  press('Resume membership')
  const dialog = screen.getByRole('dialog')
  expect(dialog.textContent).toContain('You won’t be charged today')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Resume membership' }))
  expect(await screen.findByText('Your membership is active.')).toBeTruthy()
  expect(await billingOf(call)).toMatchObject({ status: 'active', endsOn: null })
})

test('a failed renewal: the open invoice is paid with another card, once, and the membership is active', {
  tags: ['full'],
}, async () => {
  const { person, call } = await joined(cards.failsLater)
  await site.world.advance(33)
  expect((await billingOf(call)).status).toBe('past_due')
  await openAs(person)
  expect(screen.getByText(/^Payment due: £300\.00\. You keep your access until/)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Change card' })).toBeTruthy()
  fireEvent.click(await screen.findByRole('button', { name: 'Pay with another card' }))
  await screen.findByLabelText('Card number')
  fillCard(cards.pays)
  fillPayer()
  press(/^PAY £300.00/)
  expect(await screen.findByText('Your membership is active.')).toBeTruthy()
  expect(countRows(site.world, 'provider_invoices', `status = 'paid' and amountPaid > 0`)).toBe(2)
})

test('payments have stopped: it is ended, and a new one is chosen', { tags: ['full'] }, async () => {
  const { person, call } = await joined(cards.failsLater)
  await site.world.control('settings', { retryDays: [1], afterRetries: 'unpaid' })
  await site.world.advance(35)
  expect((await billingOf(call)).status).toBe('unpaid')
  await openAs(person)
  press('End it and start again')
  const dialog = screen.getByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'End this membership' }))
  expect(await screen.findByRole('button', { name: 'Reactivate Alliance - £250/month' })).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Welcome Back!')
  await waitFor(async () => expect(await providerSubscriptions(site.world)).toEqual(['canceled']))
})
