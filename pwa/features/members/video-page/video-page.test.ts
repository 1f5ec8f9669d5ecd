import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { VideoTextList } from '#shared/contract/video.ts'
import { captionsAddress } from '#shared/rules/video.ts'

let world: World
let browser: Browser
let videos: ReturnType<World['addVideos']>

beforeEach(() => {
  world = startWorld()
  videos = world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const slug = 'the-year-on-one-page'
const path = `/members/videos/${slug}`
const title = 'The year on one page'
const idOfVideo = () => videos.find((video) => video.slug === slug)?.id ?? ''
const heading = () => screen.findByRole('heading', { level: 1, name: title })

function addVideoFile() {
  const { sqlite } = world.ctx
  sqlite.exec(`insert into media (id, sha256, bytes, format, name, createdAt)
    values ('film', '${'0'.repeat(64)}', 1, 'mp4', 'film.mp4', '2026-06-12T07:40:00.000Z')`)
  sqlite.prepare(`insert into video_files (videoId, mediaId, position) values (?, 'film', 0)`).run(idOfVideo())
}

/** The browser's player; jsdom has the element, but plays nothing. */
async function player(duration: number) {
  const video = await waitFor(() => {
    const found = document.querySelector('video')
    if (!found) throw new Error('There is no player')
    return found
  })
  Object.defineProperty(video, 'duration', { configurable: true, value: duration })
  const playTo = (seconds: number) => {
    Object.defineProperty(video, 'currentTime', { configurable: true, writable: true, value: seconds })
    fireEvent.timeUpdate(video)
  }
  return { video, playTo }
}

const positions = () => world.ctx.sqlite.prepare('select videoId, seconds from video_positions').all()

/** What the buttons say that are to be pressed next. */
const filled = () =>
  [...document.querySelectorAll('main .btn:not(.btn--line, .btn--bare)')].map(({ textContent }) => textContent)

test('MEMB-19 the picture plays, and so does Watch it', async () => {
  addVideoFile()
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  await screen.findByRole('button', { name: 'Play' })
  expect(filled()).toEqual(['Play'])
  fireEvent.click(document.querySelector('.film__still') ?? document.body)
  await player(600)
  await browser.open('/members')
  fireEvent.click(await screen.findByRole('link', { name: 'Watch it' }), { button: 0 })
  await screen.findByRole('heading', { level: 1, name: 'Where the business is now' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Play' })).toBeNull())
})

test('MEMB-19 PROG-01 a title leads to its video’s page: what it is about, its tick, the videos beside it; Back leads back', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  const page = await browser.open('/members')
  fireEvent.click(await screen.findByRole('link', { name: title }), { button: 0 })
  await heading()
  expect(page.address()).toBe(path)
  expect(screen.getByText('What you want by next Christmas, worked back to this Monday.')).toBeTruthy()
  expect(await screen.findByText('The year on one page: what to do this week.')).toBeTruthy()
  expect(screen.getByText(/Turnover is vanity/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Mark Complete' }))
  await screen.findByText('Video Completed')
  expect(await screen.findByRole('button', { name: 'Mark Incomplete' })).toBeTruthy()
  const beside = within(screen.getByRole('navigation', { name: 'Previous and next video' }))
  expect(beside.getByRole('link', { name: /Previous/ }).textContent).toContain('Where the business is now')
  const next = screen.getByRole('link', { name: /^Next/ })
  expect(filled()).toEqual([next.textContent])
  fireEvent.click(next)
  await screen.findByRole('heading', { level: 1, name: 'Choosing the work you want' })
  page.back()
  await heading()
  page.back()
  await screen.findByRole('heading', { level: 4, name: title })
})

test('a video’s page is titled by it, also where the device did not know it yet', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  for (const _ of ['new to this device', 'known']) {
    await browser.open(path)
    await heading()
    await waitFor(() => expect(document.title).toBe(`${title}: The Alliance`))
  }
})

test('MEMB-04 a link that another member sent asks for the login, and leads to the video after it', async () => {
  const page = await browser.open(path)
  const login = await screen.findByRole('link', { name: 'Log in' })
  expect(new URL(login.getAttribute('href') ?? '', 'http://a').searchParams.get('redirect')).toBe(path)
  browser.signIn(world.addMember({ tier: 'lite' }))
  await page.go(path)
  await page.close()
  await browser.open(path)
  await heading()
})

test('a video that is not there, or is of another tier, says so, and leads to the others', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  for (const other of ['never-was', 'your-three-year-plan']) {
    await browser.open(`/members/videos/${other}`)
    await screen.findByText('We can’t find that video')
    for (const link of screen.getAllByRole('link', { name: 'All videos' }))
      expect(link.getAttribute('href')).toBe('/members')
  }
})

test('ERR-25 without signal the video opens from this phone: all there is to read, a tick that waits, and no video to play', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  await screen.findByText(/Turnover is vanity/)
  browser.setSignal(false)
  const before = browser.network.sent.length
  await browser.open(path)
  await heading()
  expect(await screen.findByText(/Turnover is vanity/)).toBeTruthy()
  expect(screen.getByText(/You need signal to watch this\./).textContent).toMatch(/You can still read what’s below\.$/)
  fireEvent.click(screen.getByRole('button', { name: 'Mark Complete' }))
  await screen.findByText('Saved on this phone.')
  expect(await screen.findByText('Waiting to send')).toBeTruthy()
  expect(browser.network.sent.length).toBe(before)
})

test('ERR-25 without signal a video without notes promises none', async () => {
  world.ctx.sqlite.exec('delete from video_texts')
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  await heading()
  browser.setSignal(false)
  const words = await screen.findByText(/You need signal to watch this\./)
  expect(words.textContent).toMatch(/watch this\.$/)
})

test('a video of our own begins where it was left, has its captions, and offers the tick near its end', {
  tags: ['full'],
}, async () => {
  addVideoFile()
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Play' }))
  const first = await player(600)
  await waitFor(() =>
    expect(first.video.querySelector('track')?.getAttribute('src')).toBe(captionsAddress(idOfVideo())),
  )
  first.playTo(134.6)
  fireEvent.pause(first.video)
  await waitFor(() => expect(positions()).toEqual([{ videoId: idOfVideo(), seconds: 134 }]))
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Resume at 2:14' }))
  const again = await player(600)
  fireEvent.loadedMetadata(again.video)
  expect(again.video.currentTime).toBe(134)
  expect(screen.queryByText('You’ve watched nearly all of it')).toBeNull()
  again.playTo(541)
  await waitFor(() => expect(filled()).toEqual(['Mark Complete']))
  fireEvent.click(screen.getByRole('button', { name: 'Mark Complete' }))
  await waitFor(() => expect(screen.queryByText('You’ve watched nearly all of it')).toBeNull())
  fireEvent.ended(again.video)
  await waitFor(() => expect(positions()).toEqual([{ videoId: idOfVideo(), seconds: 0 }]))
})

test('a question is about the second the video stands at, also once it’s back at its start', async () => {
  addVideoFile()
  browser.signIn(world.addMember({ tier: 'lite' }))
  for (const [stood, at] of [
    [[75.4], 75],
    [[75.4, 0], null],
  ] as const) {
    const page = await browser.open(path)
    fireEvent.click(await screen.findByRole('button', { name: /^(Play|Start again)$/ }))
    const { playTo } = await player(600)
    for (const seconds of stood) playTo(seconds)
    fireEvent.click(await screen.findByRole('link', { name: 'Ask about this' }), { button: 0 })
    await screen.findByRole('heading', { level: 1, name: 'Ask your coach' })
    const search = new URL(page.address(), 'http://a').searchParams
    expect([search.get('video'), search.get('at')]).toEqual([idOfVideo(), at === null ? null : String(at)])
  }
})

test('a video plays faster, in a small window, and is led from a locked phone, to the next video too', async () => {
  const handlers = new Map<string, (() => void) | null>()
  const lockScreen: { metadata: { title: string } | null; setActionHandler(name: string, then: () => void): void } = {
    metadata: null,
    setActionHandler: (name, then) => void handlers.set(name, then),
  }
  class Metadata {
    constructor(shown: { title: string }) {
      Object.assign(this, shown)
    }
  }
  Object.assign(globalThis, { MediaMetadata: Metadata })
  Object.defineProperty(navigator, 'mediaSession', { configurable: true, value: lockScreen })
  Object.defineProperty(document, 'pictureInPictureEnabled', { configurable: true, value: true })
  addVideoFile()
  browser.signIn(world.addMember({ tier: 'lite' }))
  const page = await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Play' }))
  const { video, playTo } = await player(600)
  fireEvent.change(await screen.findByLabelText('Speed'), { target: { value: '1.5' } })
  await waitFor(() => expect([video.playbackRate, video.defaultPlaybackRate]).toEqual([1.5, 1.5]))
  const small: EventTarget[] = []
  Object.assign(video, { requestPictureInPicture: async () => void small.push(video) })
  fireEvent.click(screen.getByRole('button', { name: 'Small window' }))
  await waitFor(() => expect(small).toEqual([video]))
  expect(lockScreen.metadata?.title).toBe(title)
  playTo(100)
  handlers.get('seekforward')?.()
  expect(video.currentTime).toBe(110)
  handlers.get('seekbackward')?.()
  expect(video.currentTime).toBe(100)
  const next = screen.getByRole('link', { name: /^Next/ }).getAttribute('href')
  handlers.get('nexttrack')?.()
  await waitFor(() => expect([page.address(), lockScreen.metadata]).toEqual([next, null]))
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Resume at 1:40' }))
  const { video: again } = await player(600)
  await waitFor(() => expect(again.playbackRate).toBe(1.5))
  Reflect.deleteProperty(navigator, 'mediaSession')
  Reflect.deleteProperty(document, 'pictureInPictureEnabled')
})

test('a host’s player that tells where it is begins where it was left; another frame is not believed', {
  tags: ['full'],
}, async () => {
  const youTube = { videoType: 'youtube', videoId: 'aqz-KE-bpKQ' }
  const { sqlite } = world.ctx
  sqlite.prepare('update member_videos set videoType = :videoType, videoId = :videoId where id = :id').run({
    ...youTube,
    id: idOfVideo(),
  })
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Play' }))
  const iframe = await screen.findByTitle(title)
  if (!(iframe instanceof HTMLIFrameElement)) throw new Error('There is no frame')
  const say = (info: object, from = 'https://www.youtube-nocookie.com') =>
    fireEvent(
      window,
      new MessageEvent('message', {
        source: iframe.contentWindow,
        origin: from,
        data: JSON.stringify({ event: 'infoDelivery', info }),
      }),
    )
  say({ currentTime: 1.5, duration: 600, playerState: 1 })
  say({ currentTime: 500, duration: 600, playerState: 2 }, 'https://evil.example')
  say({ currentTime: 77, duration: 600, playerState: 2 })
  await waitFor(() => expect(positions()).toEqual([{ videoId: idOfVideo(), seconds: 77 }]))
  say({ currentTime: 545 })
  expect(await screen.findByText('You’ve watched nearly all of it')).toBeTruthy()
  say({ currentTime: 90, playerState: 2 })
  await waitFor(() => expect(positions()).toEqual([{ videoId: idOfVideo(), seconds: 90 }]))
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Resume at 1:30' }))
  expect((await screen.findByTitle(title)).getAttribute('src')).toContain('start=90')
})

test('hand-outs are downloaded from the video’s page; without signal their names are there, and that they need it', async () => {
  const { sqlite } = world.ctx
  sqlite.exec(`insert into media (id, sha256, bytes, format, name, createdAt)
    values ('sheet', '${'1'.repeat(64)}', 41000, 'xlsx', 'Prices.xlsx', '2026-06-12T07:40:00.000Z')`)
  sqlite
    .prepare(`insert into video_handouts (videoId, mediaId, position, title) values (?, 'sheet', 0, 'Price sheet')`)
    .run(idOfVideo())
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open(path)
  const link = await screen.findByRole('link', { name: 'Price sheet XLSX, 41 kB' })
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual(['/api/media/sheet.xlsx', 'Prices.xlsx'])
  expect(screen.queryByText('You need signal to download these.')).toBeNull()
  browser.setSignal(false)
  await browser.open(path)
  await screen.findByText('You need signal to download these.')
  expect(screen.getByRole('link', { name: 'Price sheet XLSX, 41 kB' })).toBeTruthy()
})

test('a line of the transcript leads to its second, and so does an address that search gave', async () => {
  HTMLMediaElement.prototype.play = async () => {}
  addVideoFile()
  const danny = world.addMember({ tier: 'lite' })
  browser.signIn(danny)
  await browser.open(path)
  const transcript = within((await screen.findByText('Transcript')).closest('details') ?? document.body)
  fireEvent.click(transcript.getByRole('button', { name: /^Put last year in front of you/ }))
  const { video } = await player(600)
  fireEvent.loadedMetadata(video)
  const texts = v.parse(VideoTextList, await (await world.signIn(danny)('/api/member-videos/texts')).json())
  const { transcript: words = '', marks = [] } = texts.find(({ videoId }) => videoId === idOfVideo()) ?? {}
  const place = words?.indexOf('Put last year') ?? -1
  expect(marks).toContainEqual([video.currentTime, place])
  expect(place).toBeGreaterThan(0)
  await browser.open(`${path}#t=7`)
  const { video: again } = await player(600)
  fireEvent.loadedMetadata(again)
  expect(again.currentTime).toBe(7)
})
