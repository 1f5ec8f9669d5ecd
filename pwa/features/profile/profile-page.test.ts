import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})
afterEach(() => browser.close())

const danny = (more = {}) =>
  addWithPassword(world, {
    email: 'danny@example.com',
    firstName: 'Danny',
    lastName: 'Marsh',
    phone: '07700 900123',
    businessName: 'Marsh Plumbing',
    trade: 'Plumber',
    membershipStartDate: '2024-03-09T12:00:00.000Z',
    ...more,
  })
const openProfile = async (person: TestPerson) => {
  browser.signIn(person)
  const page = await browser.open('/members?tab=profile')
  await screen.findByRole('region', { name: 'Profile' })
  return page
}
const rows = () =>
  within(screen.getByRole('region', { name: 'Profile' }))
    .queryAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ''])
const edit = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Edit profile' }))
  await screen.findByRole('form', { name: 'Edit profile' })
}
const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByRole('textbox', { name: label }), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
const change = (call: Call, body: object) => call('/api/user/profile', { method: 'PATCH', body })
const profileOf = async (person: TestPerson) => (await world.signIn(person)('/api/user/profile')).json()

test('PROF-01 PROF-02 the profile shows its six entries, the last as a long date', async () => {
  await openProfile(danny())
  await screen.findByText('Full name')
  expect(rows()).toEqual([
    ['Full name', 'Danny Marsh'],
    ['Email', 'danny@example.com'],
    ['Phone', '07700 900123'],
    ['Business name', 'Marsh Plumbing'],
    ['Trade', 'Plumber'],
    ['Member since', '9 March 2024'],
  ])
})

test('PROF-04 who presses Edit before the profile has come gets the form when it is there', {
  tags: ['full'],
}, async () => {
  const person = danny()
  browser.setDelivery('/api/user/profile', 'hold')
  const page = await openProfile(person)
  await waitFor(() => expect(browser.network.held).not.toEqual([]))
  fireEvent.click(await screen.findByRole('button', { name: 'Edit profile' }))
  expect(screen.queryByRole('form', { name: 'Edit profile' })).toBeNull()
  for (const release of browser.network.held) release()
  await screen.findByRole('form', { name: 'Edit profile' })
  expect(page.address()).toBe('/members?tab=profile')
})

test('PROF-03 what is not there is not provided', async () => {
  const none = { lastName: null, firstName: null, phone: ' ', businessName: null, trade: '', membershipStartDate: null }
  await openProfile(danny(none))
  await screen.findByText('Full name')
  expect(rows().map(([, value]) => value)).toEqual([
    'Not provided',
    'danny@example.com',
    ...Array.from({ length: 4 }, () => 'Not provided'),
  ])
})

test('PROF-04 ERR-27 from view to edit and back: what is saved is shown everywhere', async () => {
  const person = danny()
  await openProfile(person)
  await edit()
  await type('First name', 'Dan')
  await type('Trade', '')
  save()
  await screen.findByText('Profile Updated')
  await waitFor(() => expect(rows()).toContainEqual(['Full name', 'Dan Marsh']))
  expect(rows()).toContainEqual(['Trade', 'Not provided'])
  await screen.findByRole('heading', { level: 1, name: 'DAN' })
  expect(await profileOf(person)).toMatchObject({ firstName: 'Dan', trade: null, phone: '07700 900123' })
  await edit()
  await type('Phone', '0113 496 0000')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(rows()).toContainEqual(['Phone', '07700 900123'])
})

test('PROF-05 what is wrong is listed above the form and said under each field, and nothing is sent', async () => {
  await openProfile(danny())
  await edit()
  await type('Last name', ' ')
  await type('Email', 'danny@')
  await type('Phone', '12')
  save()
  const summary = await screen.findByRole('alert')
  expect(within(summary).getByText('3 things to fix')).toBeTruthy()
  fireEvent.click(within(summary).getByRole('button', { name: /^Phone: Enter a phone number/ }))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Phone' }))
  expect(screen.getByText('Last name is required')).toBeTruthy()
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy()
  expect(browser.network.sent.filter(({ path, body }) => path === '/api/user/profile' && body)).toEqual([])
})

