import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { issueLink } from '#api/features/accounts/login/link-service.ts'
import { addWithPassword, password, quickHash } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Log in' }))

test('AUTH-1 EMSG-44 EMSG-45 the form says under each field what is wrong with it, and sends nothing', async () => {
  await browser.open('/login')
  await screen.findByLabelText('Email')
  type('Email', 'danny@')
  type('Password', '12345')
  submit()
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy()
  expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true')
  expect(browser.network.sent.map(({ path }) => path)).not.toContain('/api/auth/login')
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe('/forgot-password')
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
})

test('V6.2.6 V6.2.7 a password is hidden until it is asked to show, named for password managers, and may be pasted', async () => {
  const { token } = issueLink(world.ctx, world.addMember().email, 'password')
  for (const [path, label, name] of [
    ['/login', 'Password', 'current-password'],
    [`/reset-password?token=${token}`, 'New password', 'new-password'],
  ] as const) {
    await browser.open(path)
    const field = await screen.findByLabelText<HTMLInputElement>(label)
    expect([field.type, field.autocomplete, field.readOnly, field.maxLength]).toEqual(['password', name, false, -1])
    // False if a page prevents it.
    expect(fireEvent.paste(field, { clipboardData: { getData: () => 'tape-and-level-42' } })).toBe(true)
    fireEvent.click(screen.getByLabelText('Show password'))
    expect(field.type).toBe('text')
    fireEvent.click(screen.getByLabelText('Show password'))
    expect(field.type).toBe('password')
  }
  for (const field of document.querySelectorAll('form')) expect(field.autocomplete).not.toBe('off')
})

test('EMSG-1 a failed login says why and keeps what was typed', async () => {
  await browser.open('/login')
  await screen.findByLabelText('Email')
  type('Email', 'nobody@alliance.test')
  type('Password', 'a wrong one')
  submit()
  await screen.findByText('Login failed')
  expect(screen.getByText(/That email and password don’t match/)).toBeTruthy()
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'nobody@alliance.test')
  browser.setDelivery('/api/auth/login', { status: 500, body: 'down' })
  submit()
  await screen.findByText('Please check your credentials and try again.')
})

test('AUTH-1 after too many tries the sentence stays, and the reset link with it', { tags: ['full'] }, async () => {
  await browser.open('/login')
  await screen.findByLabelText('Email')
  type('Email', 'danny@alliance.test')
  type('Password', 'a wrong one')
  browser.setDelivery('/api/auth/login', ourError(429, 'rate_limited'))
  submit()
  await screen.findByText('Too many attempts')
  expect(screen.getAllByText('Refused: rate_limited.').length).toBeGreaterThan(0)
  expect(screen.getByRole('link', { name: 'Forgot your password?' })).toBeTruthy()
})

test('AUTH-2 EMSG-2 a login greets, then goes to the members area, whatever another site asked for', async () => {
  world.addMember({ email: 'danny@alliance.test', passwordHash: quickHash })
  const page = await browser.open('/login?redirect=//elsewhere.example/members')
  await screen.findByLabelText('Email')
  type('Email', 'danny@alliance.test')
  type('Password', password)
  useSlowTimers(['setTimeout', 'clearTimeout'])
  try {
    submit()
    await screen.findByText('Welcome back!')
    expect(screen.getByText('Redirecting to your members area...')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(page.address()).toContain('/login')
    await act(() => vi.advanceTimersByTimeAsync(500))
    expect(page.address()).toBe('/members')
  } finally {
    vi.useRealTimers()
  }
  await screen.findByRole('heading', { level: 1, name: 'DANNY' })
})

test('an owner who was in the admin last is led back there, unless they came for another page', {
  tags: ['full'],
}, async () => {
  const owner = addWithPassword(world, { email: 'olive@alliance.test', firstName: 'Olive', isAdmin: true })
  browser.signIn(owner)
  await browser.open('/admin')
  await screen.findByRole('heading', { level: 1, name: 'Today' })
  const logIn = async (path: string) => {
    browser.cookie = null
    const page = await browser.open(path)
    await screen.findByLabelText('Email')
    type('Email', owner.email)
    type('Password', password)
    submit()
    await screen.findByText('Welcome back!')
    return page
  }
  const back = await logIn('/login')
  await waitFor(() => expect(back.address()).toBe('/admin'), { timeout: 3_000 })
  const billing = await logIn('/login?redirect=/members?tab=billing')
  await waitFor(() => expect(billing.address()).toBe('/members?tab=billing'), { timeout: 3_000 })
  await screen.findByRole('heading', { level: 1, name: 'OLIVE' })
  const lastInAdmin = world.ctx.sqlite.prepare('select lastInAdmin from users where id = ?').pluck()
  await waitFor(() => expect(lastInAdmin.get(owner.id)).toBe(0))
})

test('AUTH-1 who is logged in never sees the login: it leads to where they were going', async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'PRIYA' })
  const page = await browser.open('/login?redirect=/members?tab=billing')
  await waitFor(() => expect(page.address()).toBe('/members?tab=billing'))
})

test('who is logged in on this device is led on without signal too', async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'PRIYA' })
  browser.setSignal(false)
  const page = await browser.open('/login')
  await waitFor(() => expect(page.address()).toBe('/members'))
  await screen.findByRole('heading', { name: 'PRIYA' })
})

test('a session that has ended shows the login', async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'PRIYA' })
  await screen.findByText('videos available')
  browser.cookie = null
  const page = await browser.open('/login')
  await screen.findByLabelText('Email')
  expect(page.address()).toBe('/login')
  await waitFor(() => expect(browser.network.sent.at(-1)?.path).toBe('/api/auth/user'))
})

test('AUTH-1 a browser that kept its cookie and lost its storage is led on too; a visitor is asked about once', {
  tags: ['full'],
}, async () => {
  const visited = await browser.open('/login')
  await screen.findByLabelText('Email')
  const asked = () => browser.network.sent.filter(({ path }) => path === '/api/auth/user').length
  await waitFor(() => expect(asked()).toBe(1))
  expect(visited.address()).toBe('/login')
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  const page = await browser.open('/login?redirect=/members?tab=billing')
  await waitFor(() => expect(page.address()).toBe('/members?tab=billing'))
})
