import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asker } from '#api/testing/questions.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(async () => {
  await browser.close()
  vi.useRealTimers()
})

const saved = 'Saved on this phone. We’ll send it when you have signal.'
const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByLabelText(new RegExp(`^${label}`)), { target: { value } })
const logout = async () => fireEvent.click(await screen.findByRole('link', { name: 'Logout' }))
const messages = () =>
  world.ctx.sqlite
    .prepare<[], { message: string }>('select message from contacts')
    .all()
    .map((row) => row.message)

async function leaveMessage(text: string) {
  await type('Name', 'Danny Marsh')
  await type('Email', 'danny@example.com')
  await type('Message', text)
  browser.setDelivery('/api/contact', 'lose-request')
  fireEvent.click(screen.getByRole('button', { name: 'Send message' }))
  await screen.findByText(saved)
}

async function readEverythingStored() {
  const rows: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await settle(indexedDB.open(name))
    for (const table of database.objectStoreNames)
      rows.push(await settle(database.transaction(table).objectStore(table).getAll()))
    database.close()
  }
  return JSON.stringify([rows, { ...localStorage }])
}
const settle = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

test('MEMB-10 a logout sends what waits', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember())
  await browser.open('/contact')
  await leaveMessage('Goes with the logout')
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  browser.setDelivery('/api/contact', 'deliver')
  await logout()
  await screen.findByText('Logged out')
  expect(messages()).toEqual(['Goes with the logout'])
  expect(await readEverythingStored()).not.toMatch(/danny/i)
})

test('MEMB-10 without signal the person is warned first, may stay logged in, and leaves nothing behind after logging out', async () => {
  browser.signIn(world.addMember())
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  await browser.open('/contact')
  await type('Trade', 'Roofer')
  browser.setSignal(false)
  await leaveMessage('Cannot go')
  await browser.open('/members')
  await logout()
  await screen.findByText('One form hasn’t been sent yet')
  fireEvent.click(await screen.findByRole('button', { name: 'Stay logged in' }))
  await waitFor(() => expect(screen.queryByText('One form hasn’t been sent yet')).toBeNull())
  expect(await readEverythingStored()).toContain('Cannot go')
  await logout()
  fireEvent.click(await screen.findByRole('button', { name: 'Log out and delete' }))
  await screen.findByText('Logged out')
  expect(await readEverythingStored()).not.toMatch(/danny|cannot go/i)
  browser.setSignal(true)
  await waitFor(() => expect(browser.cookie).toBeNull())
  expect(messages()).toEqual([])
})

test('what is written after a logout that has not reached the server yet is kept, and sent', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember())
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  browser.setSignal(false)
  await logout()
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  await screen.findByText('Logged out')
  localStorage.setItem('draft:contact', JSON.stringify({ savedAt: Date.now() + 1, value: { typed: { name: 'Sam' } } }))
  await browser.open('/members')
  await screen.findByText('No signal')
  expect(localStorage.getItem('draft:contact')).toContain('Sam')
})

async function leaveMuch() {
  browser.signIn(world.addMember())
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  await browser.open('/coaching-application')
  await type('Goals', 'Danny’s Fridays off')
  await browser.open('/contact')
  await leaveMessage('Cannot go')
  expect(await readEverythingStored()).toMatch(/Cannot go.*Fridays/)
}

test('MEMB-10 a logout leaves nothing, though the clock was put back since it was written', {
  tags: ['full'],
}, async () => {
  await leaveMuch()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 3_600_000 })
  await browser.open('/members')
  await logout()
  fireEvent.click(await screen.findByRole('button', { name: 'Log out and delete' }))
  await screen.findByText('Logged out')
  expect(await readEverythingStored()).not.toMatch(/danny|cannot go/i)
})

test.each([0, 3])(
  'a login over an ended session finds nothing of it; clock %i hours back',
  { tags: ['full'] },
  async (hours) => {
    await leaveMuch()
    const tries = () => browser.network.sent.filter(({ path }) => path === '/api/contact').length
    const before = tries()
    if (hours > 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - hours * 3_600_000 })
    browser.signIn(world.addMember({ email: 'other@example.com' }))
    await browser.open('/members')
    await waitFor(async () => expect(await readEverythingStored()).not.toMatch(/danny@|cannot go|fridays/i))
    expect(tries()).toBeGreaterThan(before)
    expect(messages()).toEqual([])
  },
)

test('V7.4.4 MEMB-10 every page behind the login has its way out, which leaves nothing of who was there', {
  tags: ['full'],
}, async () => {
  const [video] = world.addVideos()
  const member = world.addMember({ firstName: 'Danny' })
  const owner = world.addOwner()
  const own = ['', '/sign-in', '/devices', '/activity', '/data', '/mails', '/storage', '/sync', '/calls']
  const places = [...own, `/videos/${video?.slug}`].map((place) => [member, `/members${place}`] as const)
  const offices = ['/admin', '/admin/jobs', `/admin/members/${member.id}`, `/view-member/${member.id}`]
  for (const [person, path] of [...places, ...offices.map((office) => [owner, office] as const)]) {
    browser.signIn(person)
    const page = await browser.open(path)
    const press = await screen.findByText('Logout', { selector: 'a, button, button *' })
    await waitFor(() => expect([path, document.querySelector('main .skeleton')]).toEqual([path, null]))
    fireEvent.click(press)
    await screen.findByText('Logged out')
    await waitFor(() => expect([path, page.address(), browser.cookie]).toEqual([path, '/', null]))
    await waitFor(async () =>
      expect([path, (await indexedDB.databases()).map(({ name }) => name)]).toEqual([path, ['alliance-device']]),
    )
  }
})

test('a logout counts what waits by what it is: a withdrawal is no question', async () => {
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members/ask')
  fireEvent.change(await screen.findByLabelText(/What’s your question/), { target: { value: 'Never mind' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findAllByText('Sent')
  browser.setSignal(false)
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw this question' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw it' }))
  await screen.findByText('You’ve withdrawn this question')
  await logout()
  await screen.findByText('Your coach can still see a question you withdrew')
  screen.getByText(/If you log out now, your coach keeps what you withdrew\./)
  fireEvent.click(await screen.findByRole('button', { name: 'Stay logged in' }))
  await browser.open('/members/ask')
  fireEvent.change(await screen.findByLabelText(/What’s your question/), { target: { value: 'Another' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Saved on this phone')
  await logout()
  await screen.findByText('2 things for your coach haven’t been sent yet')
  fireEvent.click(screen.getByRole('button', { name: 'Send “Another”' }))
  await screen.findByText('It didn’t go. Try again once you’ve got signal, or delete it.')
  const gone = screen.getByRole('button', { name: 'Delete “Another”' })
  gone.focus()
  fireEvent.click(gone)
  await screen.findByText('Your coach can still see a question you withdrew')
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Send: You withdrew “Never mind”.'),
  )
})

test('a question above the tier’s number, sent from the logout, says on which day it goes', async () => {
  const member = world.addMember({ tier: 'lite' })
  world.ctx.sqlite.exec('update membership_tiers set questionsPerMonth = 1')
  await asker(world, member).ask()
  browser.signIn(member)
  await browser.open('/members/ask')
  fireEvent.change(await screen.findByLabelText(/What’s your question/), { target: { value: 'The second' } })
  await logout()
  fireEvent.click(await screen.findByRole('button', { name: 'Send “The second”' }))
  await screen.findByText(/^We’ll send it on \d+ \w+ \d{4} if you stay logged in\.$/)
})
