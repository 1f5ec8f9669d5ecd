import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueLink } from '#api/features/accounts/login/link-service.ts'
import { addWithPassword } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('AUTH-3 AUTH-4 EMSG-3 after asking for a link the page says to look, and goes back for another address', async () => {
  await browser.open('/forgot-password')
  await screen.findByLabelText('Email')
  type('Email', 'danny@alliance.test')
  press('Send the link')
  await screen.findByRole('heading', { name: 'CHECK YOUR EMAIL' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('CHECK YOUR EMAIL'))
  await screen.findByText('Reset Email Sent')
  expect(screen.getByText('danny@alliance.test')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login')
  press('Try Different Email')
  expect(await screen.findByLabelText('Email')).toHaveProperty('value', '')
})

test('AUTH-7 EMSG-4 a link that could not be asked for says so', async () => {
  await browser.open('/forgot-password')
  await screen.findByLabelText('Email')
  type('Email', 'danny')
  press('Send the link')
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy()
  type('Email', 'danny@alliance.test')
  browser.network.next({ status: 502, body: 'down' })
  press('Send the link')
  await screen.findByText('Error')
  expect(screen.getByText('Something went wrong. Please try again.')).toBeTruthy()
  expect(screen.getByLabelText('Email')).toHaveProperty('value', 'danny@alliance.test')
})

test('AUTH-5 without a token the link is invalid', async () => {
  await browser.open('/reset-password')
  await screen.findByRole('heading', { name: 'INVALID RESET LINK' })
  expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/forgot-password')
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
})

test('AUTH-5 a dead link leads someone who’s logged in here to the members’ area, and its button doesn’t change under a finger', async () => {
  browser.signIn(world.addMember())
  browser.setDelivery('/api/auth/user', 'hold')
  await browser.open('/reset-password?token=used-up')
  const button = await screen.findByRole('link', { name: 'Request a new link' })
  await waitFor(() => expect(browser.network.held).toHaveLength(1))
  browser.network.held[0]?.()
  const way = await screen.findByRole('link', { name: 'Go to the members’ area' })
  expect(way.getAttribute('href')).toBe('/members')
  expect([button.isConnected, button.textContent]).toEqual([true, 'Request a new link'])
})

test('AUTH-6 AUTH-8 EMSG-5 a link survives reloads, sets a password of 8 characters or more, and leaves the address then', async () => {
  const { email } = addWithPassword(world)
  const { token } = issueLink(world.ctx, email, 'password')
  const link = `/reset-password?token=${token}`
  await browser.open(link)
  await screen.findByLabelText('New password')
  const page = await browser.open(link)
  await screen.findByLabelText('New password')
  expect(page.address()).toBe(link)
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(token)
  type('New password', 'seven77')
  press('Save the password')
  expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
  type('New password', 'a much longer one')
  press('Save the password')
  await screen.findByRole('heading', { name: 'Password Reset Successful' })
  expect(screen.getByRole('link', { name: 'Go to Login' }).getAttribute('href')).toBe('/login')
  await waitFor(() => expect(page.address()).toBe('/reset-password'))
})

test('a first password is set under the account’s own address, and lets the member straight in', async () => {
  const { email } = world.addMember()
  const page = await browser.open(`/reset-password?token=${issueLink(world.ctx, email, 'password').token}`)
  await screen.findByRole('heading', { name: 'Set your password' })
  expect(screen.getByLabelText('Email')).toHaveProperty('value', email)
  expect(screen.queryByText('You’ll be logged out on every other device.')).toBeNull()
  type('New password', 'a much longer one')
  press('Save the password')
  await waitFor(() => expect(page.address()).toBe('/members'))
  await screen.findByText('Password set')
})

test('AUTH-5 a link that works no more shows no form', async () => {
  await browser.open('/reset-password?token=used-up')
  await screen.findByRole('heading', { name: 'INVALID RESET LINK' })
  expect(screen.queryByLabelText('New password')).toBeNull()
})

test('EMSG-6 a link that is used up meanwhile says so, and the way to a new one stays', {
  tags: ['full'],
}, async () => {
  const { email } = world.addMember()
  await browser.open(`/reset-password?token=${issueLink(world.ctx, email, 'password').token}`)
  await screen.findByLabelText('New password')
  issueLink(world.ctx, email, 'password')
  type('New password', 'a much longer one')
  press('Save the password')
  await screen.findByText('Reset Failed')
  expect(screen.getByText('Invalid or expired reset token.')).toBeTruthy()
  await screen.findByRole('heading', { name: 'INVALID RESET LINK' })
  expect(screen.getByRole('link', { name: 'Request a new link' })).toBeTruthy()
})
