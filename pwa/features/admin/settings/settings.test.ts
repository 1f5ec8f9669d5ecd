import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audit } from '#api/audit.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let owner: TestPerson
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  owner = addWithPassword(world, { isAdmin: true, firstName: 'Olive', lastName: 'Hart' })
  browser.signIn(owner)
})
afterEach(() => browser.close())

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const isIn = async (call: Call) => (await call('/api/auth/user')).status === 200

test('another browser is signed out, and a token is made once the password is given again, shown once and revoked', {
  tags: ['full'],
}, async () => {
  const other = world.signIn(owner)
  world.signIn(world.addOwner())
  const page = await browser.open('/admin/owners')
  const logins = within(await screen.findByRole('table', { name: 'Where you’re logged in' }))
  expect([logins.getAllByRole('row').length, logins.getAllByText('This browser').length]).toEqual([3, 1])
  press(/^Log out: A browser/)
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Log out' }))
  await screen.findByText('Logged out')
  expect(await isIn(other)).toBe(false)

  await page.go('/admin/tokens')
  await screen.findByText('No tokens')
  press('New token')
  fireEvent.click(screen.getByText('Make the token'))
  await screen.findByText('Say what it’s for.')
  fireEvent.input(screen.getByLabelText(/What it’s for/), { target: { value: 'Books' } })
  press('Not now')
  press('New token')
  expect(screen.getByLabelText<HTMLInputElement>(/What it’s for/).value).toBe('Books')
  world.forward(11 * 60_000)
  press('Make the token')
  const asked = within(await screen.findByRole('form', { name: 'Your password' }))
  const type = (value: string) => fireEvent.change(asked.getByLabelText(/Your password/), { target: { value } })
  type('not-my-password')
  press('Carry on')
  await asked.findByText('That’s not your password. Check it and try again.')
  type(password)
  press('Carry on')
  const { value: token } = await screen.findByLabelText<HTMLInputElement>('Token')
  const authorization = `Bearer ${token}`
  expect((await world.call('/api/admin/mrr', { headers: { authorization } })).status).toBe(200)
  press('I’ve got it')
  const row = within(await screen.findByRole('row', { name: /Books.*Reads only/ }))
  expect(document.body.innerHTML).not.toContain(token)
  fireEvent.click(row.getByRole('button', { name: 'Revoke: Books' }))
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Revoke' }))
  await screen.findByText('No tokens')
  expect((await world.call('/api/admin/mrr', { headers: { authorization } })).status).toBe(401)
})

test('the audit log is filtered by what, whom and when, and its address holds that', { tags: ['full'] }, async () => {
  const danny = world.addMember()
  audit(world.ctx, `user:${owner.id}`, 'member.revoke_access', { targetId: danny.id, detail: { reason: 'asked' } })
  audit(world.ctx, 'system', 'tier.price', { detail: { to: 27_500 } })
  const page = await browser.open('/admin/audit')
  const done = await screen.findByRole('row', { name: /Olive Hart.*Access revoked.*Danny Marsh.*“asked”/ })
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'tier' } })
  await waitFor(() => expect(done.isConnected).toBe(false))
  expect(await screen.findByRole('row', { name: /The site.*Tier price changed.*To £275.00/ })).toBeTruthy()
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '11/6/2026' } })
  fireEvent.blur(screen.getByLabelText('To'))
  fireEvent.click(await screen.findByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(page.address()).toBe('/admin/audit'))
  fireEvent.change(screen.getByLabelText('Member affected'), { target: { value: 'danny' } })
  await waitFor(() => expect(page.address()).toBe('/admin/audit?member=danny'))
  await screen.findByRole('row', { name: /Access revoked/ })
  await waitFor(() => expect(screen.queryByRole('row', { name: /Tier price changed/ })).toBeNull())
})

