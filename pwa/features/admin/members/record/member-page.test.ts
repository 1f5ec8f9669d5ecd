import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted, personCalled } from '#api/testing/billing.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { beginJoin, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { issuedNotes } from '#api/testing/paying.ts'
import { addPhoto } from '#api/testing/people.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'
import { unprovenEmailText } from '#shared/contract/members.ts'

const site = payingSite()

const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: 'button, button *' }))
const submit = async (title: string, button: string) => {
  const dialog = await screen.findByRole('dialog', { name: title })
  fireEvent.click(within(dialog).getByText(button))
}

test('an owner mends a profile, gives a free month and a part of a payment back; what failed stays typed', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText('Visa ending 4242', { exact: false })
  screen.getByText(/^They see: “Paid until/)

  press('Edit profile')
  fireEvent.input(screen.getByLabelText('Trade'), { target: { value: 'Plasterer' } })
  world.ctx.sqlite.exec(`update users set trade = 'Roofer', version = 2 where email = '${sam.email}'`)
  press('Save profile')
  await screen.findByText('Someone else changed this while you had it open')
  press('Save mine')
  await screen.findByText('Profile saved')
  expect(countRows(world, 'users', `trade = 'Plasterer' and version = 3`)).toBe(1)

  press('Free month')
  await screen.findByText(/^We won’t take a payment on/)
  screen.getByText('We won’t email them. They see it in Billing.')
  await submit('Give Sam Field a free month?', 'Give a free month')
  await screen.findByText(/The month after is free/)

  press('Free access')
  fireEvent.click(await screen.findByLabelText('No end'))
  press('Not now')
  press('Free access')
  expect(await screen.findByLabelText<HTMLInputElement>('No end')).toHaveProperty('checked', true)
  press('Not now')

  const refunds = `/api/admin/members/${world.ctx.sqlite.prepare('select id from users where email = ?').pluck().get(sam.email)}/refund`
  press('Refund')
  const amount = await screen.findByLabelText<HTMLInputElement>(/^Amount with VAT/)
  fireEvent.change(amount, { target: { value: '60' } })
  await submit('Refund Sam Field?', 'Refund £60.00')
  await screen.findByText('Reason is required')
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'The call was late' } })
  screen.getByText(/^£60\.00 \(£50\.00 \+ £10\.00 VAT\) goes back/)
  browser.setSignal(false)
  await submit('Refund Sam Field?', 'Refund £60.00')
  await screen.findByText('We’re not sure it went through. Check before you try again: what you typed is still here.')
  // The other owner refunds part of it in between.
  const paymentId = world.ctx.sqlite.prepare<[], string>('select id from provider_invoices').pluck().get()
  const body = { id: world.ctx.newId(), paymentId, amount: 10_000, reason: 'Asked', endsMembership: false }
  expect((await world.signIn(world.addOwner())(refunds, { body })).status).toBe(200)
  browser.setSignal(true)
  await screen.findByText('Up to £200.00, all that’s left of this payment.')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('The call was late')
  // A sum that was typed once mustn't be sent another day.
  press('Not now')
  press('Refund')
  const again = await screen.findByLabelText<HTMLInputElement>(/^Amount with VAT/)
  expect(again.value).toBe('')
  fireEvent.change(again, { target: { value: '60' } })
  const reason = screen.getByLabelText(/^Reason/)
  fireEvent.change(reason, { target: { value: 'The call was late' } })
  browser.setDelivery(refunds, 'lose-response')
  await submit('Refund Sam Field?', 'Refund £60.00')
  await screen.findByText('We’re not sure it went through. Check before you try again: what you typed is still here.')
  browser.setDelivery(refunds, 'deliver')
  // The same amount with another reason is the same refund.
  fireEvent.change(reason, { target: { value: 'The call was an hour late' } })
  await submit('Refund Sam Field?', 'Refund £60.00')
  await screen.findByText('£160.00 refunded')
  await screen.findByText(/“The call was late”/)
})

