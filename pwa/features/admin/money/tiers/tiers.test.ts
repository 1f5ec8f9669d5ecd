import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { typedDayText } from '#shared/rules/typed-day.ts'

const site = payingSite()

const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByText(name))
const list = async () => (await (await site.world.call('/api/membership-tiers')).json()).tiers
const stored = async () =>
  (await (await site.world.signIn(site.world.addOwner())('/api/admin/tiers')).json()) as AdminTier[]
const namesShown = async () => (await list()).map(({ name }: { name: string }) => name)
const menu = (name: string, item: string) => {
  fireEvent.click(screen.getByLabelText(`More for ${name}`))
  fireEvent.click(screen.getByText(item))
}
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
  press('Set £275.00 + VAT a month and tell 1 member')
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
  await screen.findByText(`New members pay £350.00 + VAT a month instead of £250.00 + VAT a month from ${soon}.`, {
    exact: false,
  })
  await screen.findByText('No change: you can move them once it’s started')
  expect(screen.queryByText(/and tell/)).toBeNull()
  press(`Set £350.00 + VAT a month from ${soon}`)
  await screen.findByText(`For new members from ${soon}.`)
  await screen.findByText(`£350.00 + VAT a month from ${soon}`)
  expect((await sold()).price).toBe(25_000)

  fireEvent.click(screen.getByLabelText('Change price of Alliance', { selector: 'button' }))
  type(/Pounds a month/, '300')
  press('See what it changes')
  await screen.findByText(`Still to come: £350.00 + VAT a month from ${soon}.`)
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  fireEvent.click(screen.getByLabelText('Cancel Alliance’s new monthly price'))
  press('Cancel this price')
  await screen.findByText('Alliance stays at £250.00 + VAT a month.')
  await waitFor(() => expect(screen.queryByText(`£350.00 + VAT a month from ${soon}`)).toBeNull())
})

test('a tier is added with its card beside the form, its problems at their fields, and untrue sentences named', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Edit Alliance')
  press('Add a tier')
  screen.getByText('Enter a price to see its card.')
  press('Add tier')
  await screen.findByText('Name is required')
  screen.getByText('Enter a monthly price, a yearly price, or both.')
  type(/^Name/, 'Silver Crew')
  type(/^Description/, 'Between the two')
  type(/What they get/, '**Videos**')
  type(/^Short name/, 'Silver crew')
  type(/^Pounds a month/, '0.005')
  press('Add tier')
  await screen.findByText('Use small letters, numbers and single hyphens.')
  screen.getByText('Enter the price in pounds, such as 250 or 250.50.')
  type(/^Short name/, 'xl')
  type(/^Pounds a month/, '12,50')
  press('Add tier')
  await screen.findByText('Enter the price in pounds, such as 250 or 250.50.')
  type(/^Pounds a month/, '180')
  const card = within(screen.getByRole('region', { name: 'Preview' }))
  expect(card.getByText('£180')).toBeTruthy()
  expect(card.getByText('JOIN SILVER CREW')).toBeTruthy()
  type(/^Pounds a year/, '100')
  await screen.findByText(/A year costs less than a month\./)
  screen.getByText(/won’t see it until they refresh/)
  screen.getByText(/starts at 10%/)
  const words = await screen.findByRole('link', { name: 'Three tiers, one crew' })
  expect(words.getAttribute('href')).toBe('/admin/words?page=membership-tiers&entry=heading')
  await screen.findByRole('link', { name: /paid by the month/ })
  press('Add tier')
  await screen.findByText('A tier already has this short name, or used to. Choose another.')
  type(/^Short name/, '')
  type(/^Pounds a year/, '1,800')
  fireEvent.change(screen.getByLabelText('Starts with the videos of'), { target: { value: 'lite' } })
  press('Add tier')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await namesShown()).toEqual(['Alliance Lite', 'Alliance', 'Alliance XL', 'Silver Crew'])
  expect((await list()).at(-1).prices).toMatchObject([{ net: 18_000 }, { every: 'year', net: 180_000 }])
  await screen.findByText('£1,800.00 + VAT a year')
})

