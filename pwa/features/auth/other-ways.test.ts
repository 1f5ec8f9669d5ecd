import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})
afterEach(() => browser.close())

const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const mailedCode = () =>
  /\b\d{6}\b/.exec(world.ctx.sqlite.prepare<[], string>('select text from mail_outbox').pluck().get() ?? '')?.[0] ?? ''

test('V6.6.2 a code by mail is typed where it was asked for; what was typed above is there already', async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com', accessOverride: 'granted' })
  await browser.open('/login')
  await type('Email', danny.email)
  await press('Email me a code')
  expect(await screen.findByLabelText('Send it to')).toHaveProperty('value', danny.email)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Send it to')))
  browser.setSignal(false)
  await press('Send the code')
  await screen.findByText(/^No signal/)
  browser.setSignal(true)
  await press('Send the code')
  const field = await screen.findByLabelText('Code from the email')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.getAttribute('autocomplete')).toBe('one-time-code')
  await type('Code from the email', mailedCode() === '000000' ? '000001' : '000000')
  await press('Log in with the code')
  await screen.findByText(/That code’s wrong or too old/)
  await type('Code from the email', mailedCode())
  await press('Log in with the code')
  await screen.findByText('Welcome back!')
  expect((await world.call('/api/auth/user', { headers: { cookie: browser.cookie ?? '' } })).status).toBe(200)
})

test('whose phone ends the app on the way to the mailbox finds the field for the code again, until they are in', async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com', accessOverride: 'granted' })
  await browser.open('/login')
  await press('Email me a code')
  await type('Send it to', danny.email)
  await press('Send the code')
  await screen.findByLabelText('Code from the email')
  await browser.open('/login')
  await type('Code from the email', mailedCode())
  await press('Log in with the code')
  await screen.findByText('Welcome back!')
  browser.cookie = null
  await browser.open('/login')
  await screen.findByRole('button', { name: 'Email me a code' })
})

test('the first code to a mailbox says that a password which may be a stranger’s was removed', async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com', emailProvenAt: null, accessOverride: 'granted' })
  await browser.open('/login')
  await press('Email me a code')
  await type('Send it to', danny.email)
  await press('Send the code')
  await screen.findByLabelText('Code from the email')
  await type('Code from the email', mailedCode())
  await press('Log in with the code')
  await screen.findByText(/You’re in\. To be safe we’ve removed the old password.*Set a new password under Profile/)
  const user = await world.call('/api/auth/user', { headers: { cookie: browser.cookie ?? '' } })
  expect(await user.json()).toMatchObject({ email: danny.email, hasPassword: false })
})

test('V6.3.3 an owner with a second factor is asked for its code after the password, beside what was typed', async () => {
  const olive = addWithPassword(world, { email: 'olive@example.com', isAdmin: true })
  const call = world.signIn(olive)
  const { secret } = await (await call('/api/admin/second-factor', { method: 'POST' })).json()
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (aside: number) => app.generate({ timestamp: world.ctx.now().getTime() + aside * 30_000 })
  await call('/api/admin/second-factor/confirm', { body: { code: code(0) } })
  await browser.open('/login?redirect=/admin')
  await type('Email', olive.email)
  await type('Password', password)
  await press('Log in')
  const field = await screen.findByLabelText('Code')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(screen.queryByText('Login failed')).toBeNull()
  await type('Code', code(0))
  await press('Log in')
  await screen.findByText('Login failed')
  await type('Code', code(1))
  await press('Log in')
  await screen.findByText('Welcome back!')
})

const apps: [name: string, be: () => void][] = [
  ['the app on the home screen', () => Object.assign(navigator, { standalone: true })],
  [
    'Instagram’s browser',
    () => {
      const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Mobile/15E148 Instagram 300.0.0.18.110'
      vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    },
  ],
]

test.each(apps)('AUTH-3 in %s a code comes before what’s emailed as a link, and says why', async (_name, be) => {
  const reason = /^A link in an email would open your browser/
  await browser.open('/login')
  await screen.findByRole('button', { name: 'Email me a code' })
  expect(screen.queryByText(reason)).toBeNull()
  be()
  const page = await browser.open('/login')
  const code = await screen.findByRole('button', { name: 'Email me a code' })
  const forgotten = screen.getByRole('link', { name: 'Forgot your password?' })
  expect(code.compareDocumentPosition(forgotten)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  screen.getByText(reason)
  await page.go('/forgot-password')
  const instead = await screen.findByRole('link', { name: 'Email me a code' })
  screen.getByText(reason)
  const send = screen.getByRole('button', { name: 'Send the link' })
  expect(instead.compareDocumentPosition(send)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  fireEvent.click(instead)
  await screen.findByLabelText('Send it to')
  Reflect.deleteProperty(navigator, 'standalone')
  vi.restoreAllMocks()
})