test('INV-1 a refund after a credit note that named a line shows the VAT that its own credit note then has', async () => {
  const { world, browser } = site
  const { rateOf, priceOfTier, addOnPrice, sellToSam } = dashboard(() => world)
  const books = await addOnPrice(4_000)
  await sellToSam({ items: [{ price: books, tax_rates: [await rateOf(0)] }, { price: await priceOfTier() }] })
  const { stripe } = world.ctx
  const [paid] = (await stripe.invoices.list({ customer: onlyCustomer(world), limit: 1 })).data
  const line = paid?.lines.data.find(({ amount }) => amount === 4_000)?.id ?? ''
  await stripe.creditNotes.create({
    invoice: paid?.id ?? '',
    lines: [{ type: 'invoice_line_item', invoice_line_item: line, amount: 4_000 }],
    refund_amount: 4_000,
  })
  await world.sandbox.settle()
  browser.signIn(world.addOwner())
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText('£40.00 refunded')
  press('Refund')
  fireEvent.change(await screen.findByLabelText(/^Amount with VAT/), { target: { value: '120' } })
  screen.getByText(/^£120\.00 \(£100\.00 \+ £20\.00 VAT\) goes back/)
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'The call was late' } })
  press('Refund £120.00')
  await screen.findByText('£160.00 refunded')
  expect(issuedNotes(world).at(-1)).toMatchObject({ net: 10_000, vat: 2_000, gross: 12_000 })
})

test('on Today, an amount above what’s left of a payment is marked straight away, and gets the focus', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  await browser.open('/admin')
  fireEvent.click(await screen.findByRole('button', { name: 'Refund: Sam Field' }))
  const amount = await screen.findByLabelText<HTMLInputElement>(/^Amount with VAT/)
  screen.getByText(/You can’t undo a refund\.$/)
  fireEvent.change(amount, { target: { value: '600' } })
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: 'Asked' } })
  await screen.findByText('You can refund up to £300.00 of this payment.')
  await submit('Refund Sam Field?', 'Refund')
  expect(screen.getAllByText(/up to £300\.00/)).toHaveLength(1)
  expect(amount.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(amount)
  fireEvent.change(amount, { target: { value: '150' } })
  await submit('Refund Sam Field?', 'Refund £150.00')
  await screen.findByText(/£150\.00 of £300\.00 refunded\./)
  screen.getByText('£150.00', { selector: '.day__row *' })
})

test('an owner sees that nobody has confirmed an address, before they give access to it', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  world.addUser({ email: sam.email })
  const kit = addWithPassword(world, { email: 'kit@example.com' })
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText(unprovenEmailText)
  expect(screen.getAllByText(/^Email( confirmed)?$/).map(({ textContent }) => textContent)).toEqual([
    'Email',
    'Email confirmed',
  ])
  press('Free access')
  await screen.findByText(/It may be someone else’s/)
  press('Not now')
  await browser.open(`/admin/members/${kit.email}`)
  await screen.findAllByText(kit.email)
  expect(screen.queryByText(unprovenEmailText)).toBeNull()
  // Revoking and removing aren’t what’s usual: they’re in the menu the list has too.
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^More for / }))
  const choices = within(await screen.findByRole('dialog')).getAllByRole('button')
  expect(choices.at(-1)?.textContent).toMatch(/^Remove .+ permanently$/)
  fireEvent.click(choices.at(-1) ?? document.body)
  await screen.findByRole('dialog', { name: /^Remove .+ permanently\?$/ })
})

