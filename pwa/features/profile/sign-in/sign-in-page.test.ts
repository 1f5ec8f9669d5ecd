import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let olive: TestPerson
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  olive = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
})
afterEach(() => browser.close())

const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByLabelText(label, { selector: 'input' }), { target: { value } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const require = () =>
  world.signIn(olive)('/api/admin/settings/OWNERS_SECOND_FACTOR', { method: 'PUT', body: { value: 'yes', version: 0 } })

test('V6.3.3 where every owner needs a second factor the admin leads to setting it up, and opens after it', {
  tags: ['full'],
}, async () => {
  await require()
  browser.signIn(olive)
  const page = await browser.open('/admin/members')
  await waitFor(() => expect(page.address()).toBe('/members/sign-in'))
  await screen.findByText('Set up two-step login to carry on')
  // Ten minutes after a login, the server asks for the password again.
  world.forward(11 * 60_000)
  await press('Set up an authenticator app')
  const again = await screen.findByLabelText(/^Your password/, { selector: 'input' })
  fireEvent.input(again, { target: { value: password } })
  await press('Carry on')
  await screen.findByRole('img', { name: 'QR code for the app' })
  const secret = document.querySelector('code')?.textContent?.replaceAll(' ', '') ?? ''
  await type('The app’s six digits', '000000')
  await press('Turn it on')
  await screen.findByText(/That’s not the right code/)
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await type('The app’s six digits', app.generate({ timestamp: world.ctx.now().getTime() }))
  await press('Turn it on')
  await screen.findByText('Write these down now')
  expect(document.querySelectorAll('ol code')).toHaveLength(10)
  await press('I’ve written them down')
  await screen.findByText(/You have 10 codes left/)
  expect(document.querySelectorAll('ol code')).toHaveLength(0)
  await press('Remove the app')
  await press('Remove the app for good')
  await screen.findByText(/Every owner needs two-step login. Set up another way first/)
  fireEvent.click(screen.getByRole('link', { name: 'Go to admin' }))
  await waitFor(() => expect(page.address()).toMatch(/^\/admin/))
  // Good news is said once, as elsewhere by a message that goes away.
  await browser.open('/members/sign-in')
  await screen.findByText(/You have 10 codes left/)
  expect(screen.queryByText('Two-step login is on')).toBeNull()
})

test('V7.5.3 the setting is changed in the admin with the password given again, and what was typed goes on', {
  tags: ['full'],
}, async () => {
  browser.signIn(olive)
  world.forward(11 * 60_000)
  await browser.open('/admin/owners')
  const choice = await screen.findByLabelText('Two-step login for every owner')
  fireEvent.change(choice, { target: { value: 'yes' } })
  await press('Save')
  const again = await screen.findByLabelText(/^Your password/, { selector: 'input' })
  fireEvent.input(again, { target: { value: password } })
  await press('Carry on')
  await screen.findByText('Saved')
  expect((await readError(await world.signIn(olive)('/api/admin/today'))).code).toBe('second_factor_unset')
})

test('a member reads how they get in; what cannot be loaded says so, and owners’ matters are not there', {
  tags: ['full'],
}, async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com', accessOverride: 'granted' })
  browser.signIn(danny)
  browser.setDelivery('/api/user/sign-in', ourError(500, 'internal'))
  await browser.open('/members/sign-in')
  await screen.findByText('We couldn’t load this.')
  browser.setDelivery('/api/user/sign-in', 'deliver')
  await press('Retry')
  await screen.findByText('No passkeys yet.')
  expect(screen.getByText(/We’ll email danny@example\.com/)).toBeTruthy()
  expect(screen.queryByText('Recovery codes')).toBeNull()
  expect(screen.queryByText(/Authenticator app/)).toBeNull()
  expect(screen.getByLabelText('Current password')).toBeTruthy()
})

test('another password says that it has withdrawn a change of email, which can be asked for again', {
  tags: ['full'],
}, async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com' })
  browser.signIn(danny)
  await browser.open('/members/sign-in')
  const change = async (from: string, to: string) => {
    await type('Current password', from)
    await type('New password', to)
    await press('Change the password')
  }
  await change(password, 'a-van-that-starts-42')
  await screen.findByText('We’ve logged out your other devices.')
  const body = { email: 'danny@marsh.example' }
  const own = world.signIn(danny)
  await own('/api/auth/proof', { body: { password: 'a-van-that-starts-42' } })
  expect((await own('/api/user/profile', { method: 'PATCH', body })).status).toBe(200)
  await change('a-van-that-starts-42', password)
  await screen.findByText(/your other devices\. We’ve cancelled your email change: make it again/)
})

test.each([
  ['InvalidStateError', 'This device already has a passkey for you.'],
  ['NotAllowedError', 'We couldn’t add a passkey. Try again, and say yes when your device asks.'],
])(
  'a device that answers %s makes no passkey, and the page says what that means',
  { tags: ['full'] },
  async (name, said) => {
    const create = () => Promise.reject(new DOMException('', name))
    vi.stubGlobal('PublicKeyCredential', class {})
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } })
    try {
      browser.signIn(addWithPassword(world, { email: 'danny@example.com' }))
      await browser.open('/members/sign-in')
      await type('Name this device', 'Van phone')
      await press('Add a passkey')
      await screen.findByText(said)
      expect(world.ctx.sqlite.prepare('select count(*) as count from passkeys').get()).toEqual({ count: 0 })
    } finally {
      vi.unstubAllGlobals()
      Reflect.deleteProperty(navigator, 'credentials')
    }
  },
)
