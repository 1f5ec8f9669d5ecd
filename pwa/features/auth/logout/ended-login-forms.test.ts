// @module-tag full
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { createFormQueue } from '#pwa/sync/forms/queue.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let danny: TestPerson

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  danny = world.addMember({ email: 'danny@example.com' })
})
afterEach(() => browser.close())

const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByLabelText(new RegExp(`^${label}`)), { target: { value } })
const messages = () =>
  world.ctx.sqlite
    .prepare<[], { message: string }>('select message from contacts')
    .all()
    .map((row) => row.message)

async function readForms(): Promise<string> {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'alliance-forms')) return '[]'
  const database = await settle(indexedDB.open('alliance-forms'))
  const rows = await settle(database.transaction('entries').objectStore('entries').getAll())
  database.close()
  return JSON.stringify(rows)
}
const settle = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function logIn(person: TestPerson) {
  browser.signIn(person)
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
}

async function writeMessage(name: string, message: string, answer = ourError(503, 'busy')) {
  await type('Name', name)
  await type('Email', 'tradesman@example.com')
  await type('Message', message)
  browser.setDelivery('/api/contact', answer)
  fireEvent.click(screen.getByRole('button', { name: 'Send message' }))
}

/** Every waiting form offers this. */
async function writeAnother() {
  const [first] = await screen.findAllByRole('button', { name: 'Write another' })
  fireEvent.click(first ?? document.body)
}

/** A member's message the server couldn't take so far. */
async function leaveMessage() {
  await logIn(danny)
  await browser.open('/contact')
  await writeMessage('Danny Marsh', 'Waits for the site')
  await screen.findByText(/We’re busy right now/)
}

/** Waits for the page's message about the form, because closing the page half-way through reading it would report an error. */
async function openWithToast(path: string, toast: string | RegExp = '1 form waiting to send') {
  await browser.open(path)
  await screen.findByText(toast)
}

async function revokeLogin() {
  const answer = await world.signIn(danny)('/api/user/sessions/revoke', { body: { others: true } })
  expect(answer.status).toBe(200)
}

/** A login waits for the pending logout, but setting a cookie by hand doesn't. */
const logoutIsDone = () => waitFor(() => expect(localStorage.getItem('logout-owed')).toBeNull())
/** The last request a logout makes. */
const logoutIsTried = () =>
  waitFor(() => expect(browser.network.sent.map(({ path }) => path)).toContain('/api/auth/logout'))

async function endLoginElsewhere(toast?: RegExp) {
  await revokeLogin()
  await openWithToast('/members', toast)
  await screen.findByRole('heading', { name: 'You’re logged out' })
  await logoutIsDone()
}

/** The next person's own message, which is waiting; `before` runs once the page is open. */
async function leaveNextMessage(before = () => {}) {
  await browser.open('/contact')
  before()
  await writeMessage('Sam Field', 'Sam’s own message')
  await screen.findByText(/We’re busy right now/)
}

async function logInNext() {
  await logIn(world.addMember({ email: 'sam@example.com' }))
  await waitFor(() => expect(localStorage.getItem('forms-left')).toBeNull())
}

test('a login ended from elsewhere leaves a form that waits, says so, and the form is sent without a login', async () => {
  await leaveMessage()
  await openWithToast('/coaching-application')
  await type('Goals', 'Fridays off')
  await endLoginElsewhere()
  expect(screen.getByRole('main').textContent).toContain('We’ll send your form when you’re back in range')
  expect(await readForms()).toContain('Waits for the site')
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/fridays|marsh/i)
  browser.setDelivery('/api/contact', 'deliver')
  await openWithToast('/about', /^Your message from .* was sent$/)
  expect([messages(), await readForms()]).toEqual([['Waits for the site'], '[]'])
})

test('while the server has not heard of that logout, the steps that run again leave the form as well', async () => {
  await leaveMessage()
  browser.setDelivery('/api/auth/logout', 'lose-request')
  await revokeLogin()
  await openWithToast('/members')
  await logoutIsTried()
  browser.setDelivery('/api/auth/logout', 'deliver')
  await openWithToast('/members')
  await waitFor(() => expect(browser.cookie).toBeNull())
  await waitFor(() => expect(localStorage.getItem('logout-owed')).toBeNull())
  expect(await readForms()).toContain('Waits for the site')
})

test('the form goes on waiting when the same member logs in again', async () => {
  await leaveMessage()
  await endLoginElsewhere()
  browser.signIn(danny)
  await openWithToast('/members')
  await screen.findByRole('link', { name: 'Logout' })
  expect(await readForms()).toContain('Waits for the site')
})

test('somebody else who logs in then finds nothing of it, after one more try to send it', async () => {
  await leaveMessage()
  await endLoginElsewhere()
  await openWithToast('/contact')
  await writeAnother()
  await writeMessage('Sam Field', 'Sam’s own message')
  await waitFor(() => expect(screen.getAllByText(/We’re busy right now/)).toHaveLength(2))
  const tries = () => browser.network.sent.filter(({ path }) => path === '/api/contact').length
  const before = tries()
  await logInNext()
  await waitFor(async () => expect(await readForms()).not.toContain('Waits for the site'))
  expect(await readForms()).toContain('own message')
  expect(tries()).toBeGreaterThan(before)
})

