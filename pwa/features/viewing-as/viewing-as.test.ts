import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let member: TestPerson
beforeEach(() => {
  world = startWorld({ startsAt: new Date() })
  world.addVideos()
  member = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const stops = () => screen.findAllByRole('button', { name: 'Stop Viewing as Member' })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const writeReason = async () =>
  fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: 'A video does not play' } })

async function view() {
  const page = await browser.open('/admin/members')
  await press('View as Member')
  await writeReason()
  await press('View as Priya Shah')
  await waitFor(() => expect(page.address()).toBe('/members'))
  await screen.findByRole('heading', { name: 'PRIYA' })
  return page
}

async function storedText(): Promise<string> {
  const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (const table of database.objectStoreNames) {
      const rows = database.transaction(table).objectStore(table).getAll()
      await new Promise((resolve) => {
        rows.onsuccess = resolve
      })
      texts.push(JSON.stringify(rows.result))
    }
    database.close()
    texts.push(name)
  }
  return texts.join('\n')
}

test('ADMN-7 IMP-1 IMP-2 MEMB-12 members come first, who has left after them, owners never; the strip says for how long', async () => {
  world.addMember({ firstName: 'Ann', lastName: 'Able', subscription: { status: 'canceled' } })
  const page = await browser.open('/admin/members')
  await press('View as Member')
  const dialog = within(await screen.findByRole('dialog', { name: 'View as Member' }))
  await dialog.findByText('Priya Shah')
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `Priya Shah${member.email}View`,
    expect.stringMatching(/^Ann Able.+EndedView$/),
  ])
  // Without a reason too.
  await press('View as Priya Shah')
  await waitFor(() => expect(page.address()).toBe('/members'))
  fireEvent.click((await stops())[0] ?? document.body)
  await waitFor(() => expect(page.address()).toBe('/admin'))
  await browser.open('/')
  await view()
  expect((await screen.findByRole('region', { name: 'Viewing as a member' })).textContent).toContain(
    'Viewing as Priya Shah. You can look, but not change anything. 30 minutes left.',
  )
  // One in the bar, one in the menu, which may come later.
  await waitFor(async () => expect(await stops()).toHaveLength(2))
  const [tick] = await screen.findAllByRole('button', { name: /^Mark Complete/ })
  expect([tick?.hasAttribute('disabled'), tick?.title]).toEqual([
    true,
    'You’re viewing as a member, so you can’t tick anything.',
  ])
})

test('IMP-3 API-14 the strip is on every page; stopping leaves nothing of the member and opens the admin', async () => {
  const page = await view()
  expect(await storedText()).toContain(member.id)
  await page.go('/about')
  fireEvent.click((await stops())[0] ?? document.body)
  await waitFor(() => expect(page.address()).toBe('/admin'))
  await screen.findByRole('heading', { level: 1, name: 'Today' })
  expect(screen.queryByRole('region', { name: 'Viewing as a member' })).toBeNull()
  const stored = await storedText()
  for (const word of [member.id, member.email, 'Priya', 'A video does not play']) expect(stored).not.toContain(word)
})

test('EMSG-7 EMSG-8 ERR-15 a switch that fails says so, and nothing has changed', { tags: ['full'] }, async () => {
  const page = await browser.open('/admin/members')
  browser.setDelivery(`/api/admin/impersonate/${member.id}`, { status: 500, body: {} })
  await press('View as Member')
  await writeReason()
  await press('View as Priya Shah')
  await screen.findByText('Failed to switch to member view')
  expect(page.address()).toBe('/admin/members')
  browser.setDelivery(`/api/admin/impersonate/${member.id}`, 'deliver')
  await press('View as Priya Shah')
  await waitFor(() => expect(page.address()).toBe('/members'))
  browser.setDelivery('/api/admin/stop-impersonating', { status: 500, body: {} })
  fireEvent.click((await stops())[0] ?? document.body)
  await screen.findByText('Failed to switch back to admin')
  expect(page.address()).toBe('/members')
})

test('EMSG-33 without members the dialog says so', async () => {
  world.ctx.sqlite.prepare('delete from users where id = ?').run(member.id)
  await browser.open('/admin/members')
  await press('View as Member')
  await screen.findByText('No members found')
})

test('after a reload nothing of the member shows before the server has said that it still may', {
  tags: ['full'],
}, async () => {
  await view()
  browser.setSignal(false)
  await browser.open('/members')
  await screen.findByText('No signal')
  expect(screen.queryByRole('heading', { name: 'PRIYA' })).toBeNull()
})

test('IMP-3 without signal the view ends by the clock after 30 minutes, and leaves nothing of the member', {
  tags: ['full'],
}, async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() })
  try {
    const page = await view()
    browser.setSignal(false)
    act(() => void vi.advanceTimersByTime(29 * 60_000))
    await screen.findByText('1 minute left.')
    expect([page.address(), screen.queryAllByText(/PRIYA/)]).toEqual(['/members', [expect.anything()]])
    act(() => void vi.advanceTimersByTime(60_000))
    await screen.findByText('You’ll need signal for this.')
    expect([page.address(), screen.queryByRole('region', { name: 'Viewing as a member' })]).toEqual(['/admin', null])
    const stored = await storedText()
    for (const word of [member.id, member.email, 'Priya']) expect(stored).not.toContain(word)
    world.forward(30 * 60_000)
    browser.setSignal(true)
    fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
    await screen.findByRole('heading', { level: 1, name: 'Today' })
  } finally {
    vi.useRealTimers()
  }
})