test('a list that was opened further comes back with the same rows after a reload', { tags: ['full'] }, async () => {
  for (let at = 0; at < 51; at += 1) audit(world.ctx, 'system', 'video.ordered', { detail: { category: `No ${at}.` } })
  const page = await browser.open('/admin/audit')
  fireEvent.click(await screen.findByText('Show more'))
  await screen.findByText('In No 0.')
  await waitFor(() => expect(page.address()).toBe('/admin/audit?pages=2'))
  await page.close()
  await browser.open('/admin/audit?pages=2')
  await screen.findByText('In No 0.')
})

const setValue = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

test('a group is one form: every wrong field says so together, what was typed stays, and only what changed is sent', {
  tags: ['full'],
}, async () => {
  world.ctx.settings.site.COMMUNITY_URL = 'https://community.example'
  const page = await browser.open('/admin/addresses')
  const form = within(await screen.findByRole('form', { name: 'Community and networks' }))
  expect(form.getByLabelText<HTMLInputElement>('Community').readOnly).toBe(true)
  expect(form.queryByRole('button', { name: 'Discard changes' })).toBeNull()
  setValue('Facebook', 'nowhere')
  setValue('Instagram', 'nowhere')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findAllByText('It must start with http:// or https://.')).toHaveLength(2)
  setValue('Facebook', 'https://facebook.example/us')
  setValue('Instagram', '')
  await page.close()

  await browser.open('/admin/addresses')
  await screen.findByText('We’ve kept what you typed')
  expect(typedIn('Facebook')).toBe('https://facebook.example/us')
  world.forward(11 * 60_000)
  const saved = within(screen.getByRole('form', { name: 'Community and networks' }))
  fireEvent.click(saved.getByRole('button', { name: 'Save' }))
  const asked = within(await screen.findByRole('form', { name: 'Your password' }))
  fireEvent.change(asked.getByLabelText(/Your password/), { target: { value: password } })
  press('Carry on')
  await screen.findByText('It’s on the site now.')
  expect(siteSettings(world.ctx).links).toMatchObject({ facebook: 'https://facebook.example/us', instagram: '' })
  setValue('Facebook', '')
  press('Discard changes')
  expect(typedIn('Facebook')).toBe('https://facebook.example/us')
})

test('a VAT number that looks mistyped is saved but brought to the owner, and doubted no more once it is changed', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/settings')
  const form = within(await screen.findByRole('form', { name: /^Your business/ }))
  setValue('VAT number', 'GB123456789')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  const toast = (await screen.findByText('Saved, but check it')).closest('.toast')
  expect(toast?.classList.contains('toast--ok')).toBe(false)
  // The field says what's wrong; both at once would be one sentence twice.
  expect(toast?.textContent).not.toContain('mistyped')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('VAT number')))
  await screen.findByText(/^It looks mistyped/)
  setValue('VAT number', 'GB123456782')
  expect(screen.queryByText(/^It looks mistyped/)).toBeNull()
})

test('what the other owner saved meanwhile is shown next to what was typed, and neither is lost unasked', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/settings')
  await screen.findByRole('form', { name: 'Your business (required by law)' })
  setValue('Company number', '01234567')
  const other = world.signIn(world.addOwner())
  const theirs = { method: 'PUT', body: { version: 0, SELLER_COMPANY_NUMBER: '76543210' } }
  expect((await other('/api/admin/setting-groups/seller', theirs)).status).toBe(200)
  const form = within(screen.getByRole('form', { name: 'Your business (required by law)' }))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByRole('row', { name: 'Company number 01234567 76543210' })
  press('Save mine')
  await screen.findByText('It’s on the site once the business has its name.')
  expect(contentOf(world.ctx).read().site.disclosure).toBe('Company number 01234567')
  fireEvent.change(screen.getByLabelText('Private customers can join'), { target: { value: 'yes' } })
  const consumers = within(screen.getByRole('form', { name: 'Who can join' }))
  fireEvent.click(consumers.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(siteSettings(world.ctx).sellsToConsumers).toBe(true))
})
