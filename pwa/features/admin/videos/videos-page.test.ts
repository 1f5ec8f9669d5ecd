import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { videoCategories } from '#shared/rules/video.ts'

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

const pricing = { title: 'Pricing a day', videoType: 'wistia', videoId: 'abc123def4', category: 'Money' }
const add = async (body: Record<string, unknown> = {}): Promise<AdminVideo> =>
  (await other('/api/admin/videos', { body: { ...pricing, ...body } })).json()
const stored = async (): Promise<AdminVideo[]> => (await other('/api/admin/videos')).json()
const category = (name: string) => screen.findByRole('region', { name })
const titlesIn = (part: HTMLElement) =>
  within(part)
    .getAllByRole('heading', { level: 4 })
    .map((title) => title.textContent)
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const edit = async (title: string) => {
  fireEvent.click(await screen.findByRole('link', { name: title }))
  await screen.findByRole('form', { name: 'Video' })
}
const startNew = async () => {
  fireEvent.click(await screen.findByRole('link', { name: 'Add a video' }))
  await screen.findByRole('form', { name: 'Video' })
}
const type = (label: string | RegExp, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const sentTo = (path: string) => browser.network.sent.filter((sent) => sent.path.startsWith(path) && sent.body)

test('ADMN-17 EMSG-30 VID-7 VID-9 every category with its videos, badge, order and type; an empty one says so', async () => {
  await add({ description: 'Two ways', duration: 12, orderIndex: 3 })
  await add({
    title: 'A draft',
    isPublished: false,
    videoType: 'youtube',
    videoId: 'aqz-KE-bpKQ',
    duration: 0.75,
    tierAccess: ['xl'],
  })
  await add({ title: '<img src=x onerror="alert(1)">', category: 'Odd "jobs" <b>' })
  await browser.open('/admin/videos')
  const rows = within(await category('Money')).getAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent?.replace('⠿', ''))).toEqual([
    'A draftDraftOrder 1YouTube45 secAlliance XL',
    'Pricing a dayTwo waysPublishedOrder 4Wistia12 minAll tiers',
  ])
  for (const name of videoCategories)
    if (name !== 'Money') within(await category(name)).getByText('No videos in this category yet')
  expect(titlesIn(await category('Odd "jobs" <b>'))).toEqual(['<img src=x onerror="alert(1)">'])
  expect(document.querySelector('.vids img')).toBeNull()
})

test('VID-1 VID-2 VID-7 EMSG-46 EMSG-48 EMSG-49 EMSG-50 the form says what is missing, and sends nothing', async () => {
  await browser.open('/admin/videos')
  await startNew()
  expect(screen.getByLabelText('Video type')).toHaveProperty('value', 'wistia')
  expect(screen.getByLabelText('Published: members see it')).toHaveProperty('checked', true)
  expect(screen.getByLabelText('Order')).toHaveProperty('value', '')
  expect([...screen.getByLabelText('Video type').children].map((option) => option.getAttribute('value'))).toEqual([
    ...['wistia', 'youtube', 'streamyard', 'embed'],
  ])
  type('Order', '-1')
  await screen.findByLabelText('Alliance')
  for (const tier of ['Alliance Lite', 'Alliance', 'Alliance XL', 'Alliance Mastermind'])
    fireEvent.click(screen.getByLabelText(tier))
  await press('Add video')
  for (const message of [
    ...['Title is required', 'Video ID/URL is required', 'Category is required', 'Order must be 0 or greater'],
    'Choose at least one tier.',
  ])
    screen.getByText(message)
  expect(sentTo('/api/admin/videos')).toEqual([])
})

test('CALLS-22 VID-3 VID-4 VID-6 what is pasted is stored as the id; members see the new video', async () => {
  await browser.open('/admin/videos')
  await startNew()
  type(/^Video ID/, 'https://youtu.be/aqz-KE-bpKQ')
  expect(screen.getByLabelText('Video type')).toHaveProperty('value', 'youtube')
  type(/^Video ID/, '<iframe src="https://fast.wistia.net/embed/iframe/abc123def4"></iframe>')
  fireEvent.blur(screen.getByLabelText(/^Video ID/))
  await screen.findByText('We couldn’t reach the video’s site. Type the title and length yourself.')
  type(/^Title/, 'Pricing a day')
  type(/^Category/, 'Money')
  await press('Add video')
  expect(titlesIn(await category('Money'))).toEqual(['Pricing a day'])
  expect(await stored()).toMatchObject([{ ...pricing, orderIndex: 0, isPublished: true, version: 1 }])
})

