import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contactMessage } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { adminPlaces } from '#pwa/features/admin/frame/places.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const press = (key: string, more = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })

test('the menu finds a place by its letters, what an owner wants to do by its words, and a member by the phone number, and leads there', {
  tags: ['full'],
}, async () => {
  const { id } = world.addMember({ firstName: 'Priya', lastName: 'Shah', phone: '07700 900123' })
  const page = await browser.open('/admin/members')
  await screen.findByRole('row', { name: /Priya Shah/ })
  press('k', { ctrlKey: true })
  // Type on before the menu’s chunk has loaded.
  for (const key of 'into'.split('')) press(key)
  press('Backspace')
  const field = await screen.findByLabelText<HTMLInputElement>(/^A member, a place/)
  await waitFor(() => expect(field.value).toBe('int'))
  const options = within(screen.getByRole('listbox', { name: 'Found' }))
  fireEvent.change(field, { target: { value: 'inv' } })
  expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toContain('InvoicesMoneyg u')
  fireEvent.change(field, { target: { value: 'price' } })
  expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toContain('Change a price')
  fireEvent.change(field, { target: { value: 'mailings' } })
  expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toContain('CampaignsMarketingg y')
  fireEvent.change(field, { target: { value: '07700900' } })
  const found = await options.findByRole('option', { name: /Priya Shah/ })
  expect(field.getAttribute('aria-activedescendant')).toBe(found.id)
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(page.address()).toBe(`/admin/members/${id}`))
  // The menu and shortcuts work here too.
  await screen.findByRole('heading', { name: 'Priya Shah' })
  press('k', { ctrlKey: true })
  await screen.findByLabelText(/^A member, a place/)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('g')
  press('j')
  await waitFor(() => expect(page.address()).toBe('/admin/jobs'))
})

test('on a place without a search / opens Find; nothing found offers the nine places, moving a call the calls to come', async () => {
  world.addVideos()
  await world.call('/api/contact', { body: contactMessage })
  const invited = { email: 'ivy@example.com', firstName: 'Ivy', lastName: 'Bell', tierSlug: 'lite', freeMonths: 0 }
  await world.signIn(world.addOwner())('/api/admin/invitations', { body: invited })
  await world.signIn(world.addOwner())('/api/admin/owners/invitations', { body: { email: 'dave@example.com' } })
  world.addMember({ firstName: 'Bert', lastName: 'Slater' })
  const page = await browser.open('/admin')
  // By then the frame listens to keys.
  await screen.findByText(/^As of/)
  press('/')
  const field = await screen.findByLabelText<HTMLInputElement>(/^A member, a place/)
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.value).toBe('')
  fireEvent.change(field, { target: { value: 'xyzzy' } })
  await screen.findByText('Nothing found. Try another word, or look in one of these.')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
    Object.values(adminPlaces).map(({ label }) => label),
  )
  // A sentence leads to its field.
  fireEvent.change(field, { target: { value: 'a full week pays like one' } })
  const sentence = await screen.findByRole('option', { name: /a full week pays like one.*Words, home/ })
  expect(sentence.textContent?.length).toBeLessThan(130)
  expect(screen.getAllByRole('option')[0]).toBe(sentence)
  // Neither has an account.
  fireEvent.change(field, { target: { value: contactMessage.email } })
  await screen.findByRole('option', { name: `${contactMessage.name}Message, ${contactMessage.email}` })
  fireEvent.change(field, { target: { value: 'ivy bell' } })
  await screen.findByRole('option', { name: 'Ivy BellInvited, ivy@example.com' })
  fireEvent.change(field, { target: { value: 'dave@example' } })
  await screen.findByRole('option', { name: 'dave@example.comInvited as an owner' })
  // A name that's one letter off an action's words.
  fireEvent.change(field, { target: { value: 'slater' } })
  const person = await screen.findByRole('option', { name: /^Bert Slater/ })
  expect(screen.getAllByRole('option')[0]).toBe(person)
  fireEvent.change(field, { target: { value: 'deposits payments' } })
  await screen.findByRole('option', { name: /^Deposits and stage payments/ })
  fireEvent.change(field, { target: { value: 'change the time of a call' } })
  fireEvent.click(await screen.findByRole('option', { name: 'Move a call' }))
  await waitFor(() => expect(page.address()).toBe('/admin/bookings?show=upcoming'))
})

test('an action that has a dialog of its own opens it, and closing it stays there', async () => {
  const page = await browser.open('/admin')
  await screen.findByRole('heading', { name: 'Today', level: 1 })
  press('k', { ctrlKey: true })
  const field = await screen.findByLabelText(/^A member, a place/)
  fireEvent.change(field, { target: { value: 'get a mate to join' } })
  fireEvent.click(await screen.findByRole('option', { name: 'Invite a member' }))
  const dialog = await screen.findByRole('dialog', { name: 'Invite a member' })
  expect(page.address()).toBe('/admin/members?open=1')
  expect(document.title).toMatch(/^Members \(Active\): /)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(page.address()).toBe('/admin/members'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('keys lead to places and rows, never while somebody types, and can be switched off', {
  tags: ['full'],
}, async () => {
  world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  const page = await browser.open('/admin/members')
  await screen.findByRole('row', { name: /Priya Shah/ })
  press('j')
  expect(document.activeElement?.localName).toBe('tr')
  press('/')
  expect(document.activeElement).toBe(screen.getByLabelText('Find a member'))
  press('g')
  press('j')
  expect(page.address()).toBe('/admin/members')
  screen.getByLabelText('Find a member').blur()
  press('g')
  press('j')
  await waitFor(() => expect(page.address()).toBe('/admin/jobs'))
  press('?', { shiftKey: true })
  fireEvent.click(await screen.findByLabelText('Use single keys on this device'))
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  press('?', { shiftKey: true })
  press('g')
  press('m')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(page.address()).toBe('/admin/jobs')
})