test('another email for a member, and a reactivation link, need the password again; what was typed stays and is saved', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(addWithPassword(world, { isAdmin: true }))
  const { id } = world.addMember({ email: 'danny@example.com', subscription: { status: 'canceled' } })
  world.ctx.sqlite.exec('update users set membershipStartDate = createdAt')
  await browser.open(`/admin/members/${id}`)
  const forget = () => world.ctx.sqlite.exec('update sessions set provenAt = null')
  const answer = async (button: string) => {
    const asked = within(await screen.findByRole('form', { name: 'Your password' }))
    fireEvent.change(asked.getByLabelText(/Your password/), { target: { value: password } })
    fireEvent.click(asked.getByRole('button', { name: button }))
  }
  await screen.findByText('Edit profile')
  press('Edit profile')
  const email = screen.getByLabelText<HTMLInputElement>('Email')
  fireEvent.input(email, { target: { value: 'moved@example.com' } })
  forget()
  press('Save profile')
  await answer('Not now')
  await screen.findByText('Enter your password again to do this.')
  expect([email.value, countRows(world, 'users', `email = 'danny@example.com'`)]).toEqual(['moved@example.com', 1])
  press('Save profile')
  await answer('Carry on')
  await screen.findByText('Profile saved')
  expect(countRows(world, 'users', `email = 'moved@example.com'`)).toBe(1)

  forget()
  press('Create reactivation link')
  await screen.findByText('Create link')
  press('Create link')
  await answer('Carry on')
  await screen.findByText('Link created')
})

test('while the next month is free, no dialog says that its price is taken', { tags: ['full'] }, async () => {
  const { world, browser } = site
  const owner = world.addOwner()
  browser.signIn(owner)
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const { id } = personCalled(world, sam.email)
  await acted(world.signIn(owner), `/api/admin/members/${id}/free-month`, { isFree: true }, 'PUT')
  await browser.open(`/admin/members/${id}`)
  await screen.findByText(/The month after is free/)
  press('Change tier')
  await screen.findByText(/^The new tier starts on .*\. The month from .* is free\.$/)
  await submit('Change Sam Field’s tier?', 'Book tier change')
  // The server only cancels the free month once the tier change is undone.
  await screen.findByText('Undo tier change')
  expect(screen.queryByText('Cancel free month')).toBeNull()
  expect(screen.getByRole('button', { name: 'Cancel membership' }).className).toBe('btn btn--line btn--sm')
  press('Cancel membership')
  await submit('Cancel Sam Field’s membership?', 'Cancel membership')
  await screen.findByText('Resume')
  press('Resume')
  await screen.findByText(/^The month from .* is free\.$/)
})

test('an owner changes a member to a year, now or with the next bill, at the prices there are', async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  addYearlyPrice(world, 'standard', 250_000)
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const { id } = personCalled(world, sam.email)
  await browser.open(`/admin/members/${id}`)
  await screen.findByText('Visa ending 4242', { exact: false })
  press('Change tier')
  const tier = await screen.findByLabelText<HTMLSelectElement>('Tier')
  expect([...tier.options].map(({ textContent }) => textContent)).toEqual([
    'Alliance Lite, £125 + VAT a month',
    'Alliance XL, £450 + VAT a month',
    'Alliance, £2,500 + VAT a year',
  ])
  fireEvent.change(tier, { target: { value: [...tier.options].at(-1)?.value } })
  await screen.findByText(/£3,000\.00/)
  fireEvent.change(screen.getByLabelText('From'), { target: { value: 'today' } })
  await screen.findByText(/less £300\.00.* they’ve already paid/)
  await submit('Change Sam Field’s tier?', 'Charge them and upgrade today')
  await screen.findByText('Tier changed')
  await screen.findAllByText(/£2,500/)
})

test('two owners who give free access at once are shown both days, and choose', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { id } = world.addUser({ firstName: 'Danny', lastName: 'Brook' })
  const given = () => world.ctx.sqlite.prepare('select accessUntil from users where id = ?').pluck().get(id)
  await browser.open(`/admin/members/${id}`)
  await screen.findByRole('heading', { name: 'Danny Brook' })
  press('Free access')
  fireEvent.change(await screen.findByLabelText('Last day'), { target: { value: '31/12/2030' } })
  const other = world.signIn(world.addOwner())
  const body = { until: '2030-09-30', version: 1 }
  expect((await other(`/api/admin/members/${id}/free-access`, { method: 'PUT', body })).status).toBe(200)
  await submit('Give Danny Brook free access?', 'Give free access')
  await screen.findByText('Someone else changed this while you had it open')
  screen.getByText('Until 31 December 2030')
  expect(screen.getAllByText('Until 30 September 2030').length).toBeGreaterThan(0)
  expect(given()).toBe('2030-09-30T23:00:00.000Z')
  press('Save mine')
  expect((await screen.findAllByText('Free access given')).length).toBeGreaterThan(0)
  expect(given()).toBe('2031-01-01T00:00:00.000Z')
})

