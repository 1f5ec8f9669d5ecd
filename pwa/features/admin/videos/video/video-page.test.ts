import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { publishedQuestions } from '#api/db/schema/questions.ts'
import { officeFile, videoFileOf } from '#api/testing/media.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminVideo, WholeVideo } from '#shared/contract/admin-video.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-lesson-'))
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

const add = async (title: string, more: object = {}): Promise<WholeVideo> => {
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', ...more }
  return (await other('/api/admin/videos', { body: video })).json()
}
const change = (id: string, body: object) => other(`/api/admin/videos/${id}`, { method: 'PATCH', body })
const readVideo = async (id: string): Promise<WholeVideo> => (await other(`/api/admin/videos/${id}`)).json()
const all = async (): Promise<AdminVideo[]> => (await other('/api/admin/videos')).json()
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const field = (label: string | RegExp) => screen.findByLabelText<HTMLInputElement>(label)
const type = async (label: string | RegExp, value: string) => fireEvent.input(await field(label), { target: { value } })
const choose = async (label: string, ...files: File[]) => fireEvent.change(await field(label), { target: { files } })
const open = (id: string) => browser.open(`/admin/videos?lesson=${id}`)
const isSaved = () => screen.findByText(/^Video (saved|added)$/)

/** Adds the library’s row, without a file on disk. */
function addFile(name: string, format: string): string {
  const id = world.ctx.newId()
  world.ctx.sqlite
    .prepare(`insert into media (id, sha256, bytes, format, name, createdAt) values (?, ?, 2000, ?, ?, ?)`)
    .run(id, id.replaceAll('-', '').padStart(64, '0'), format, name, '2026-06-12T07:40:00.000Z')
  return id
}
const takeFromLibrary = async (label: string, name: string) => {
  const choice = await field(label)
  const option = await within(choice).findByRole<HTMLOptionElement>('option', { name: new RegExp(name) })
  fireEvent.change(choice, { target: { value: option.value } })
}

