import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { questionMessages, questions } from '#api/db/schema/questions.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let owner: TestPerson
let sam: TestPerson
let id: string

beforeEach(async () => {
  world = startWorld({ startsAt: new Date() })
  browser = createBrowser(world)
  owner = world.addOwner()
  sam = world.addMember({ firstName: 'Sam', lastName: 'Field', email: 'sam@example.com' })
  id = world.ctx.newId()
  const at = world.ctx.now().toISOString()
  const times = { askedAt: at, countedAt: at, receivedAt: at, waitsSince: at, updatedAt: at }
  insertRow(world.ctx, questions, { id, userId: sam.id, origin: 'header', ...times })
  insertRow(world.ctx, questionMessages, { id, questionId: id, author: 'member', text: 'Why?', at, receivedAt: at })
  browser.signIn(owner)
  await open()
  fireEvent.change(await screen.findByLabelText('Your answer'), { target: { value: 'Bleed it first.' } })
  await waitFor(() => expect(JSON.stringify({ ...localStorage })).toContain('Bleed it first.'))
})
afterEach(() => browser.close())

const open = () => browser.open(`/admin/questions?entry=${id}`)
const answerOf = async () => (await screen.findByLabelText<HTMLTextAreaElement>('Your answer')).value
const isStored = () => JSON.stringify({ ...localStorage }).includes('Bleed')

async function endLoginElsewhere() {
  const answer = await world.signIn(owner)('/api/user/sessions/revoke', { body: { others: true } })
  expect(answer.status).toBe(200)
  await open()
  await screen.findByLabelText(/^Email/)
  await waitFor(() => expect(localStorage.getItem('logout-owed')).toBeNull())
}

test('after another device has logged this one out, its words are there again at the next login, and sealed until then', async () => {
  await endLoginElsewhere()
  await screen.findByText(/What you hadn’t saved is safe on this device. It’s there again after you log in./)
  expect(isStored()).toBe(false)
  browser.signIn(owner)
  await open()
  expect(await answerOf()).toBe('Bleed it first.')
})

test('who logs in meanwhile doesn’t get them, nor lose them', async () => {
  await endLoginElsewhere()
  browser.signIn(sam)
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  expect(isStored()).toBe(false)
  fireEvent.click(screen.getByRole('link', { name: 'Logout' }))
  await screen.findByText('Logged out')
  browser.signIn(owner)
  await open()
  expect(await answerOf()).toBe('Bleed it first.')
})

test('where they can’t be sealed in time they go, and the login says so', async () => {
  const encrypt = vi.spyOn(crypto.subtle, 'encrypt').mockReturnValue(new Promise(() => {}))
  await endLoginElsewhere()
  encrypt.mockRestore()
  await screen.findByText(/We couldn’t keep what you hadn’t saved./)
  expect(isStored()).toBe(false)
  browser.signIn(owner)
  await open()
  expect(await answerOf()).toBe('')
})

test('an owner who logs in over it with words of their own keeps both', async () => {
  await endLoginElsewhere()
  const name = `owner-draft:answer:${id}`
  const typed = {
    text: 'Typed since',
    id: world.ctx.newId(),
    linkKind: '',
    link: '',
    linkTitle: '',
    voice: '',
    known: id,
  }
  localStorage.setItem(name, JSON.stringify({ savedAt: Date.now(), typed }))
  browser.signIn(owner)
  await open()
  expect(await answerOf()).toBe('Typed since')
})

test('logging out asks first, and then deletes them for good', async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  await screen.findByRole('dialog', { name: 'Something isn’t saved or sent yet' })
  fireEvent.click(await screen.findByRole('button', { name: 'Stay logged in' }))
  expect(isStored()).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Log out and delete' }))
  await screen.findByText('Logged out')
  expect(isStored()).toBe(false)
  browser.signIn(owner)
  await open()
  expect(await answerOf()).toBe('')
})

test('viewing the site as a member, and back, leaves them', async () => {
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
  const page = await browser.open('/admin/members')
  await press('View as Member')
  fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: 'A video does not play' } })
  await press('View as Sam Field')
  await screen.findByRole('heading', { name: 'SAM' })
  expect(isStored()).toBe(true)
  const [stop] = await screen.findAllByRole('button', { name: 'Stop Viewing as Member' })
  fireEvent.click(stop ?? document.body)
  await waitFor(() => expect(page.address()).toMatch(/^\/admin/))
  await open()
  expect(await answerOf()).toBe('Bleed it first.')
})