test('a form that was not accepted goes with the ended login, and the page says so', async () => {
  await leaveMessage()
  browser.setDelivery('/api/contact', ourError(422, 'invalid'))
  await openWithToast('/about', /^We couldn’t accept/)
  await endLoginElsewhere(/^We couldn’t accept/)
  expect(screen.getByRole('main').textContent).toContain('We couldn’t accept 1 form, so we’ve deleted it')
  expect(await readForms()).toBe('[]')
})

test.each(['/about', '/contact'])('one that is refused only after that is deleted, and %s says so', async (path) => {
  await leaveMessage()
  await endLoginElsewhere()
  browser.setDelivery('/api/contact', ourError(422, 'invalid'))
  await openWithToast(path, 'We couldn’t accept your message')
  await waitFor(async () => expect(await readForms()).toBe('[]'))
  await screen.findByText('Whoever wrote it has logged out, so we’ve deleted it from this phone.')
  expect(screen.queryByRole('link', { name: 'Fix it' })).toBeNull()
  expect(screen.queryByDisplayValue('Waits for the site')).toBeNull()
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/waits|marsh/i)
})

test('where several are refused, one message names all that are deleted, and the next person’s own stays', async () => {
  await leaveMessage()
  await writeAnother()
  await writeMessage('Danny Marsh', 'Waits as well')
  await waitFor(() => expect(screen.getAllByText(/We’re busy right now/)).toHaveLength(2))
  await endLoginElsewhere(/^2 forms waiting/)
  const page = await browser.open('/contact')
  await writeAnother()
  await writeMessage('Sam Field', 'Sam’s own message')
  await waitFor(() => expect(screen.getAllByText(/We’re busy right now/)).toHaveLength(3))
  await page.close()
  browser.setDelivery('/api/contact', ourError(422, 'invalid'))
  // Like a tab that's closed before it can show anything.
  const queue = createFormQueue(createBrowserPlatform())
  await queue.flush()
  queue.stop()
  await openWithToast('/about', 'We couldn’t accept 2 forms')
  await waitFor(async () => expect(JSON.parse(await readForms())).toHaveLength(1))
  expect(await readForms()).toContain('own message')
  screen.getByText('Whoever wrote them has logged out, so we’ve deleted them from this phone.')
  await openWithToast('/membership-tiers', 'We couldn’t accept your message')
  screen.getByRole('link', { name: 'Fix it' })
})

test('one that is refused while its own page still awaits the answer leaves no draft either', async () => {
  await logIn(danny)
  const page = await browser.open('/contact')
  const answer = Promise.withResolvers<void>()
  const { fetch } = browser.network
  browser.network.fetch = async (path, init) => {
    const response = await fetch(path, init)
    if (path === '/api/contact') await answer.promise
    return response
  }
  await writeMessage('Danny Marsh', 'Waits for the site', ourError(422, 'invalid'))
  await waitFor(() => expect(browser.network.sent.map(({ path }) => path)).toContain('/api/contact'))
  await revokeLogin()
  await page.go('/members')
  await screen.findByRole('heading', { name: 'You’re logged out' })
  await logoutIsDone()
  expect(await readForms()).toContain('Waits for the site')
  answer.resolve()
  await waitFor(async () => expect(await readForms()).toBe('[]'))
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/waits|marsh/i)
})

test('while it waits, nobody who opens /contact can have it in the form; it can be sent or deleted', async () => {
  await leaveMessage()
  await endLoginElsewhere()
  await openWithToast('/contact')
  for (const name of ['Send now', 'Write another', 'Delete']) await screen.findByRole('button', { name })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('nor in a tab that was open before, which hears of the ended login a little later', async () => {
  await leaveMessage()
  const change = screen.getByRole('button', { name: 'Edit' })
  const [{ id }] = JSON.parse(await readForms())
  // As another tab does after ending the login.
  localStorage.removeItem('draft:contact')
  localStorage.setItem('forms-left', JSON.stringify({ memberId: danny.id, ids: [id] }))
  fireEvent.click(change)
  await screen.findByText(/We’re busy right now/)
  fireEvent(window, new StorageEvent('storage', { key: 'forms-left' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull())
  expect(await readForms()).toContain('Waits for the site')
  expect(screen.queryByText(/^You’ve started another/)).toBeNull()
  expect(screen.queryByDisplayValue('Waits for the site')).toBeNull()
  expect(localStorage.getItem('draft:contact')).toBeNull()
})

test('where no form waited, the next person’s own message is theirs, also once they log in', async () => {
  await logIn(danny)
  await revokeLogin()
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'You’re logged out' })
  await logoutIsDone()
  await leaveNextMessage()
  await logInNext()
  expect(await readForms()).toContain('own message')
})

test.each([
  ['the page lived on', () => {}],
  [
    'the page died before it had read what waits',
    () => localStorage.setItem('forms-left', JSON.stringify({ memberId: danny.id, ids: null })),
  ],
])('so it is while the server has not heard of that logout and its steps run again: %s', async (_case, before) => {
  await logIn(danny)
  browser.setDelivery('/api/auth/logout', 'lose-request')
  await revokeLogin()
  await browser.open('/members')
  await logoutIsTried()
  await leaveNextMessage(before)
  browser.setDelivery('/api/auth/logout', 'deliver')
  await openWithToast('/about')
  await logoutIsDone()
  await logInNext()
  expect(await readForms()).toContain('own message')
})