test('VID-1 a new video is made whole on one page: an uploaded video, captions, a download, and one save', async () => {
  const page = await open('new')
  expect(
    (await screen.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent).slice(0, 2),
  ).toEqual([...['Title and category', 'Video']])
  // What a video that’s elsewhere needs is out of the way.
  expect((await screen.findByLabelText('Video ID/URL')).closest('details')?.open).toBe(false)
  await choose('Upload a video: file', new File([new Uint8Array(videoFileOf(2000, 1))], 'Hours.mp4'))
  await screen.findByText('Hours.mp4')
  await type(/^Title/, 'An hour’s price')
  await type(/^Category/, 'Money')
  await type(/^Notes/, '- Work out one hour')
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nPut the margin on.'
  await choose('Captions from a file', new File([vtt], 'hours.vtt'))
  await screen.findByText(/^1 caption loaded from hours\.vtt\. We’ve made the transcript/)
  expect(await field('Transcript')).toHaveProperty('value', 'Put the margin on.')
  await type('Transcript', 'Put the margin on!')
  await choose('Upload downloads: file', new File([new Uint8Array(officeFile('xlsx'))], 'Prices.xlsx'))
  fireEvent.input(await screen.findByDisplayValue('Prices'), { target: { value: 'Price sheet' } })
  await press('Add video')
  await isSaved()
  expect(page.address()).toBe('/admin/videos')
  const [{ id = '' } = {}] = await all()
  expect(await readVideo(id)).toMatchObject({
    title: 'An hour’s price',
    videoId: '',
    isPublished: true,
    notes: '- Work out one hour',
    captions: vtt,
    transcript: 'Put the margin on!',
    files: [expect.stringMatching(/^\/api\/media\//)],
    handouts: [{ title: 'Price sheet', name: 'Prices.xlsx' }],
  })
  await screen.findByText('1 uploaded file, 1 download')
})

test('what a video can’t use is refused before it is sent, by the button and by dropping', {
  tags: ['full'],
}, async () => {
  await open('new')
  await choose('Upload downloads: file', new File([new Uint8Array(videoFileOf(2000, 1))], 'Hours.mp4'))
  await screen.findByText(/^You can’t use Hours\.mp4 here\. Choose PDF, DOCX/)
  const zone = (await screen.findByText('Up to 2 GB.')).parentElement
  if (!zone) throw new Error('there is nowhere to drop a file')
  fireEvent.drop(zone, { dataTransfer: { files: [new File(['x'], 'notes.txt')] } })
  await screen.findByText('You can’t use notes.txt here. Choose MP4, MOV, WEBM, MP3, M4A or OGG.')
  expect(browser.network.sent.filter(({ path }) => path.includes('/uploads') && path.endsWith('/finish'))).toEqual([])
})

test('downloads are put in order and taken away, a video is replaced, and all of it waits for the save', {
  tags: ['full'],
}, async () => {
  const [old, plan, sheet] = [addFile('Old.mp4', 'mp4'), addFile('Plan.pdf', 'pdf'), addFile('Sheet.xlsx', 'xlsx')]
  const { id } = await add('Pricing', { filmFiles: [old] })
  await open(id)
  await takeFromLibrary('A download from the library', 'Plan')
  await takeFromLibrary('A download from the library', 'Sheet')
  await press('Move Sheet up')
  expect(screen.getAllByLabelText<HTMLInputElement>('Name that members see').map(({ value }) => value)).toEqual([
    'Sheet',
    'Plan',
  ])
  await press('Move Sheet up')
  await choose('Replace Old.mp4: file', new File([new Uint8Array(videoFileOf(3000, 2))], 'New.mp4'))
  await screen.findByRole('button', { name: 'Replace New.mp4' })
  expect((await readVideo(id)).version).toBe(1)
  await press('Save video')
  await isSaved()
  const saved = await readVideo(id)
  expect([saved.filmFiles.length, saved.filmFiles.includes(old)]).toEqual([1, false])
  expect(saved.handoutFiles.map(({ file }) => file)).toEqual([sheet, plan])
  await open(id)
  for (const name of ['New.mp4', 'Sheet', 'Plan'])
    expect((await screen.findByRole('button', { name: `Remove ${name}` })).textContent).toBe('Remove')
  await press('Remove Plan')
  await press('Save video')
  await waitFor(async () => expect((await readVideo(id)).handoutFiles.map(({ file }) => file)).toEqual([sheet]))
})

test('a new video comes last in its category, and says whether members see it', async () => {
  for (const title of ['One', 'Two']) await add(title)
  await open('new')
  await screen.findByText('Members see it straight away.')
  await type(/^Title/, 'New')
  await type(/^Category/, 'Money')
  await type(/^Video ID/, 'abc123def4')
  await screen.findByText(/^Place 3 of 3 in Money/)
  fireEvent.click(await field('Published: members see it'))
  await screen.findByText('Only owners can see a draft.')
  await press('Add video')
  await isSaved()
  expect((await all()).map(({ title, orderIndex }) => [title, orderIndex])).toEqual([
    ['One', 0],
    ['Two', 1],
    ['New', 2],
  ])
})

test('its place in the category is chosen by keys, or by number, and stored with the rest', {
  tags: ['full'],
}, async () => {
  for (const [orderIndex, title] of ['One', 'Two', 'Three'].entries()) await add(title, { orderIndex })
  await open('new')
  await type(/^Video ID/, 'abc123def4')
  await type(/^Title/, 'Four')
  await type(/^Category/, 'Money')
  const places = within(await screen.findByRole('region', { name: 'Place in Money' }))
  const rows = () => places.getAllByRole('listitem').map(({ textContent }) => textContent?.replace('⠿', ''))
  await type('Order', '2')
  await waitFor(() => expect(rows()).toEqual(['One', 'Four', 'Two', 'Three']))
  const grip = () => places.getByRole('button', { name: 'Move Four' })
  fireEvent.click(grip(), { detail: 0 })
  for (const key of ['ArrowDown', 'ArrowDown']) fireEvent.keyDown(grip(), { key })
  places.getByText(/^Place 4 of 4\./)
  fireEvent.click(grip(), { detail: 0 })
  expect([rows(), (await field('Order')).value]).toEqual([['One', 'Two', 'Three', 'Four'], '4'])
  await press('Add video')
  await isSaved()
  expect((await all()).map(({ title }) => title)).toEqual(['One', 'Two', 'Three', 'Four'])
})

test('what was typed and chosen outlives the page, and meets what the other owner changed meanwhile', {
  tags: ['full'],
}, async () => {
  const [plan, sheet] = [addFile('Plan.pdf', 'pdf'), addFile('Sheet.xlsx', 'xlsx')]
  const { id } = await add('Pricing')
  await open(id)
  await takeFromLibrary('A download from the library', 'Sheet')
  await type(/^Notes/, 'Mine')
  await screen.findByText(/^Not saved yet\. Kept on this device/)
  await change(id, { handoutFiles: [{ file: plan, title: 'Plan' }], notes: 'Theirs', version: 1 })
  await open(id)
  await screen.findByText('We’ve kept what you typed')
  await screen.findByDisplayValue('Sheet')
  await press('Save video')
  await screen.findByText('Someone else changed this while you had it open')
  screen.getByRole('row', { name: 'Notes Mine Theirs' })
  screen.getByRole('row', { name: 'Downloads Sheet Plan' })
  await press('Save mine')
  await isSaved()
  expect(await readVideo(id)).toMatchObject({ notes: 'Mine', handoutFiles: [{ file: sheet }] })
})

test('what members asked is listed below its form, also of an account that’s gone, and is taken down there', async () => {
  const { id } = await add('Pricing')
  const at = '2026-06-12T07:40:00.000Z'
  const times = { createdAt: at, updatedAt: at }
  const questions = ['How is a swap priced?', 'Why is it cold?']
  for (const question of questions)
    insertRow(world.ctx, publishedQuestions, {
      id: world.ctx.newId(),
      questionId: null,
      videoId: id,
      question,
      answer: 'Day rate.',
      ...times,
    })
  await open(id)
  const asked = within(await screen.findByRole('region', { name: 'Asked by members' }))
  for (const question of questions) {
    const button = asked.getByRole('button', { name: `Take it down: ${question}` })
    button.focus()
    fireEvent.click(button)
    const asks = within(await screen.findByRole('dialog', { name: 'Take it down?' }))
    fireEvent.click(asks.getByRole('button', { name: 'Take it down' }))
    await waitFor(() => expect(asked.queryByText(question)).toBeNull())
    expect(document.activeElement?.textContent).toBe('Asked by members')
  }
  asked.getByText('Nothing’s published below this video any more.')
  expect(await other(`/api/admin/videos/${id}/published-questions`).then((answer) => answer.json())).toEqual([])
})

test('a video that is gone says so; without signal the page says so and what was typed is there', {
  tags: ['full'],
}, async () => {
  const { id } = await add('Pricing')
  await open(world.ctx.newId())
  await screen.findByText('We can’t find that video')
  await open(id)
  await type(/^Title/, 'Typed in a van')
  browser.setSignal(false)
  await open(id)
  expect((await field(/^Title/)).value).toBe('Typed in a van')
  await screen.findByText('You’ll need signal to make changes.')
  browser.setSignal(true)
  await press('Save video')
  await isSaved()
  expect((await readVideo(id)).title).toBe('Typed in a van')
})

test('captions that cannot be read take no place of those that are there, and it is said', {
  tags: ['full'],
}, async () => {
  addFile('Gone.vtt', 'vtt')
  const { id } = await add('Pricing')
  await open(id)
  await press('Make transcript from captions')
  await screen.findByText('Line 1: captions start with the word WEBVTT.')
  await choose(
    'Captions from a file',
    new File(['1\n00:00:01,000 --> 00:00:02,000\nPut the margin on.\n'], 'phone.srt'),
  )
  await screen.findByText(/^1 caption loaded from phone\.srt\./)
  const read = 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nPut the margin on.'
  const captions = await field(/^Captions$/)
  expect(captions.value).toBe(read)
  await choose('Captions from a file', new File(['PK\u0003\u0004'], 'letter.docx'))
  await screen.findByText('letter.docx isn’t a captions file. Choose one that ends in .vtt, .srt or .sbv.')
  await takeFromLibrary('Captions from the library', 'Gone')
  await screen.findByText('We couldn’t read Gone.vtt. Check your signal and choose it again.')
  expect([captions.value, (await field('Captions from the library')).value]).toEqual([read, ''])
  await type(/^Notes/, '- Work out one hour')
  await press('Preview')
  within(await screen.findByRole('dialog', { name: 'What members read' })).getByText('Work out one hour')
})