test('what a tier gives and where it’s shown is changed, and the default tier stays among the cards', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await becomeMember(world)
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByLabelText('Edit Alliance'))
  const payer = await screen.findByRole('link', { name: 'Sam Field' })
  expect(payer.closest('li')?.textContent).toBe('1 member pays £250.00 + VAT a month: Sam Field.')
  expect(payer.getAttribute('href')).toMatch(/^\/admin\/members\//)
  screen.getByText(/^People can choose it on Home, .*Membership tiers/)
  expect(screen.queryByRole('region', { name: 'What changes' })).toBeNull()
  fireEvent.click(screen.getByLabelText(/^Shown on the site/))
  screen.getByText(/^Its card comes off Home/)
  press('Save tier')
  await screen.findByText('This is the default tier. Choose another default first.')
  fireEvent.click(screen.getByLabelText(/^Shown on the site/))
  type(/^Calls a month/, '2')
  type(/^Minutes a call/, '45')
  type(/^Badge/, 'New')
  fireEvent.change(screen.getByLabelText('Card colour'), { target: { value: 'dark' } })
  press('Save tier')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await sold()).toMatchObject({ callsPerMonth: 2, callDuration: 45, badge: 'New', cardColour: 'dark' })
})

test('tiers are ordered by two buttons, said aloud, with the focus where it was', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await browser.open('/admin/tiers')
  const button = await screen.findByLabelText('Move Alliance Lite down')
  button.focus()
  fireEvent.click(button)
  await screen.findByText(/^Alliance Lite is now 2 of \d\.$/)
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Alliance Lite down')
  await waitFor(async () => expect(await namesShown()).toEqual(['Alliance', 'Alliance Lite', 'Alliance XL']))
  browser.setSignal(false)
  fireEvent.click(screen.getByLabelText('Move Alliance XL up'))
  await screen.findByRole('alert')
  const rows = screen.getAllByLabelText(/^Edit /).map((edit) => edit.getAttribute('aria-label'))
  expect(rows.slice(0, 3)).toEqual(['Edit Alliance', 'Edit Alliance Lite', 'Edit Alliance XL'])
})

test('ten fast presses move a tier ten places, saved in few requests, with the focus on its button', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  const owner = world.addOwner()
  const call = world.signIn(owner)
  for (let n = 1; n <= 8; n += 1) {
    const prices = [{ every: 'month', net: 18_000 }]
    await call('/api/admin/tiers', {
      body: { name: `Tier ${n}`, description: 'Between', features: ['Videos'], prices },
    })
  }
  browser.signIn(owner)
  await browser.open('/admin/tiers')
  const up = await screen.findByLabelText('Move Tier 7 up')
  up.focus()
  for (let press = 0; press < 12; press += 1) fireEvent.click(screen.getByLabelText('Move Tier 7 up'))
  const rows = () => screen.getAllByLabelText(/^Edit /).map((edit) => edit.getAttribute('aria-label'))
  expect(rows()[0]).toBe('Edit Tier 7')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Tier 7 up')
  await waitFor(async () => expect((await stored())[0]?.name).toBe('Tier 7'))
  await screen.findByText('Tier 7 is now 1 of 12.')
  expect([rows()[0], document.activeElement?.getAttribute('aria-label')]).toEqual(['Edit Tier 7', 'Move Tier 7 up'])
  expect(
    world.ctx.sqlite.prepare(`select count(*) from audit_entries where action = 'tier.ordered'`).pluck().get(),
  ).toBe(2)
})

test('a change that’s booked to a tier is named before it’s retired, and on its row after', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const subscription = { nextTierSlug: 'xl', nextTierNet: 45_000, nextTierAt: '2027-02-01T09:00:00.000Z' }
  world.addMember({ firstName: 'Kim', lastName: 'Reed', tier: 'lite', subscription })
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Edit Alliance XL')
  expect(screen.queryByText('Kim Reed on 1 February 2027')).toBeNull()
  menu('Alliance XL', 'Retire')
  await screen.findByRole('link', { name: 'Kim Reed on 1 February 2027' })
  screen.getByText('1 booked change to it still goes ahead.')
  const naming = within(
    (await screen.findByText('These still mention Alliance XL')).closest('[role=status]') ?? document.body,
  )
  expect(naming.getAllByRole('link').some(({ textContent }) => textContent.includes('XL'))).toBe(true)
  press('Retire tier')
  await screen.findByText('Tier retired')
  const link = await screen.findByRole('link', { name: 'Kim Reed on 1 February 2027' })
  expect(link.closest('small')?.textContent).toContain('1 member has booked a change to it')
})

