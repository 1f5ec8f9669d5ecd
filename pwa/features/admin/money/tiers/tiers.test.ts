import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { typedDayText } from '#shared/rules/typed-day.ts'

const site = payingSite()

const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByText(name))
const sold = async () => (await (await site.world.call('/api/membership-tiers')).json()).tiers[1]

test('a tier’s words are changed, another owner’s change is shown beside, and a price after a look at whom it moves', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await becomeMember(world)
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByLabelText('Edit Alliance'))
  type(/Description/, 'Mine')
  world.ctx.sqlite.exec(`update membership_tiers set description = 'Theirs', version = 2 where slug = 'standard'`)
  type(/What they get/, '**One line\nAnother')
  press('Save tier')
  await screen.findByText('Bold words need ** before and after them.')
  type(/What they get/, '**One** line')
  press('Save tier')
  const both = within(await screen.findByRole('table', { name: 'What’s different' }))
  expect(both.getByRole('row', { name: 'Description Mine Theirs' })).toBeTruthy()
  press('Save mine')
  await waitFor(async () => expect(await sold()).toMatchObject({ description: 'Mine', features: ['**One** line'] }))

  fireEvent.click(await screen.findByLabelText('Change price of Alliance'))
  type(/Pounds a month/, '£275')
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  fireEvent.click(await screen.findByLabelText('Change price of Alliance'))
  expect(screen.getByLabelText<HTMLInputElement>(/Pounds a month/).value).toBe('£275')
  press('See what it changes')
  const row = within(await screen.findByRole('table', { name: 'Members on another price' }))
  expect(row.getByRole('row', { name: /Sam Field.*£250.00 \+ VAT.*£275.00 \+ VAT.*From / })).toBeTruthy()
  expect((await sold()).price).toBe(25_000)
  press('Set £275.00 + VAT and tell 1 member')
  await screen.findByText('1 email on the way.')
  expect((await sold()).price).toBe(27_500)
  await screen.findByText('1 price change to come')

  fireEvent.click(screen.getByLabelText('Change price of Alliance', { selector: 'button' }))
  press('See what it changes')
  await screen.findByText('Stays: already told about a new price')
  browser.setSignal(false)
  type(/Pounds a month/, '280')
  press('See what it changes')
  await screen.findByText(/No signal/)
  expect(screen.getByLabelText<HTMLInputElement>(/Pounds a month/).value).toBe('280')
})

test('a name that another tier has is refused once, at the name', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByLabelText('Edit Alliance'))
  type(/^Name/, 'Alliance XL')
  press('Save tier')
  await screen.findByText('Another tier has this name.')
  expect(screen.getAllByText('Another tier has this name.')).toHaveLength(1)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)))
})

test('a tier that is opened again before the list has come is as it was just saved, and nobody else’s', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Edit Alliance')
  browser.setDelivery('/api/admin/tiers', 'lose-request')
  for (const words of ['First words', 'Second words']) {
    fireEvent.click(screen.getByLabelText('Edit Alliance'))
    type(/Description/, words)
    press('Save tier')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect(await sold()).toMatchObject({ description: 'Second words' })
  fireEvent.click(screen.getByLabelText('Edit Alliance'))
  expect(screen.getByLabelText<HTMLInputElement>(/Description/).value).toBe('Second words')
})

test('a price starts on a chosen day: shown first, on the tier’s row, and taken back', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await becomeMember(world)
  const day = (days: number) => addDays(londonDay(world.ctx.now()), days)
  const soon = formatLongDate(day(30))
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByLabelText('Change price of Alliance'))
  type(/Pounds a month/, '350')
  fireEvent.click(screen.getByLabelText('From a later day'))
  press('See what it changes')
  await screen.findByText('First day is required')
  type(/^First day/, typedDayText(day(0)))
  press('See what it changes')
  await screen.findByText('Choose a day after today.')
  expect(screen.queryByRole('alert')).toBeNull()
  type(/^First day/, typedDayText(day(30)))
  press('See what it changes')
  await screen.findByText(`New members pay £350.00 + VAT instead of £250.00 + VAT from ${soon}.`, { exact: false })
  await screen.findByText('No change: you can move them once it’s started')
  expect(screen.queryByText(/and tell/)).toBeNull()
  press(`Set £350.00 + VAT from ${soon}`)
  await screen.findByText(`For new members from ${soon}.`)
  await screen.findByText(`£350.00 + VAT from ${soon}`)
  expect((await sold()).price).toBe(25_000)

  fireEvent.click(screen.getByLabelText('Change price of Alliance', { selector: 'button' }))
  type(/Pounds a month/, '300')
  press('See what it changes')
  await screen.findByText(`Still to come: £350.00 + VAT from ${soon}.`)
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  fireEvent.click(screen.getByLabelText('Cancel the new price of Alliance'))
  press('Cancel this price')
  await screen.findByText('Alliance stays at £250.00 + VAT.')
  await waitFor(() => expect(screen.queryByText(`£350.00 + VAT from ${soon}`)).toBeNull())
})
