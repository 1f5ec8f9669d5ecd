import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { acted, becomeMember, personCalled, timesCharged } from '#api/testing/billing.ts'
import { sam } from '#api/testing/joining.ts'
import { cards } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { isPaidNoticeOpen } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { fillCard, fillPayer, nextTo, payingSite } from '#pwa/features/payment/testing/paying.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { press, type } from '#pwa/testing/input.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'

const site = payingSite()
let call: Call

beforeAll(async () => {
  await import('./billing-overview.tsx')
  await import('#pwa/features/payment/card/card-form.tsx')
  await import('#pwa/features/payment/sandbox/sandbox-stripe.tsx')
})

async function openBilling(card?: string, before?: () => Promise<unknown>) {
  call = await becomeMember(site.world, card)
  await before?.()
  site.browser.signIn(personCalled(site.world, sam.email))
  const page = await site.browser.open('/members?tab=billing')
  await screen.findByRole('heading', { name: 'Billing address' })
  return page
}

const dialog = async (title: string) => within(await screen.findByRole('dialog', { name: title }))
async function nextDay() {
  const { next_billing_date } = await (await call('/api/billing/subscription')).json()
  return formatLongDate(londonDay(new Date(next_billing_date * 1000)))
}
const sentTo = (path: string) => site.browser.network.sent.filter((request) => request.path === path)

describe('the tier', () => {
  test('BILL-02 is changed with the next payment: what is taken and when is said before, and it can be undone', {
    tags: ['full'],
  }, async () => {
    await openBilling()
    const day = await nextDay()
    fireEvent.click(await screen.findByRole('button', { name: 'Change tier' }))
    const opened = await dialog('Change tier')
    expect(await opened.findByRole('radio', { name: /Your tier now/ })).toHaveProperty('disabled', true)
    fireEvent.click(opened.getByRole('radio', { name: /^Alliance XL/ }))
    expect(opened.getByText('You won’t be charged today.')).toBeTruthy()
    const facts = () => [...document.querySelectorAll('dialog dl > div')].map(({ textContent }) => textContent)
    const taken = `On ${day}We’ll take £540.00 (£450.00 + £90.00 VAT) for Alliance XL`
    await waitFor(() => expect(facts()).toContain(taken))
    fireEvent.click(opened.getByRole('button', { name: 'Change to Alliance XL' }))
    expect(await screen.findByText(`Alliance XL from ${day}`)).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.id).toBe('billing-status'))
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.queryByText(`Alliance XL from ${day}`)).toBeNull())
    expect(await timesCharged(site.world)).toBe(1)
  })

  test('a price that has changed is reported where it was chosen, and nothing is booked', {
    tags: ['full'],
  }, async () => {
    await openBilling()
    fireEvent.click(await screen.findByRole('button', { name: 'Change tier' }))
    const opened = await dialog('Change tier')
    fireEvent.click(await opened.findByRole('radio', { name: /^Alliance XL/ }))
    nextTo(site.browser, '/api/billing/change-tier', ourError(409, 'price_changed'))
    fireEvent.click(opened.getByRole('button', { name: 'Change to Alliance XL' }))
    expect(await opened.findByText('Refused: price_changed.')).toBeTruthy()
    await waitFor(() => expect(sentTo('/api/membership-tiers').length).toBeGreaterThan(1))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})

