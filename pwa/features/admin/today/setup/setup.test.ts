import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { setupNames } from '#shared/contract/setup.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const setup = async () => within(await screen.findByRole('region', { name: 'Setup checklist' }))

test('the setup says what is left and where it is set, tries it at once, and stays folded on this device', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin')
  const first = await setup()
  fireEvent.click(first.getByRole('button', { name: 'Show checklist' }))
  expect(first.getByRole('status').textContent).toBe('10 things left. Next: Your business.')
  const open = () => [...document.querySelectorAll<HTMLElement>('.setup__list details[open] h3')]
  expect(open().map(({ textContent }) => textContent?.trim())).toEqual([expect.stringMatching(/^Your business/)])
  expect(first.getByRole('link', { name: 'Set it: Your business' }).getAttribute('href')).toBe(
    '/admin/settings?group=seller',
  )
  fireEvent.click(first.getByRole('button', { name: 'Send a test email: Email' }))
  await first.findByText(/A test email is on its way to/)
  browser.setSignal(false)
  fireEvent.click(first.getByRole('button', { name: 'Try the address: Community' }))
  await first.findByText(/No signal/)
  browser.setSignal(true)
  fireEvent.click(first.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(first.queryByText('Ready to go live?')).toBeNull())
  await browser.open('/admin')
  const again = await setup()
  expect(again.queryByText('Ready to go live?')).toBeNull()
  fireEvent.click(again.getByRole('button', { name: 'Show checklist' }))
  again.getByText('Ready to go live?')
  // In plain words with a link; the setting’s name is for the person who runs the server.
  const put = again.getByRole('link', { name: 'Fix it: Company number is not set' })
  expect(put.getAttribute('href')).toBe('/admin/settings?group=seller')
  expect(put.closest('li')?.textContent).toBe('Company number is not set. Fix it: Company number is not set')
  expect(again.getByText('SELLER_COMPANY_NUMBER').closest('details')?.open).toBe(false)
  const [coach] = again.getAllByRole('link', { name: /is a sample, so no one gets it$/ })
  expect(coach?.getAttribute('href')).toBe('/admin/words?page=site&part=coaches')
  again.getByText(/sample address .* Whoever hosts your site sets it\.$/)
  // The list leads to the entry itself, under the words the terminal has.
  fireEvent.click(await again.findByText(/^sample claim: \d+ places$/))
  again.getByText(/^Not ready to go live: \d+ details to fill in, \d+ samples\.$/)
  const claim = again.getByRole('link', { name: 'On every page › Claims › Coached' })
  expect(claim.getAttribute('href')).toBe('/admin/words?page=site&part=claims&entry=claims.coached')
  fireEvent.click(claim)
  await waitFor(() => expect(document.activeElement?.id).toMatch(/^words-claims\.coached\./))
})

test('once all is set up and the site is live, the setup leaves Today, and its file is under Move in', async () => {
  const whole = { items: setupNames.map((name) => ({ name, state: 'done', says: '' })), refusals: [], unfinished: [] }
  const deliver = (isLive: boolean) =>
    browser.setDelivery('/api/admin/setup', { status: 200, body: { ...whole, isLive } })
  deliver(false)
  await browser.open('/admin')
  ;(await setup()).getByRole('button', { name: 'Save the file for the live site' })
  deliver(true)
  const page = await browser.open('/admin')
  await waitFor(() => expect(browser.network.sent.map(({ path }) => path)).toContain('/api/admin/setup'))
  await page.go('/admin/move-in')
  await screen.findByRole('button', { name: 'Save the content' })
  await page.go('/admin')
  await screen.findByRole('heading', { name: /^To do/ })
  expect(screen.queryByRole('region', { name: 'Setup checklist' })).toBeNull()
})

test('the file for the live site holds what owners made, and names the videos that it leaves out', {
  tags: ['full'],
}, async () => {
  const saved: Blob[] = []
  const [make, { click }] = [URL.createObjectURL, HTMLAnchorElement.prototype]
  HTMLAnchorElement.prototype.click = () => {}
  URL.createObjectURL = (blob: Blob) => {
    saved.push(blob)
    return 'blob:site'
  }
  try {
    const owner = world.signIn(world.addOwner())
    const edit = { version: 0, entry: 'title', value: 'Who we are' }
    await owner('/api/admin/content/about', { method: 'PUT', body: edit })
    await browser.open('/admin')
    const list = await setup()
    fireEvent.click(list.getByRole('button', { name: 'Show checklist' }))
    fireEvent.click(list.getByRole('button', { name: 'Save the file for the live site' }))
    await screen.findByText('File saved')
    const copy = JSON.parse(await (saved[0] ?? new Blob()).text())
    expect(copy).toMatchObject({ format: 'alliance-site-copy', media: [], words: { about: { title: 'Who we are' } } })
  } finally {
    URL.createObjectURL = make
    HTMLAnchorElement.prototype.click = click
  }
})
