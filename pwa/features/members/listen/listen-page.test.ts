import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

const path = '/members/listen'
const titles = ['Where the business is now', 'The year on one page']

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  for (const [at, title] of titles.entries()) addVideoFile(at, title)
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'lite' }))
  // jsdom has the element, but plays nothing.
  const { play, pause } = HTMLMediaElement.prototype
  onTestFinished(() => void Object.assign(HTMLMediaElement.prototype, { play, pause }))
  Object.assign(HTMLMediaElement.prototype, {
    play: async () => {},
    pause(this: HTMLMediaElement) {
      this.dataset.paused = 'yes'
    },
  })
})

afterEach(() => browser.close())

function addVideoFile(at: number, title: string) {
  const { sqlite } = world.ctx
  const id = sqlite.prepare<[string], string>('select id from member_videos where title = ?').pluck().get(title)
  sqlite
    .prepare(`insert into media (id, sha256, bytes, format, name, createdAt) values (?, ?, 1, 'mp4', 'film.mp4', '')`)
    .run(`film-${at}`, String(at).repeat(64))
  sqlite.prepare('delete from video_files where videoId = ?').run(id)
  sqlite.prepare('insert into video_files (videoId, mediaId, position) values (?, ?, 0)').run(id, `film-${at}`)
}

const queue = async () => within(await screen.findByRole('region', { name: 'Your queue' }))
const inQueue = async () =>
  (await queue()).queryAllByRole('listitem').map((item) => item.querySelector('b')?.textContent)
const sound = () => {
  const found = document.querySelector('audio')
  if (!found) throw new Error('There is no player.')
  return found
}
const playing = () => new URL(sound().src).pathname
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

test('the next one plays by itself, unless it shall not or the sleep timer ends with this one', async () => {
  await browser.open(path)
  expect(await inQueue()).toEqual(titles)
  await press('Play')
  expect(playing()).toBe('/api/media/film-0.mp4')
  fireEvent.ended(sound())
  await waitFor(() => expect(playing()).toBe('/api/media/film-1.mp4'))
  await press('Previous')
  expect(playing()).toBe('/api/media/film-0.mp4')
  fireEvent.change(screen.getByLabelText('Stop after'), { target: { value: 'end' } })
  fireEvent.ended(sound())
  await waitFor(() => expect(screen.getByLabelText('Stop after')).toHaveProperty('value', 'off'))
  fireEvent.click(screen.getByLabelText('Play the next one straight after'))
  fireEvent.ended(sound())
  expect(playing()).toBe('/api/media/film-0.mp4')
})

test('it goes on while another page is open, and is paused, turned back and closed from there', async () => {
  await browser.open(path)
  await press('Play')
  const begun = sound()
  fireEvent.click(screen.getByRole('link', { name: 'All videos' }), { button: 0 })
  const bar = within(await screen.findByRole('region', { name: 'Listening' }))
  await screen.findByRole('link', { name: 'Listen' })
  expect(sound()).toBe(begun)
  expect(playing()).toBe('/api/media/film-0.mp4')
  begun.currentTime = 100
  fireEvent.click(bar.getByRole('button', { name: '15 s back' }))
  expect(begun.currentTime).toBe(85)
  fireEvent.ended(begun)
  await waitFor(() => expect(playing()).toBe('/api/media/film-1.mp4'))
  fireEvent.click(bar.getByRole('button', { name: titles[1] ?? '' }))
  await screen.findByRole('button', { name: 'Previous' })
  expect(screen.queryByRole('region', { name: 'Listening' })).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'All videos' }), { button: 0 })
  fireEvent.click(await screen.findByRole('button', { name: 'Stop listening' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Listening' })).toBeNull())
  expect(sound().dataset.paused).toBe('yes')
})

test('one further down is put right after what’s playing', async () => {
  const third = 'Choosing the work you want'
  addVideoFile(2, third)
  await browser.open(path)
  expect(await inQueue()).toEqual([...titles, third])
  await press('Play')
  await press(`Play next: ${third}`)
  expect(await inQueue()).toEqual([titles[0], third, titles[1]])
  expect(screen.queryByRole('button', { name: `Play next: ${third}` })).toBeNull()
})

test('the sleep timer says when it stops, and stops what plays then', async () => {
  await browser.open(path)
  await press('Play')
  fireEvent.change(screen.getByLabelText('Stop after'), { target: { value: '15' } })
  await screen.findByText(/^Stops at \d\d:\d\d\.$/)
  fireEvent.timeUpdate(sound())
  expect(sound().dataset.paused).toBeUndefined()
  const { now } = Date
  onTestFinished(() => {
    Date.now = now
  })
  Date.now = () => now() + 15 * 60_000
  fireEvent.timeUpdate(sound())
  expect(sound().dataset.paused).toBe('yes')
  await waitFor(() => expect(screen.queryByText(/^Stops at/)).toBeNull())
})

test('the queue and the video that played are still there at the next opening, without what has been ticked since', {
  tags: ['full'],
}, async () => {
  await browser.open(path)
  await press(`Play: ${titles[1]}`)
  await browser.open(path)
  expect(await inQueue()).toEqual(titles)
  await press('Play')
  expect(playing()).toBe('/api/media/film-1.mp4')
  await press(`Remove: ${titles[0]}`)
  expect(await inQueue()).toEqual([titles[1]])
  await browser.open(path)
  expect(await inQueue()).toEqual([titles[1]])
  await browser.open('/members')
  const [row] = (await screen.findAllByRole('listitem')).filter((item) => item.textContent?.includes(titles[1] ?? ''))
  if (!row) throw new Error('The video isn’t in the list.')
  fireEvent.click(within(row).getByRole('button', { name: /Mark Complete/ }))
  await within(row).findByRole('button', { name: /Mark Incomplete/ })
  await browser.open(path)
  expect(await inQueue()).toEqual([titles[0]])
})

test('a double press removes one video from the queue, not the one that moves up under the thumb', {
  tags: ['full'],
}, async () => {
  await browser.open(path)
  const before = await inQueue()
  const crosses = () => screen.getAllByRole('button', { name: /^Remove: / })
  const [first] = crosses()
  if (first) fireEvent.click(first, { detail: 1 })
  await waitFor(async () => expect(await inQueue()).toHaveLength(before.length - 1))
  const [second] = crosses()
  if (second) fireEvent.click(second, { detail: 2 })
  expect(await inQueue()).toEqual(before.slice(1))
  if (second) fireEvent.click(second, { detail: 1 })
  await waitFor(async () => expect(await inQueue()).toEqual(before.slice(2)))
})

test.each([
  ['the wheel', fireEvent.wheel],
  ['a thumb', fireEvent.pointerCancel],
])(
  'who scrolls with %s and presses what came to the same spot means that',
  { tags: ['full'] },
  async (_how, scroll) => {
    await browser.open(path)
    for (const [at, title] of titles.entries()) {
      scroll(document.body)
      fireEvent.click(await screen.findByRole('button', { name: `Remove: ${title}` }), { detail: at + 1 })
    }
    await waitFor(async () => expect(await inQueue()).toEqual([]))
  },
)