test('an owner puts the address of a member’s invoices right; the other owner’s stands beside it, and one is chosen', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { id } = world.addMember({ firstName: 'Danny', lastName: 'Brook' })
  const stored = () => world.ctx.sqlite.prepare('select line1 from addresses where userId = ?').pluck().get(id)
  await browser.open(`/admin/members/${id}`)
  await screen.findByRole('heading', { name: 'Danny Brook' })
  press('Change invoice address')
  const fill = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
  await screen.findByRole('form', { name: 'Billing address' })
  expect(screen.queryByText(/your VAT invoices/)).toBeNull()
  fill('Address', '2 The Yard')
  fill('Town', 'Leeds')
  fill('Postcode', 'LS1 1AA')
  const address = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
  const other = world.signIn(world.addOwner())
  const body = { address, before: null }
  expect((await other(`/api/admin/members/${id}/address`, { method: 'PUT', body })).status).toBe(200)
  press('Save address')
  const both = within(await screen.findByRole('table', { name: 'What’s different' }))
  expect(both.getByRole('row', { name: 'Address 2 The Yard, Leeds, LS1 1AA 1 Mill Lane, Leeds, LS1 1AA' })).toBeTruthy()
  expect(stored()).toBe('1 Mill Lane')
  press('Save mine')
  await screen.findByText('Address saved')
  expect(stored()).toBe('2 The Yard')
})

test('an owner takes a member’s photo away: they see which, and one put up meanwhile stays until it was seen too', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const danny = world.addMember({ firstName: 'Danny', lastName: 'Brook' })
  const first = addPhoto(world.ctx, danny)
  const shown = () => document.querySelector('.recordhead img.face')?.getAttribute('src') ?? null
  const forOwners = (address: string) => address.replace('/api/', '/api/admin/')
  await browser.open(`/admin/members/${danny.id}`)
  await screen.findByRole('heading', { name: 'Danny Brook' })
  press('Remove photo')
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove Danny Brook’s photo?' }))
  expect(dialog.getByRole('img').getAttribute('src')).toBe(forOwners(first))
  world.ctx.sqlite.exec('delete from member_photos')
  const second = addPhoto(world.ctx, danny)
  invalidateResponses(world.ctx)
  await submit('Remove Danny Brook’s photo?', 'Remove photo')
  await screen.findByText('Danny Brook has added another one since. Take a look.')
  await waitFor(() => expect(shown()).toBe(forOwners(second)))
  press('Remove photo')
  await submit('Remove Danny Brook’s photo?', 'Remove photo')
  await waitFor(() => expect(shown()).toBeNull())
  expect([countRows(world, 'member_photos'), screen.queryByText('Remove photo')]).toEqual([0, null])
  await screen.findByText('Photo removed', { selector: 'section[aria-label="Activity"] *' })
})

test('an old mailbox that isn’t safe needs a reason, and is told nothing', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { id, email } = world.addUser({ email: 'before@example.com', firstName: 'Sam', lastName: 'Field' })
  await browser.open(`/admin/members/${id}`)
  await screen.findByRole('heading', { name: 'Sam Field' })
  press('Edit profile')
  fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'after@example.com' } })
  fireEvent.click(screen.getByRole('checkbox', { name: /^The old mailbox isn’t safe/ }))
  press('Save profile')
  await screen.findByText('Say why. It goes in the audit log.')
  fireEvent.input(screen.getByLabelText('Why it isn’t safe'), { target: { value: 'Her ex reads it' } })
  press('Save profile')
  await screen.findByText('Profile saved')
  expect(countRows(world, 'users', `email = 'after@example.com'`)).toBe(1)
  expect(countRows(world, 'mail_outbox', `"to" = '${email}'`)).toBe(0)
})

