import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'

let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  const owner = world.addOwner()
  browser.signIn(owner)
  other = world.signIn(owner)
})
afterEach(() => browser.close())

const add = async (title: string, more: object = {}): Promise<AdminVideo> => {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', ...more }
  return (await other('/api/admin/videos', { body: video })).json()
}
const stored = async (): Promise<AdminVideo[]> => (await other('/api/admin/videos')).json()
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const edit = async (title: string) => fireEvent.click(await screen.findByRole('link', { name: title }))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

test('what was saved shows at once wherever the list holds it, and is no conflict the next time its page is opened', {
  tags: ['full'],
}, async () => {
  const { id } = await add('Pricing')
  await browser.open('/admin/videos')
  await edit('Pricing')
  type(await screen.findByLabelText(/^Title/), 'Pricing jobs')
  // The change arrives, and the list that's asked for after it doesn't.
  browser.setDelivery(`/api/admin/videos/${id}`, 'deliver')
  browser.network.usual = 'hang'
  await press('Save video')
  await edit('Pricing jobs')
  browser.network.usual = 'deliver'
  type(await screen.findByLabelText(/^Title/), 'Pricing a job')
  await press('Save video')
  await screen.findByRole('link', { name: 'Pricing a job' })
  expect((await stored()).map(({ title, version }) => [title, version])).toEqual([['Pricing a job', 3]])
})

test('many videos change at once: tiers, category, state; what another owner has changed meanwhile stays and says so', {
  tags: ['full'],
}, async () => {
  const [one, two] = [await add('One'), await add('Two')]
  await browser.open('/admin/videos')
  fireEvent.click(await screen.findByLabelText('Choose One'))
  fireEvent.click(screen.getByLabelText('Choose Two'))
  await press('Who sees them')
  type(screen.getByLabelText('Tiers'), 'xl')
  fireEvent.submit(screen.getByLabelText('Tiers').closest('form') as HTMLFormElement)
  await waitFor(async () => expect((await stored()).map(({ tierAccess }) => tierAccess)).toEqual([['xl'], ['xl']]))
  await screen.findAllByText('Alliance XL')
  fireEvent.click(screen.getByLabelText('Choose One'))
  fireEvent.click(screen.getByLabelText('Choose Two'))
  await other(`/api/admin/videos/${two.id}`, { method: 'PATCH', body: { title: 'Two, anew', version: 2 } })
  await press('Move to a category')
  type(screen.getByLabelText('Category'), 'Time')
  fireEvent.submit(screen.getByLabelText('Category').closest('form') as HTMLFormElement)
  await screen.findByText(/^Two: Someone else has changed this/)
  const places = new Map((await stored()).map(({ id, category }) => [id, category]))
  expect([places.get(one.id), places.get(two.id)]).toEqual(['Time', 'Money'])
})

test('categories are renamed, moved and added; one with videos cannot be removed', { tags: ['full'] }, async () => {
  await add('Pricing')
  await browser.open('/admin/videos')
  await press('Categories')
  type(await screen.findByLabelText('Category 2'), 'Cash')
  await press('Move Cash up')
  expect(screen.getByLabelText('Category 1')).toHaveProperty('value', 'Cash')
  const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'Remove Cash' })
  expect([remove.disabled, remove.textContent]).toEqual([true, 'Remove'])
  await press('Remove Time')
  await press('Add a category')
  type(screen.getByLabelText('Category 9'), 'Yard')
  await press('Save categories')
  await waitFor(async () => expect((await stored())[0]?.category).toBe('Cash'))
  const regions = (await screen.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent)
  expect([regions[0], regions.at(-1), regions.includes('Time')]).toEqual(['Cash', 'Yard', false])
})

test('a video from a date says so until it has come; who has seen a video stands with its state', {
  tags: ['full'],
}, async () => {
  const { id } = await add('Pricing')
  const member = world.addMember({ tier: 'lite' })
  await world.signIn(member)(`/api/video-progress/${id}/complete`, { method: 'POST' })
  await browser.open('/admin/videos')
  await press('More for Pricing')
  await press('Who has seen it: Pricing')
  const row = within(await screen.findByRole('row', { name: new RegExp(member.email) }))
  row.getByText('Completed')
  fireEvent.change(screen.getAllByLabelText('Show').at(-1) as HTMLElement, { target: { value: 'open' } })
  await screen.findByText('Nothing fits this filter')
  await browser.open('/admin/videos')
  await edit('Pricing')
  fireEvent.input(await screen.findByLabelText('From a date'), { target: { value: '1 Mar 2099' } })
  await press('Save video')
  await screen.findByText('From 1 March 2099')
  expect((await stored())[0]?.availableFrom).toBe('2099-03-01')
})
