import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { filmOf, officeFile } from '#api/testing/media.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-lessons-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  world = startWorld({ env: { DATA_DIR: folder } })
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
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

/** Adds the library’s row, without a file on disk. */
function addFile(name: string, format: string): string {
  const id = world.ctx.newId()
  world.ctx.sqlite
    .prepare(`insert into media (id, sha256, bytes, format, name, createdAt) values (?, ?, 2000, ?, ?, ?)`)
    .run(id, id.replaceAll('-', '').padStart(64, '0'), format, name, '2026-06-12T07:40:00.000Z')
  return id
}

test('a lesson gets a film of our own and hand-outs from the library, one saved after the other', async () => {
  const [film, sheet] = [addFile('Hours.mp4', 'mp4'), addFile('Prices.xlsx', 'xlsx')]
  await add('Pricing')
  await browser.open('/admin/videos')
  await press('Files and downloads for Pricing')
  const part = async (name: string) => within(await screen.findByRole('region', { name }))
  const films = await part('Our own video or audio')
  await films.findByRole('option', { name: 'Hours.mp4 (2 kB)' })
  type(films.getByRole('combobox'), film)
  fireEvent.click(films.getByRole('button', { name: 'Save files' }))
  await waitFor(async () => expect((await stored())[0]?.files).toEqual([`/api/media/${film}.mp4`]))
  const handouts = await part('Downloads')
  type(await handouts.findByRole('combobox'), sheet)
  type(handouts.getByLabelText('What members read'), 'Price sheet')
  await waitFor(() =>
    expect(handouts.getByRole('button', { name: 'Save downloads' })).toHaveProperty('disabled', false),
  )
  fireEvent.click(handouts.getByRole('button', { name: 'Save downloads' }))
  await waitFor(async () => expect((await stored())[0]?.handouts?.map(({ title }) => title)).toEqual(['Price sheet']))
  expect((await stored())[0]?.version).toBe(3)
  await screen.findByText('1 file of our own, 1 download')
})

test('what is chosen and not yet saved outlives the other part’s saving and a closed dialog, and stands beside what others change', {
  tags: ['full'],
}, async () => {
  const [film, sheet, plan] = [addFile('Hours.mp4', 'mp4'), addFile('Prices.xlsx', 'xlsx'), addFile('Plan.pdf', 'pdf')]
  const { id } = await add('Pricing')
  await browser.open('/admin/videos')
  await press('Files and downloads for Pricing')
  const part = async (name: string) => within(await screen.findByRole('region', { name }))
  const films = await part('Our own video or audio')
  const handouts = await part('Downloads')
  await films.findByRole('option', { name: 'Hours.mp4 (2 kB)' })
  await handouts.findByRole('option', { name: 'Prices.xlsx (2 kB)' })
  type(films.getByRole('combobox'), film)
  type(handouts.getByRole('combobox'), sheet)
  type(handouts.getByLabelText('What members read'), 'Price sheet')
  fireEvent.click(films.getByRole('button', { name: 'Save files' }))
  await waitFor(async () => expect((await stored())[0]?.files).toHaveLength(1))
  await screen.findByText('1 file of our own')
  expect(handouts.getByDisplayValue('Price sheet')).toBeTruthy()

  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  const given = { handouts: [{ file: plan, title: 'Plan' }], version: 2 }
  expect((await other(`/api/admin/videos/${id}/handouts`, { method: 'PUT', body: given })).status).toBe(200)
  await browser.open('/admin/videos')
  await press('Files and downloads for Pricing')
  const again = await part('Downloads')
  await again.findByDisplayValue('Price sheet')
  again.getByText(/has changed these since/)
  fireEvent.click(again.getByRole('button', { name: 'Undo my changes' }))
  await again.findByDisplayValue('Plan')
  expect(again.queryByDisplayValue('Price sheet')).toBeNull()
})