test('ERR-16 what the server cannot save says so and stays in the form', { tags: ['full'] }, async () => {
  await openProfile(danny())
  await edit()
  await type('Trade', 'Heating')
  browser.network.usual = { status: 500, body: { error: { code: 'internal', message: 'Something broke here.' } } }
  save()
  await screen.findByText('Update Failed')
  expect(screen.getByText('Failed to update profile. Please try again.')).toBeTruthy()
  expect(screen.getByText('Something broke here.')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Trade' })).toHaveProperty('value', 'Heating')
  browser.network.usual = 'deliver'
  save()
  await screen.findByText('Profile Updated')
})

test('PROF-04 without signal the form keeps what was typed and says so, also when it is opened again', async () => {
  const person = danny()
  await openProfile(person)
  await edit()
  browser.setSignal(false)
  await type('Trade', 'Heating')
  await screen.findByText('No signal. It’s safe on this phone until you can save it.')
  expect(screen.getByRole('button', { name: /Save changes Needs signal/ })).toHaveProperty('disabled', true)
  await browser.open('/members?tab=profile')
  await screen.findByText('We’ve brought back what you typed')
  expect(await screen.findByRole('textbox', { name: 'Trade' })).toHaveProperty('value', 'Heating')
  browser.setSignal(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  await screen.findByText('Profile Updated')
  expect(await profileOf(person)).toMatchObject({ trade: 'Heating' })
})

test('API-13 two devices, one of them offline meanwhile: both versions are shown and the member chooses', {
  tags: ['full'],
}, async () => {
  const person = danny()
  await openProfile(person)
  await edit()
  browser.setSignal(false)
  await type('Phone', '07700 900999')
  await change(world.signIn(person), { phone: '0113 496 0000', trade: 'Heating' })
  browser.setSignal(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }))
  const both = await screen.findByRole('table', { name: 'What’s different' })
  expect(
    within(both)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['Phone07700 9009990113 496 0000'])
  fireEvent.click(screen.getByRole('button', { name: 'Save this one' }))
  await screen.findByText('Profile Updated')
  expect(await profileOf(person)).toMatchObject({ phone: '07700 900999', trade: 'Heating' })
})

test('API-13 or they take what the other device saved', async () => {
  const person = danny()
  await openProfile(person)
  await edit()
  await type('Phone', '07700 900999')
  await change(world.signIn(person), { phone: '0113 496 0000' })
  save()
  fireEvent.click(await screen.findByRole('button', { name: 'Keep the other' }))
  await waitFor(() => expect(rows()).toContainEqual(['Phone', '0113 496 0000']))
  expect(await profileOf(person)).toMatchObject({ phone: '0113 496 0000' })
})

test('API-13 another email asks for the password, then waits for the link that was mailed to it', async () => {
  await openProfile(danny())
  await edit()
  await type('Email', 'danny@marsh.example')
  // Giving the password for something else a moment ago doesn't count for this.
  await world.call('/api/auth/proof', { body: { password }, headers: { cookie: browser.cookie ?? '' } })
  save()
  fireEvent.input(await screen.findByLabelText(/^Your password/, { selector: 'input' }), {
    target: { value: password },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Carry on' }))
  await screen.findByText('Open the link we emailed to danny@marsh.example.')
  expect(screen.queryByLabelText(/^Your password/)).toBeNull()
  await screen.findByText('Confirm your new email')
  expect(rows()).toContainEqual(['Email', 'danny@example.com'])
})

test('ROLE-06 PERM-4 a member edits their own profile; an owner who views as them changes nothing', async () => {
  const member = world.addMember({ firstName: 'Priya' })
  await openProfile(member)
  await screen.findByRole('button', { name: 'Edit profile' })
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${member.id}`, { body: { reason: 'They rang' } })
  browser.cookie = owner.cookie
  await browser.open('/members?tab=profile')
  await screen.findAllByText('Not provided')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit profile' })).toBeNull())
})
