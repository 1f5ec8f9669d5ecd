import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitingMail } from '#api/testing/enquiries.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const mails = () => waitingMail(world).filter(({ to }) => to === 'ivy@example.com')

test('someone is invited by the year to a tier that isn’t among the cards; a price that’s stopped by then is said under it', async () => {
  const prices = [
    { every: 'month', net: 20_000 },
    { every: 'year', net: 200_000 },
  ]
  const texts = { name: 'Crew', description: 'Firms of five', features: ['Videos'], isShown: false }
  const owner = world.signIn(world.addOwner())
  await owner('/api/admin/tiers', { body: { ...texts, prices } })
  await browser.open('/admin/members')
  await press('Invite')
  fireEvent.input(await screen.findByLabelText(/^Email/), { target: { value: 'ivy@example.com' } })
  await screen.findByRole('option', { name: 'Crew, £200 + VAT/month or £2,000 + VAT/year' })
  expect(screen.queryByLabelText('How they pay')).toBeNull()
  fireEvent.input(screen.getByLabelText('Tier'), { target: { value: 'crew' } })
  const pays = screen.getByLabelText<HTMLSelectElement>('How they pay')
  const year = [...pays.options].find(({ text }) => text === '£2,000 + VAT a year')?.value
  fireEvent.input(pays, { target: { value: year } })
  await press('See the email')
  await screen.findByText(/^It’s £2,400\.00 a year with VAT\./)
  await press('Change it')
  expect(screen.getByLabelText('How they pay')).toHaveProperty('value', year)
  await owner('/api/admin/tiers/crew/price/offer', { method: 'DELETE', body: { every: 'year', version: 1 } })
  await press('See the email')
  await screen.findByText('Crew isn’t sold at this price any more. Choose another.')
})

test('an invitation is read before it’s sent, is in sight above the members, and is sent again and cancelled', {
  tags: ['full'],
}, async () => {
  const page = await browser.open('/admin/members')
  await press('Invite')
  fireEvent.input(await screen.findByLabelText(/^Email/), { target: { value: 'ivy@example.com' } })
  await press('See the email')
  const email = within(await screen.findByRole('dialog', { name: 'Send this email?' }))
  email.getByText('To ivy@example.com')
  expect(mails()).toEqual([])
  await press('Send the invitation')
  const link = await screen.findByRole('link', { name: '1 open invitation' })
  const [first] = mails()
  expect(first?.subject).toMatch(/^Your invitation to /)
  fireEvent.click(link)
  await waitFor(() => expect(page.address()).toBe('/admin/members#open-invitations'))
  world.forward(60_000)
  await press('Send again: ivy@example.com')
  await screen.findByText('Invitation sent again')
  expect(mails().map(({ subject }) => subject)).toEqual([first?.subject, first?.subject])
  await press('Cancel: ivy@example.com')
  await press('Cancel invitation')
  await screen.findByText('Invitation cancelled')
  await waitFor(() => expect(screen.queryByRole('link', { name: '1 open invitation' })).toBeNull())
})

test('someone is invited to a tier that isn’t among the cards, at the prices it has; a retired one isn’t offered', async () => {
  world.ctx.sqlite.exec(`update membership_tiers set isActive = slug <> 'xl'`)
  addYearlyPrice(world, 'mastermind', 997_000)
  await browser.open('/admin/members')
  await press('Invite')
  const tier = await screen.findByLabelText<HTMLSelectElement>('Tier')
  await waitFor(() => expect(tier.options).toHaveLength(3))
  expect([...tier.options].map(({ textContent }) => textContent)).toEqual([
    'Alliance Lite, £125 + VAT/month',
    'Alliance, £250 + VAT/month',
    'Alliance Mastermind, £997 + VAT/month or £9,970 + VAT/year',
  ])
  fireEvent.input(screen.getByLabelText(/^Email/), { target: { value: 'ivy@example.com' } })
  fireEvent.change(tier, { target: { value: 'mastermind' } })
  await press('See the email')
  await screen.findByText(/It’s £1,196\.40 a month or £11,964\.00 a year with VAT\./)
})