test('an owner says on the member’s page that credit put there by hand was money, and its invoice is issued again', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const put = { amount: -10_000, currency: 'gbp' }
  await world.ctx.stripe.customers.createBalanceTransaction(onlyCustomer(world), put)
  await world.advance(31)
  await world.sandbox.settle()
  await browser.open('/admin/today')
  await screen.findByText(/^Someone added £100\.00 to their balance at Stripe on .*It counts as goodwill until you say/)
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText(/^Someone added £100\.00/)
  press('This was money')
  await screen.findByText(/^They paid it to you/)
  await submit('Count Sam Field’s £100.00 credit as money?', 'Count as money')
  await screen.findByText('New VAT invoice: A-000003')
  await screen.findByText(/^£100\.00 of credit from .* You said it was money\.$/)
  expect(screen.queryByText('This was money')).toBeNull()
})

test('without a card, an owner reads that what’s due next has none', async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const { stripe } = world.ctx
  const { data: methods } = await stripe.paymentMethods.list({ customer: onlyCustomer(world) })
  for (const { id } of methods) await stripe.paymentMethods.detach(id)
  await world.sandbox.settle()
  await browser.open(`/admin/members/${sam.email}`)
  const next = await screen.findByText('Next payment')
  expect(next.nextSibling?.textContent).toMatch(/^£300\.00 \(£250\.00 \+ £50\.00 VAT\) on .*, with no card saved\.$/)
})

test('an owner is asked which email counts where someone changed it at Stripe', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const change = async (email: string) => {
    await world.ctx.stripe.customers.update(onlyCustomer(world), { email })
    await world.sandbox.settle()
  }
  await change('other@example.com')
  await browser.open('/admin/today')
  await screen.findByText(/^Stripe has another email for them: other@example\.com\./)
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText(/^There it’s other@example\.com\. Here it’s sam@example\.com\./)
  press('Keep ours')
  await submit('Keep Sam Field’s email?', 'Keep ours')
  await screen.findByText('Email put back at Stripe')
  expect(await world.ctx.stripe.customers.retrieve(onlyCustomer(world))).toMatchObject({ email: sam.email })
  await change('other@example.com')
  await browser.open('/admin/today')
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText(/^There it’s other@example\.com\./)
  press('Use the one at Stripe')
  await submit('Change Sam Field’s email?', 'Change email')
  await screen.findByText('Email changed')
  expect(countRows(world, 'users', `email = 'other@example.com'`)).toBe(1)
})

test('a year’s refund proposes the months that haven’t begun', async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { id } = await sellElsewhere(world, {
    email: sam.email,
    amount: 250_000,
    price: { recurring: { interval: 'year' } },
    tax: { percentage: 20, inclusive: false },
  })
  world.addUser({ email: sam.email })
  const link = { reference: id, email: sam.email, providerEmail: sam.email, tier: 'standard' }
  await acted(world.signIn(world.addOwner()), '/api/admin/subscription-links', link)
  await world.advance(40)
  await browser.open(`/admin/members/${sam.email}`)
  await screen.findByText(/^They see: “Paid until .+ for the next year\./)
  screen.getByText(/£3,000\.00 \(£2,500\.00 \+ £500\.00 VAT\) a year/)
  press('Refund')
  const amount = await screen.findByLabelText<HTMLInputElement>(/^Amount with VAT/)
  expect(amount.value).toBe('2500.00')
  screen.getByText(/^£2,500\.00 is for the 10 of 12 months still to come\. Up to £3,000\.00/)
  screen.getByText('Refund £2,500.00')
})