test('the default tier is retired with its figures in sight and another in its place, and restored', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await becomeMember(world)
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Edit Alliance')
  menu('Alliance', 'Retire')
  await screen.findByRole('link', { name: 'Sam Field' })
  screen.getByText(/^Its card comes off Home/)
  await screen.findByRole('link', { name: 'Three tiers, one crew' })
  expect(screen.getByText<HTMLButtonElement>('Retire tier').closest('button')?.disabled).toBe(true)
  fireEvent.change(screen.getByLabelText('Default tier from now on'), { target: { value: 'xl' } })
  press('Retire tier')
  await screen.findByText('Tier retired')
  expect(await namesShown()).toEqual(['Alliance Lite', 'Alliance XL'])
  expect((await stored()).find(({ isDefault }) => isDefault)?.slug).toBe('xl')
  menu('Alliance', 'Restore')
  press('Restore tier')
  await screen.findByText('Tier restored')
  expect(await namesShown()).toEqual(['Alliance Lite', 'Alliance', 'Alliance XL'])
  menu('Alliance', 'Make default')
  press('Make default')
  await screen.findByText('Default changed')
  expect((await stored()).find(({ isDefault }) => isDefault)?.slug).toBe('standard')
})

test('a tier that is named isn’t deleted, and one that never was goes once its own videos are looked at', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  const owner = world.addOwner()
  browser.signIn(owner)
  world.addVideos()
  await becomeMember(world)
  const call = world.signIn(owner)
  const prices = [{ every: 'month', net: 18_000 }]
  const body = { name: 'Silver Crew', description: 'Between', features: ['Videos'], prices }
  expect((await call('/api/admin/tiers', { body })).status).toBe(200)
  world.ctx.sqlite.exec(
    `delete from video_tiers where videoId = (select min(id) from member_videos);
     insert into video_tiers (videoId, tierSlug) select min(id), 'silver-crew' from member_videos`,
  )
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Edit Silver Crew')
  menu('Alliance', 'Delete')
  await screen.findByText(/^You can’t, because it’s used by .*1 person.*Retire it instead\.$/)
  expect(screen.queryByText('Delete tier')).toBeNull()
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  menu('Silver Crew', 'Delete')
  await screen.findByText('No one would see these videos')
  expect(screen.getByText('Delete tier').closest('button')?.disabled).toBe(true)
  fireEvent.click(screen.getByLabelText('Delete it anyway'))
  press('Delete tier')
  await screen.findByText('Tier deleted')
  expect(await namesShown()).toEqual(['Alliance Lite', 'Alliance', 'Alliance XL'])
})

test('a price by the year is set after a look, and taken off sale again', { tags: ['full'] }, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  await browser.open('/admin/tiers')
  await screen.findByLabelText('Change price of Alliance')
  menu('Alliance', 'Add a yearly price')
  type(/Pounds a year/, '10,000,000')
  press('See what it changes')
  await screen.findByText('Enter up to £120,000 a year.')
  type(/Pounds a year/, '2500')
  press('See what it changes')
  await screen.findByText('Next to the yearly price, visitors see “two months free”.')
  type(/Pounds a year/, '4000')
  press('See what it changes')
  await screen.findByText(
    /New members can choose £4,000.00 \+ VAT a year, and members can change to it, from now on\. A year costs more than 12 months\./,
  )
  expect(screen.queryByText(/visitors read/)).toBeNull()
  const untrue = within(
    (await screen.findByText('These won’t be true any more')).closest('[role=status]') ?? document.body,
  )
  untrue.getByRole('link', { name: /paid by the month/ })
  press('Set £4,000.00 + VAT a year')
  await waitFor(async () => expect((await sold()).prices).toMatchObject([{ net: 25_000 }, { net: 400_000 }]))
  await screen.findByText('£4,000.00 + VAT a year')
  await screen.findByText('These aren’t true now')
  screen.getByRole('link', { name: /paid by the month/ })
  menu('Alliance', 'Stop selling by the year')
  await screen.findByText(/New members pay £250.00 \+ VAT a month\. No one pays £4,000.00 \+ VAT a year\./)
  press('Stop this price')
  await screen.findByText('Price stopped')
  expect((await sold()).prices).toMatchObject([{ every: 'month' }])
  await waitFor(() => expect(screen.queryByText('These aren’t true now')).toBeNull())
  fireEvent.click(screen.getByLabelText('Change price of Alliance'))
  fireEvent.click(screen.getByLabelText(/^By the year/))
  press('See what it changes')
  await screen.findByText(/New members can choose £4,000.00 \+ VAT a year/)
  press('Set £4,000.00 + VAT a year')
  await waitFor(async () => expect((await sold()).prices).toHaveLength(2))
})