test('EMSG-12 EMSG-13 EMSG-14 a failure says so, and nothing that was typed is lost, even if the form is closed', {
  tags: ['full'],
}, async () => {
  const video = await add()
  await browser.open('/admin/videos')
  await edit('Pricing a day')
  type(/^Title/, 'Pricing a week')
  browser.setDelivery(`/api/admin/videos/${video.id}`, { status: 500, body: {} })
  await press('Save video')
  await screen.findByText('Failed to update video')
  fireEvent.click(screen.getByRole('link', { name: 'All videos' }))
  await edit('Pricing a day')
  await screen.findByText('We’ve kept what you typed')
  expect(screen.getByLabelText(/^Title/)).toHaveProperty('value', 'Pricing a week')
  await press('Discard')
  await press('More for Pricing a day')
  await press('Delete: Pricing a day')
  browser.setDelivery(`/api/admin/videos/${video.id}?version=1`, { status: 500, body: {} })
  await press('Delete video')
  await screen.findByText('Failed to delete video')
  await press('Keep it')
  await startNew()
  for (const [label, text] of [
    [/^Video ID/, 'abc123def4'],
    [/^Title/, 'Another'],
    [/^Category/, 'Money'],
  ] as const)
    type(label, text)
  browser.setSignal(false)
  await press('Add video')
  await screen.findByText('No signal. Try again when you’re back in range.')
  browser.setSignal(true)
  browser.setDelivery('/api/admin/videos', { status: 500, body: {} })
  await press('Add video')
  await screen.findByText('Failed to add video')
})

test('CALLS-23 a video that the other owner has changed meanwhile: both stand there, and one is chosen', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  await browser.open('/admin/videos')
  await edit('Pricing a day')
  type(/^Title/, 'Mine')
  await other(`/api/admin/videos/${id}`, { method: 'PATCH', body: { title: 'Theirs', version: 1 } })
  await press('Save video')
  const row = await screen.findByRole('row', { name: 'Title Mine Theirs' })
  expect(within(row.closest('table') ?? row).getAllByRole('row')).toHaveLength(2)
  await press('Take theirs')
  expect(screen.getByLabelText(/^Title/)).toHaveProperty('value', 'Theirs')
  type(/^Title/, 'Mine after all')
  await other(`/api/admin/videos/${id}`, { method: 'PATCH', body: { title: 'Theirs again', version: 2 } })
  await press('Save video')
  await press('Save mine')
  await screen.findByRole('heading', { name: 'Mine after all' })
  expect(await stored()).toMatchObject([{ title: 'Mine after all', version: 4 }])
  await other(`/api/admin/videos/${id}`, { method: 'PATCH', body: { title: 'Newest', version: 4 } })
  await press('More for Mine after all')
  await press('Delete: Mine after all')
  await press('Delete video')
  await screen.findByText('It’s now called “Newest”, in Money.')
  await press('Delete it anyway')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Newest' })).toBeNull())
  expect(await stored()).toEqual([])
})

test('a video is moved by keyboard and stored when it is set down; a category that has changed is settled by choice', {
  tags: ['full'],
}, async () => {
  for (const [orderIndex, title] of ['One', 'Two', 'Three'].entries()) await add({ title, orderIndex })
  await browser.open('/admin/videos')
  const money = await category('Money')
  const move = (title: string, ...keys: string[]) => {
    fireEvent.click(within(money).getByRole('button', { name: `Move ${title}` }), { detail: 0 })
    for (const key of keys) fireEvent.keyDown(within(money).getByRole('button', { name: `Move ${title}` }), { key })
  }
  move('One', 'ArrowDown', 'ArrowDown')
  expect(titlesIn(money)).toEqual(['Two', 'Three', 'One'])
  within(money).getByText(/^Place 3 of 3\./)
  fireEvent.keyDown(within(money).getByRole('button', { name: 'Move One' }), { key: 'Escape' })
  expect([titlesIn(money), sentTo('/api/admin/videos/order')]).toEqual([['One', 'Two', 'Three'], []])
  move('One', 'ArrowDown')
  move('One')
  await waitFor(async () => expect((await stored()).map(({ title }) => title)).toEqual(['Two', 'One', 'Three']))
  const [two] = await stored()
  await other(`/api/admin/videos/${two?.id}`, { method: 'PATCH', body: { title: 'Two, anew', version: two?.version } })
  await waitFor(() =>
    expect(within(money).getByRole('button', { name: 'Move Three' }).hasAttribute('aria-disabled')).toBe(false),
  )
  move('Three', 'ArrowUp', 'ArrowUp')
  move('Three')
  await within(money).findByText('Someone else has changed this category since you opened it')
  expect(
    within(money)
      .getAllByRole('list')
      .slice(0, 2)
      .map(({ textContent }) => textContent),
  ).toEqual(['ThreeTwo, anewOne', 'Two, anewOneThree'])
  await press('Save my order')
  await waitFor(() => expect(titlesIn(money)).toEqual(['Three', 'Two, anew', 'One']))
})

test('VID-7 shown as a member of a tier, drafts and other tiers’ videos are left out; the address and the name are the tier’s', {
  tags: ['full'],
}, async () => {
  world.ctx.sqlite.exec(`update membership_tiers set name = 'Mastermind', isActive = 0 where slug = 'xl'`)
  await add()
  await add({ title: 'A draft', isPublished: false })
  await add({ title: 'For XL', tierAccess: ['xl'] })
  const page = await browser.open('/admin/videos')
  await within(await category('Money')).findByText('Mastermind')
  expect(await screen.findByRole('option', { name: 'What Mastermind members see' })).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'lite' } })
  await screen.findByRole('button', { name: 'Watch: Pricing a day' })
  expect([titlesIn(await category('Money')), page.address()]).toEqual([['Pricing a day'], '/admin/videos?show=lite'])
  await browser.open('/admin/videos?show=xl')
  expect(titlesIn(await category('Money'))).toEqual(['For XL', 'Pricing a day'])
})
