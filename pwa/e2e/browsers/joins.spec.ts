import { pages } from '../content.ts'
import type { Visitor } from '../engines/visitor.ts'
import { applicationOf, cards } from '../join-steps.ts'
import { newPerson, ownPassword, type Person } from '../people.ts'
import { atProvider } from '../provider.ts'
import { expect, test } from './fixtures.ts'

test('JOIN-01 JOIN-15 ERR-10 a visitor reads, applies, has a card declined, pays with another and is welcomed', async ({
  open,
  site,
  request,
}) => {
  const visitor = await open()
  const person = newPerson('Dora', 'Lintel')
  await visitor.goto('/blog')
  await visitor.press('link', 'Pricing a job properly')
  // The list that's left has that heading, too.
  await visitor.readUntil(() => location.pathname.startsWith('/blog/'))
  await visitor.sees('heading', 'Pricing a job properly')
  await visitor.goto('/')
  await visitor.press('link', pages.home.actions.join)
  // The page that's left has that button, too.
  await visitor.readUntil(() => location.pathname === '/membership-tiers')
  await visitor.press('button', 'JOIN ALLIANCE LITE')
  await apply(visitor, person)
  await visitor.press('text', 'See the other tiers')
  await visitor.press('button', 'JOIN ALLIANCE')
  await fillCard(visitor, cards.declined)
  await fillPayer(visitor)
  await pay(visitor)
  await visitor.sees('alert', /Payment Setup Failed/)
  // All that was typed is still there.
  await fillCard(visitor, cards.pays)
  await pay(visitor)
  await visitor.sees('heading', 'Alliance includes')
  await visitor.sees('status', 'Your payment')
  await visitor.sees('text', /^A-\d{6}/)
  await visitor.fill('New password', ownPassword)
  await visitor.press('button', 'Set the password')
  await visitor.press('link', 'Open the members’ area')
  await visitor.sees('heading', 'DORA')
  await visitor.sees('heading', 'Strategy')
  expect(await atProvider(request, person.email, site.server.env.SANDBOX_PORT)).toEqual({
    taken: [30_000],
    subscriptions: ['active'],
  })
})

test('PAY-03 MEMB-02 ERR-10 the bank asks: a No charges nothing, a Yes opens the members’ area', async ({
  open,
  site,
  request,
}) => {
  const visitor = await open()
  const person = newPerson('Una', 'Soffit')
  await visitor.goto('/membership-application')
  await apply(visitor, person)
  await visitor.press('button', 'JOIN ALLIANCE')
  await fillCard(visitor, cards.asksBank)
  await fillPayer(visitor)
  await pay(visitor)
  await visitor.sees('heading', '3-D Secure')
  await visitor.press('button', 'Fail')
  await visitor.sees('alert', /Payment Setup Failed/)
  expect(await atProvider(request, person.email, site.server.env.SANDBOX_PORT)).toMatchObject({ taken: [] })
  await fillCard(visitor, cards.asksBank)
  await fillPayer(visitor)
  await pay(visitor)
  await visitor.press('button', 'Complete')
  await visitor.sees('listitem', /Welcome to the membership!/)
  await visitor.sees('heading', 'Strategy')
  expect((await visitor.address()).pathname + (await visitor.address()).search).toBe('/members')
  expect((await atProvider(request, person.email, site.server.env.SANDBOX_PORT)).taken).toEqual([30_000])
})

async function apply(visitor: Visitor, person: Person) {
  for (const [label, value] of applicationOf(person)) await visitor.fill(label, value)
  await visitor.fill('Business stage', 'growing')
  await visitor.press('field', 'I agree to the terms of membership')
  await visitor.press('button', 'Continue to tiers')
}

async function fillCard(visitor: Visitor, number: string) {
  await visitor.fill('Card number', number)
  await visitor.fill('Expiry date', '1228')
  await visitor.fill('Security code', '123')
}

async function fillPayer(visitor: Visitor) {
  await visitor.fill('Address', '12 Joist Lane')
  await visitor.fill('Town', 'Leeds')
  await visitor.fill('Postcode', 'LS1 4AP')
  await visitor.press('field', /^Take £300\.00/)
}

const pay = (visitor: Visitor) => visitor.press('button', /^PAY £/)