test('a hand-out is uploaded in the lesson itself, for its members; a film is named there and not taken', {
  tags: ['full'],
}, async () => {
  await add('Pricing')
  await browser.open('/admin/videos')
  await press('Files and downloads for Pricing')
  const handouts = within(await screen.findByRole('region', { name: 'Downloads' }))
  const upload = (content: Uint8Array, name: string) =>
    fireEvent.change(handouts.getByLabelText('Upload to downloads: file'), {
      target: { files: [new File([new Uint8Array(content)], name)] },
    })
  upload(filmOf(2000, 1), 'Hours.mp4')
  await handouts.findByText('Hours.mp4 is in the library now. You can’t use that here.')
  upload(officeFile('xlsx'), 'Prices.xlsx')
  await handouts.findByDisplayValue('Prices')
  fireEvent.click(handouts.getByRole('button', { name: 'Save downloads' }))
  await waitFor(async () =>
    expect((await stored())[0]?.handouts).toMatchObject([
      { title: 'Prices', address: expect.stringMatching(/^\/api\/media\//) },
    ]),
  )
})

test('what was saved shows at once wherever the list holds it, and is no conflict with the next dialog', async () => {
  const { id } = await add('Pricing')
  await browser.open('/admin/videos')
  await press('Edit Pricing')
  type(await screen.findByLabelText(/^Title/), 'Pricing jobs')
  // The change arrives, and the list that's asked for after it doesn't.
  browser.setDelivery(`/api/admin/videos/${id}`, 'deliver')
  browser.network.usual = 'hang'
  await press('Save video')
  await press('Edit Pricing jobs')
  browser.network.usual = 'deliver'
  type(await screen.findByLabelText(/^Title/), 'Pricing a job')
  await press('Save video')
  await screen.findByRole('button', { name: 'Edit Pricing a job' })
  expect((await stored()).map(({ title, version }) => [title, version])).toEqual([['Pricing a job', 3]])
})

test('many lessons change at once: tiers, category, state; what another owner has changed meanwhile stays and says so', {
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

test('categories are renamed, moved and added; one with lessons cannot be removed', { tags: ['full'] }, async () => {
  await add('Pricing')
  await browser.open('/admin/videos')
  await press('Categories')
  type(await screen.findByLabelText('Category 2'), 'Cash')
  await press('Move Cash up')
  expect(screen.getByLabelText('Category 1')).toHaveProperty('value', 'Cash')
  expect(screen.getByRole('button', { name: 'Remove Cash' })).toHaveProperty('disabled', true)
  await press('Remove Time')
  await press('Add a category')
  type(screen.getByLabelText('Category 9'), 'Yard')
  await press('Save categories')
  await waitFor(async () => expect((await stored())[0]?.category).toBe('Cash'))
  const regions = (await screen.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent)
  expect([regions[0], regions.at(-1), regions.includes('Time')]).toEqual(['Cash', 'Yard', false])
})

test('a lesson from a date says so until it has come; who has seen a lesson stands with its state', {
  tags: ['full'],
}, async () => {
  const { id } = await add('Pricing')
  const member = world.addMember({ tier: 'lite' })
  await world.signIn(member)(`/api/video-progress/${id}/complete`, { method: 'POST' })
  await browser.open('/admin/videos')
  await press('Who has seen Pricing')
  const row = within(await screen.findByRole('row', { name: new RegExp(member.email) }))
  row.getByText('Completed')
  fireEvent.change(screen.getAllByLabelText('Show').at(-1) as HTMLElement, { target: { value: 'open' } })
  await screen.findByText('Nothing found')
  await browser.open('/admin/videos')
  await press('Edit Pricing')
  fireEvent.input(screen.getByLabelText('From a date'), { target: { value: '1 Mar 2099' } })
  await press('Save video')
  await screen.findByText('From 1 March 2099')
  expect((await stored())[0]?.availableFrom).toBe('2099-03-01')
})

test('captions that cannot be read take no place of those that stand there, and it is said', {
  tags: ['full'],
}, async () => {
  addFile('Gone.vtt', 'vtt')
  await add('Pricing')
  await browser.open('/admin/videos')
  await press('Edit Pricing')
  await press('Edit texts')
  const captions = await screen.findByLabelText<HTMLTextAreaElement>(/^Captions \(WebVTT\)/)
  const choose = (text: string, name: string) =>
    fireEvent.change(screen.getByLabelText('Captions from a file'), { target: { files: [new File([text], name)] } })
  choose('1\n00:00:01,000 --> 00:00:02,000\nPut the margin on.\n', 'phone.srt')
  await screen.findByText('Captions loaded from phone.srt.')
  const read = 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nPut the margin on.'
  expect(captions.value).toBe(read)
  choose('PK\u0003\u0004', 'letter.docx')
  await screen.findByText('We couldn’t use letter.docx. Line 1: captions start with the word WEBVTT.')
  const library = screen.getByLabelText<HTMLSelectElement>('Captions from the library')
  const gone = (await within(library).findByRole<HTMLOptionElement>('option', { name: 'Gone.vtt' })).value
  type(library, gone)
  await screen.findByText('We couldn’t read Gone.vtt. Check your signal and choose it again.')
  expect([captions.value, library.value]).toEqual([read, ''])
})
