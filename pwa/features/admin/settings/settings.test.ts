import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { audit } from '#api/audit.ts'
import { contentOf } from '#api/features/content/service.ts'
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

test('another browser is signed out, and a token is made once the password is given again, shown once and revoked', async () => {
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
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-06-11' } })
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

test('a setting is changed, a locked one is shown as locked, a wrong one is told at its field, and the password is asked for again', async () => {
  world.ctx.settings.site.COMMUNITY_URL = 'https://community.example'
  await browser.open('/admin/addresses')
  const table = within(await screen.findByRole('table', { name: 'Community and networks' }))
  expect(table.getByText('Set on the server')).toBeTruthy()
  fireEvent.click(table.getByRole('button', { name: 'Edit: Facebook' }))
  const form = within(screen.getByRole('form', { name: 'Facebook' }))
  const type = (value: string) => fireEvent.change(form.getByLabelText('Facebook'), { target: { value } })
  type('nowhere')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText(/must start with http:\/\/ or https:\/\//)
  type('https://facebook.example/us')
  world.forward(11 * 60_000)
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  const asked = within(await screen.findByRole('form', { name: 'Your password' }))
  fireEvent.change(asked.getByLabelText(/Your password/), { target: { value: password } })
  press('Carry on')
  await table.findByText('https://facebook.example/us')
})

test('who the firm is, is set here, and the site says it', async () => {
  await browser.open('/admin/settings')
  const table = within(await screen.findByRole('table', { name: 'Your business (required by law)' }))
  fireEvent.click(table.getByRole('button', { name: 'Edit: Company number' }))
  const form = within(screen.getByRole('form', { name: 'Company number' }))
  fireEvent.change(form.getByLabelText('Company number'), { target: { value: '01234567' } })
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await table.findByText('01234567')
  expect(contentOf(world.ctx).read().site.disclosure).toBe('Company number 01234567')
})