test('the membership is cancelled at the end of its month, with its date, and resumed', async () => {
  await openBilling()
  const day = await nextDay()
  const cancel = await screen.findByRole('button', { name: 'Cancel membership' })
  expect(cancel.className, 'not red before it’s asked for').toBe('btn btn--bare')
  fireEvent.click(cancel)
  const opened = await dialog('Cancel your membership?')
  expect(opened.getByText(`You keep your access until ${day}.`)).toBeTruthy()
  fireEvent.click(opened.getByRole('button', { name: 'Cancel membership' }))
  expect(await screen.findByText(`Active, ends on ${day}`)).toBeTruthy()
  expect(screen.getByText('N/A')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Resume membership' }))
  const again = await dialog('Resume your membership?')
  expect((await again.findByText(`On ${day}`)).nextElementSibling?.textContent).toMatch(/^We’ll take £300\.00/)
  fireEvent.click(again.getByRole('button', { name: 'Resume membership' }))
  expect(await screen.findByText('Active')).toBeTruthy()
})

test('set to end in another tab, a change of tier says what has to be done first, and the tab shows the new state', {
  tags: ['full'],
}, async () => {
  await openBilling()
  fireEvent.click(await screen.findByRole('button', { name: 'Change tier' }))
  const opened = await dialog('Change tier')
  fireEvent.click(await opened.findByRole('radio', { name: /Alliance XL/ }))
  await acted(call, '/api/billing/cancel')
  fireEvent.click(opened.getByRole('button', { name: 'Change to Alliance XL' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Resume it first, then you can change tier.')
  fireEvent.click(opened.getByRole('button', { name: 'Keep Alliance' }))
  expect(await screen.findByText(/^Active, ends on/)).toBeTruthy()
})

test('a provider in trouble cancels nothing, says so, and is opened again', { tags: ['full'] }, async () => {
  await openBilling()
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel membership' }))
  const opened = await dialog('Cancel your membership?')
  nextTo(site.browser, '/api/billing/cancel', ourError(502, 'payment_provider_unavailable'))
  fireEvent.click(opened.getByRole('button', { name: 'Cancel membership' }))
  expect(await opened.findByText('Refused: payment_provider_unavailable.')).toBeTruthy()
  fireEvent.click(opened.getByRole('button', { name: 'Cancel membership' }))
  expect(await screen.findByText(/^Active, ends on/)).toBeTruthy()
})

test('another card: a declined one changes nothing, the next is kept, and nothing is charged', {
  tags: ['full'],
}, async () => {
  await openBilling()
  fireEvent.click(await screen.findByRole('button', { name: 'Change card' }))
  await screen.findByLabelText('Card number')
  fillCard(cards.declined)
  fillPayer(/^Use this card/)
  press('Save this card')
  expect(await screen.findByText('This card was declined')).toBeTruthy()
  expect(screen.getByText('Visa ending 4242')).toBeTruthy()
  fillCard('5555555555554444')
  site.browser.setDelivery('/api/billing/card/settle', 'hold')
  press('Save this card')
  await waitFor(() => expect(site.browser.network.held).toHaveLength(1))
  expect(screen.getByRole('button', { name: 'Saving…' }).getAttribute('aria-busy')).toBe('true')
  site.browser.network.held[0]?.()
  expect(await screen.findByText('Mastercard ending 4444')).toBeTruthy()
  await waitFor(() => expect(screen.queryByLabelText('Card number')).toBeNull())
  await waitFor(() => expect(document.activeElement?.id).toBe('billing-method'))
  expect(await timesCharged(site.world)).toBe(1)
})

describe('an open invoice', () => {
  const late = () => site.world.advance(32)
  /** As from another device, so this browser doesn't know about it. */
  const payElsewhere = async () => {
    const { clientSecret } = await acted(call, '/api/billing/pay')
    const [intent] = clientSecret.split('_secret_')
    await site.world.ctx.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' })
  }

  test('BILL-03 BILL-04 is paid with another card once the one on file was declined, and once', {
    tags: ['full'],
  }, async () => {
    await openBilling(cards.failsLater, late)
    expect(await screen.findByText('No Active Subscription')).toBeTruthy()
    expect(screen.getAllByText(/^Payment due: £300\.00\. You keep your access until/)).toHaveLength(1)
    expect(screen.queryByRole('link', { name: 'Reactivate' })).toBeNull()
    const other = screen.getByRole('link', { name: 'See your options' })
    expect(other.getAttribute('href')).toBe('/reactivate')
    expect(await badge('Unpaid')).toContain('badge--open')
    fireEvent.click(await screen.findByRole('button', { name: /^PAY £300.00 with Visa ending 0341/ }))
    expect(await screen.findByText(/You haven’t been charged. Try another card/)).toBeTruthy()
    press('Pay with another card')
    await screen.findByLabelText('Card number')
    fillCard(cards.pays)
    fillPayer()
    press(/^PAY/)
    press(/^PAY|^PROCESSING/)
    expect(await screen.findByText('Active')).toBeTruthy()
    expect(await screen.findByText('Invoice paid')).toBeTruthy()
    expect(await badge('Paid')).toContain('badge--ok')
    expect(await timesCharged(site.world)).toBe(2)
    const dashboard = await site.browser.open('/members')
    const notice = await screen.findByRole('status', { name: 'Your payment' })
    expect(notice.textContent).toMatch(/£300\.00.*VAT invoice/)
    expect(notice.textContent).toContain(formatLongDate(londonDay(site.world.ctx.billingNow())))
    expect(notice.textContent).toContain(`Paid until ${await nextDay()}.`)
    fireEvent.click(within(notice).getByRole('button', { name: 'Close' }))
    await dashboard.close()
    expect(isPaidNoticeOpen()).toBe(false)
  })

  test('is paid in one press with what is on file, at the amount that was shown', { tags: ['full'] }, async () => {
    await openBilling(cards.failsLater, async () => {
      await late()
      const { clientSecret } = await acted(call, '/api/billing/card')
      await site.world.pay(clientSecret)
      await site.world.sandbox.settle()
    })
    const button = await screen.findByRole('button', { name: /^PAY £300.00 with Visa ending 4242/ })
    const elsewhere = { invoiceId: 'in_1', clientSecret: 'pi_1_secret_1', net: 30_000, vat: 6_000, total: 36_000 }
    nextTo(site.browser, '/api/billing/pay', { status: 200, body: elsewhere })
    fireEvent.click(button)
    expect(await screen.findByText(/^It’s now £360.00. You haven’t been charged/)).toBeTruthy()
    expect(await timesCharged(site.world)).toBe(1)
    press(/^PAY £360.00/)
    expect(await screen.findByText(/^It’s now £300.00/)).toBeTruthy()
    press(/^PAY £300.00/)
    expect(await screen.findByText('Active')).toBeTruthy()
    expect(await timesCharged(site.world)).toBe(2)
  })

  test('that was paid in another tab is not charged again', { tags: ['full'] }, async () => {
    await openBilling(cards.failsLater, late)
    await screen.findByRole('button', { name: /^PAY £300.00 with/ })
    await payElsewhere()
    press(/^PAY £300.00/)
    expect(await screen.findByText('Active')).toBeTruthy()
    expect(await timesCharged(site.world)).toBe(2)
  })

  test('is shown as being confirmed when the site cannot be reached after the provider took it', {
    tags: ['full'],
  }, async () => {
    await openBilling(cards.failsLater, late)
    await screen.findByRole('button', { name: /^PAY £300.00 with/ })
    await payElsewhere()
    nextTo(site.browser, '/api/billing/card/settle', 'lose-request')
    press(/^PAY £300.00/)
    expect(await screen.findByText('We’re confirming your payment')).toBeTruthy()
    expect(screen.queryByText('Not paid')).toBeNull()
  })

  test('comes back from the bank: refused says so, and paid shows it; the address is clean', {
    tags: ['full'],
  }, async () => {
    const page = await openBilling(cards.failsLater, late)
    await page.close()
    const refused = await site.browser.open(
      '/members?tab=billing&errand=pay&payment_intent=pi_1&redirect_status=failed',
    )
    expect(await screen.findByText('Your bank didn’t confirm the payment')).toBeTruthy()
    expect(screen.queryByText('Welcome to the membership!')).toBeNull()
    await waitFor(() => expect(refused.address()).toBe('/members?tab=billing'))
    fireEvent.click(await screen.findByRole('button', { name: /^PAY £300.00 with/ }))
    await screen.findByText(/Try another card, or ring your bank/)
    expect(screen.queryByText('Your bank didn’t confirm the payment')).toBeNull()
    await payElsewhere()
    await site.browser.open('/members?tab=billing&errand=pay&payment_intent=pi_1&redirect_status=succeeded')
    expect(await screen.findByText('Invoice paid')).toBeTruthy()
    await screen.findByText(
      /^Your payment went through\. Paid until \d+ \w+ \d+\. Then we’ll take £300\.00 for the next month\.$/,
    )
    expect(await screen.findByText('Active')).toBeTruthy()
  })
})

test('BILL-01 DATA-19 the address: what is wrong is marked, what is typed stays, and an invoice without one is replaced', {
  tags: ['full'],
}, async () => {
  const page = await openBilling()
  fireEvent.click(await screen.findByRole('button', { name: 'Add an address' }))
  press('Save the address')
  expect(await screen.findByText('Address is required')).toBeTruthy()
  type('Address', '1 Mill Lane')
  type('Town', 'Leeds')
  fireEvent.input(screen.getByLabelText('Postcode'), { target: { value: 'LS1 1AA' } })
  await page.go('/members?tab=profile')
  await page.go('/members?tab=billing')
  expect(await screen.findByLabelText('Address')).toHaveProperty('value', '1 Mill Lane')
  nextTo(site.browser, '/api/billing/address', 'lose-request')
  press('Save the address')
  expect(await screen.findByText('Address not saved')).toBeTruthy()
  expect(screen.getByLabelText('Town')).toHaveProperty('value', 'Leeds')
  press('Save the address')
  expect(await screen.findByText('1 Mill Lane')).toBeTruthy()
  expect(await screen.findByText('Credit note C-000001')).toBeTruthy()
  const pdf = await screen.findByRole('link', { name: /^PDF of Invoice \S+$/ })
  expect(pdf.getAttribute('href')).toMatch(/^http.*\/api\/billing\/invoices\/.*\/pdf$/)
  expect(pdf.getAttribute('download')).toMatch(/^Invoice \S+\.pdf$/)
})

test('DATA-18 without signal it shows what the phone kept and since when, and what needs signal says so', async () => {
  const page = await openBilling()
  await screen.findByText('Visa ending 4242')
  await page.close()
  site.browser.setSignal(false)
  await site.browser.open('/members?tab=billing')
  expect(await screen.findByText('Active')).toBeTruthy()
  const heard = `As of ${formatLongDate(new Date())}, `
  expect(await screen.findByText((text) => text.startsWith(heard))).toBeTruthy()
  expect(screen.getByText('Next billing date').parentElement?.textContent).toContain(await nextDay())
  await waitFor(() => expect(screen.getAllByText('Needs signal').length).toBeGreaterThanOrEqual(2))
  expect(screen.getByRole('region', { name: 'Invoices' }).textContent).toBe(
    'InvoicesYou can read them without signal.Coaches and invoices',
  )
  expect(screen.queryByText('Visa ending 4242')).toBeNull()
  site.browser.setSignal(true)
  expect(await screen.findByText('Visa ending 4242')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText(/^As of/)).toBeNull())
})

test('what opens and closes a form leaves the focus at its heading', { tags: ['full'] }, async () => {
  await openBilling()
  const focused = () => document.activeElement?.textContent
  for (const [opens, closes, heading] of [
    ['Add an address', 'Keep my address', 'Billing address'],
    ['Change card', 'Cancel', 'Payment method'],
  ] as const) {
    fireEvent.click(await screen.findByRole('button', { name: opens }))
    const close = await screen.findByRole('button', { name: closes })
    expect(focused()).toBe(opens === 'Change card' ? 'Another card' : heading)
    fireEvent.click(close)
    expect(focused()).toBe(heading)
  }
})

test('somebody whose access was ended by the owners can cancel, and nothing else', { tags: ['full'] }, async () => {
  await openBilling(undefined, async () => {
    site.world.ctx.sqlite.prepare("update users set accessOverride = 'revoked'").run()
  })
  expect(await screen.findByText(/^Your access was ended by the owners\. Please contact us\./)).toBeTruthy()
  await screen.findByText('Visa ending 4242')
  for (const name of ['Change tier', 'Change card', 'Add an address'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel membership' }))
  fireEvent.click((await dialog('Cancel your membership?')).getByRole('button', { name: 'Cancel membership' }))
  expect(await screen.findByText(/^Active, ends on/)).toBeTruthy()
})

async function badge(words: string) {
  const table = await screen.findByRole('region', { name: 'Invoices and credit notes' })
  return (await within(table).findAllByText(words))[0]?.className
}
