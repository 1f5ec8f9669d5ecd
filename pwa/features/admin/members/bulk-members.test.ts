import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitingMail } from '#api/testing/enquiries.ts'
import { billingOf } from '#api/testing/joining.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { unprovenGuestText } from '#shared/contract/members.ts'

let world: World
let browser: Browser
beforeEach(async () => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const inDialog = () => within(screen.getByRole('dialog'))

test('chosen members are mailed once each although a response was lost, and get their access back together', {
  tags: ['full'],
}, async () => {
  const ended = { accessOverride: 'revoked', subscription: { status: 'canceled' } } as const
  const revoked = ['Ann', 'Bob'].map((firstName) => world.addMember({ firstName, ...ended }))
  await browser.open('/admin/members?show=all')
  for (const name of ['Ann', 'Bob']) fireEvent.click(await screen.findByLabelText(new RegExp(`^Choose ${name}`)))
  press('Write an email')
  fireEvent.change(inDialog().getByLabelText(/^Your message \(they each get the same one\)/), {
    target: { value: 'The yard is shut.' },
  })
  const lost = `/api/admin/inbox/members/${revoked[1]?.id}/reply`
  browser.setDelivery(lost, 'lose-response')
  press('Send emails')
  await inDialog().findByText('1 didn’t work. It’s still selected.')
  browser.setDelivery(lost, 'deliver')
  press('Send emails')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const mailed = waitingMail(world).filter(({ cause }) => cause.startsWith('inbox:'))
  expect(mailed.map(({ to }) => to).sort()).toEqual(revoked.map(({ email }) => email).sort())

  for (const name of ['Ann', 'Bob']) fireEvent.click(await screen.findByLabelText(new RegExp(`^Choose ${name}`)))
  press('Restore access for 2')
  const doubt = inDialog().getByText(/^No one has logged in yet/).textContent
  for (const { email } of revoked) expect(doubt).toContain(email)
  fireEvent.click(inDialog().getByRole('button', { name: 'Restore access' }))
  await screen.findByText('Access restored for 2 members')
  for (const member of revoked) {
    expect((await (await world.signIn(member)('/api/auth/user')).json()).isMember).toBe(true)
  }
})

test('one text to several members asks for the password first, once, and mails no one without it', async () => {
  const owner = addWithPassword(world, { isAdmin: true })
  browser.signIn(owner)
  const asked = ['Ann', 'Bob'].map((firstName) => world.addMember({ firstName }))
  world.forward(11 * 60_000)
  await browser.open('/admin/members')
  for (const name of ['Ann', 'Bob']) fireEvent.click(await screen.findByLabelText(new RegExp(`^Choose ${name}`)))
  press('Write an email')
  fireEvent.change(screen.getByLabelText(/^Your message/), { target: { value: 'The yard is shut.' } })
  press('Send emails')
  const question = await screen.findByRole('dialog', { name: 'Enter your password' })
  fireEvent.click(within(question).getByRole('button', { name: 'Not now' }))
  await screen.findByText('2 didn’t work. They’re still selected.')
  expect(screen.queryByRole('dialog', { name: 'Enter your password' })).toBeNull()
  expect(waitingMail(world).filter(({ cause }) => cause.startsWith('inbox:'))).toEqual([])
  press('Send emails')
  const field = await screen.findByLabelText(/^Your password/, { selector: 'input' })
  fireEvent.change(field, { target: { value: password } })
  fireEvent.submit(field)
  await screen.findByText('2 emails on the way')
  const mailed = waitingMail(world).filter(({ cause }) => cause.startsWith('inbox:'))
  expect(mailed.map(({ to }) => to).sort()).toEqual(asked.map(({ email }) => email).sort())
})

test('who is not let in free, because they pay, raises no doubt about their address', { tags: ['full'] }, async () => {
  const paying = world.addMember({ firstName: 'Cat', accessOverride: 'revoked' })
  const free = world.addUser({ firstName: 'Dot' })
  await browser.open('/admin/members?show=all')
  for (const name of ['Cat', 'Dot']) fireEvent.click(await screen.findByLabelText(new RegExp(`^Choose ${name}`)))
  press('Restore access for 2')
  const doubt = inDialog().getByText(/^No one has logged in yet/).textContent
  expect([paying, free].map(({ email }) => doubt?.includes(email))).toEqual([false, true])
  fireEvent.click(inDialog().getByRole('button', { name: 'Close' }))
  fireEvent.click(await screen.findByRole('button', { name: /^More for Cat/ }))
  fireEvent.click(await screen.findByRole('button', { name: /^Restore Cat.*’s access/ }))
  expect(inDialog().getByText(/gets their membership’s access back/)).toBeTruthy()
  expect(inDialog().queryByText(/^No one has logged in yet/)).toBeNull()
})

test.each([
  ['paused', 'revoked'],
  ['paused', null],
  ['unpaid', 'revoked'],
  ['unpaid', null],
] as const)(
  'who is let in free beside a membership that is %s (%s) is doubted as any guest',
  { tags: ['full'] },
  async (status, access) => {
    const member = world.addMember({ firstName: 'Eve', accessOverride: access, subscription: { status } })
    await browser.open('/admin/members?show=all')
    fireEvent.click(await screen.findByLabelText(/^Choose Eve/))
    press('Restore access for 1')
    expect(inDialog().getByText(/^No one has logged in yet/).textContent).toContain(member.email)
    fireEvent.click(inDialog().getByRole('button', { name: 'Close' }))
    await browser.open(`/admin/members/${member.id}`)
    fireEvent.click(await screen.findByRole('button', { name: /^More for Eve/ }))
    fireEvent.click(inDialog().getByRole('button', { name: /^Restore Eve/ }))
    expect(inDialog().getByText(/gets the videos free until you end it/)).toBeTruthy()
    expect(inDialog().getByText(unprovenGuestText)).toBeTruthy()
    fireEvent.click(inDialog().getByRole('button', { name: 'Restore access' }))
    await screen.findByText('Access restored')
    expect(await billingOf(world.signIn(member))).toMatchObject({ status, hasAccess: true, isComplimentary: true })
  },
)

test('the file has a cell for each name, email and phone, which the row shows as one', { tags: ['full'] }, async () => {
  world.addMember({ firstName: 'Ann', lastName: 'Field', email: 'ann@example.com', phone: '07700 900123' })
  const files: Blob[] = []
  const makeAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:x'
  })
  // jsdom can’t download.
  const saving = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await browser.open('/admin/members?show=all')
  await screen.findByRole('link', { name: 'Ann Field' })
  press('CSV')
  await waitFor(() => expect(files).toHaveLength(1))
  const [head = '', row = ''] = ((await files[0]?.text()) ?? '').replace('\uFEFF', '').split('\r\n')
  expect(head.split(',').slice(0, 4)).toEqual(['Name', 'Email', 'Phone', 'Trade'])
  expect(row.split(',').slice(0, 3)).toEqual(['Ann Field', 'ann@example.com', '07700 900123'])
  makeAddress.mockRestore()
  saving.mockRestore()
})

test('all who are listed are selected at once, those on pages not opened yet too', { tags: ['full'] }, async () => {
  for (let count = 0; count < 60; count += 1) world.addMember({ firstName: 'Ann' })
  await browser.open('/admin/members')
  const [first] = await screen.findAllByLabelText(/^Choose Ann/)
  if (first) fireEvent.click(first)
  press('Select all 60')
  await screen.findByText('60 selected')
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull()
})

test('a row is a name, a tier and a state; its menu has how to reach them', async () => {
  world.addMember({ firstName: 'Ann', lastName: 'Field', email: 'ann@example.com', phone: '07700 900123' })
  await browser.open('/admin/members')
  const row = (await screen.findByRole('link', { name: 'Ann Field' })).closest('tr')
  expect(row?.textContent).not.toContain('ann@example.com')
  press('More for Ann Field')
  const [ring, mail] = inDialog().getAllByRole<HTMLAnchorElement>('link')
  expect([ring?.href, mail?.href]).toEqual(['tel:07700900123', 'mailto:ann@example.com'])
})
