import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { openMemberStore } from '#pwa/sync/progress/store.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { shelfForms } from '#shared/contract/shelf.ts'

const slug = 'the-year-on-one-page'
const path = `/members/videos/${slug}`
const title = 'The year on one page'
const sha256 = 'a'.repeat(64)

let world: World
let browser: Browser
let member: TestPerson
let videos: ReturnType<World['addVideos']>

beforeEach(() => {
  world = startWorld()
  videos = world.addVideos()
  browser = createBrowser(world)
  member = world.addMember({ tier: 'lite' })
  browser.signIn(member)
  // The service worker, which answers for what's kept, is in control.
  const ready = new Promise(() => {})
  const serviceWorker = { controller: {}, ready, addEventListener: () => {}, removeEventListener: () => {} }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))
})

afterEach(() => browser.close())

const idOf = (wanted: string) => videos.find((video) => video.slug === wanted)?.id ?? ''
const ownId = () => idOf(slug)

function addVideoFile() {
  const { sqlite } = world.ctx
  sqlite.exec(`insert into media (id, sha256, bytes, format, name, createdAt)
    values ('film', '${'0'.repeat(64)}', 1, 'mp4', 'film.mp4', '2026-06-12T07:40:00.000Z')`)
  sqlite.prepare(`insert into video_files (videoId, mediaId, position) values (?, 'film', 0)`).run(ownId())
}

/** As if it had been fetched, or is on its way. */
async function keepSound(videoId: string, isWhole = true) {
  const store = openMemberStore(member.id, { indexedDB, IDBKeyRange })
  const file = { address: '/api/media/x.m4a', format: 'm4a' as const, bytes: 12e6, sha256, form: shelfForms[2] }
  const state = isWhole ? { whole: file, coming: null } : { whole: null, coming: { ...file, pieces: null, have: [] } }
  const reading = { captions: 'WEBVTT\n', handouts: [], readingOf: '' }
  await store.kept.put({ videoId, keptAt: 1, isAutomatic: false, ...state, ...reading })
  store.dexie.close()
}

const files = () => [...document.querySelectorAll('video source')].map((source) => source.getAttribute('src'))
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

test('kept audio stands in for the video without signal alone, with its captions and the tick near its end', async () => {
  addVideoFile()
  await browser.open(path)
  await screen.findByText(/Turnover is vanity/)
  await keepSound(ownId())
  await browser.open(path)
  await press('Play')
  await waitFor(() => expect(files()).toEqual(['/api/media/film.mp4']))
  browser.setSignal(false)
  await browser.open(path)
  await press('Play')
  await waitFor(() => expect(files()).toEqual([`/kept/${sha256}.m4a`, '/api/media/film.mp4']))
  await waitFor(() => expect(document.querySelector('track')?.getAttribute('src')).toBe(`/kept/${ownId()}.vtt`))
  const video = document.querySelector('video')
  if (!video) throw new Error('There is no player')
  Object.defineProperty(video, 'duration', { configurable: true, value: 600 })
  Object.defineProperty(video, 'currentTime', { configurable: true, writable: true, value: 541 })
  fireEvent.timeUpdate(video)
  await screen.findByText('You’ve watched nearly all of it')
  fireEvent.click(screen.getByRole('button', { name: 'Mark Complete' }))
  await screen.findByText('Waiting to send')
})

test('a host’s video whose audio is kept plays at its host with signal, and takes the line from the shelf meanwhile', {
  tags: ['full'],
}, async () => {
  const heard: unknown[] = []
  const channel = new BroadcastChannel('alliance-films')
  channel.onmessage = ({ data }) => void heard.push(data)
  onTestFinished(() => channel.close())
  await browser.open(path)
  await screen.findByText(/Turnover is vanity/)
  await keepSound(ownId())
  await browser.open(path)
  await press('Play')
  expect(await screen.findByTitle(title)).toBeInstanceOf(HTMLIFrameElement)
  await waitFor(() => expect(heard).toContain('network'))
  browser.setSignal(false)
  await browser.open(path)
  await press('Play')
  await waitFor(() => expect(files()).toEqual([`/kept/${sha256}.m4a`]))
})

test('only what’s whole counts as kept on this phone, at the door and in the search', async () => {
  await browser.open('/members')
  await screen.findByRole('link', { name: 'On this phone' })
  await keepSound(ownId())
  await keepSound(idOf('where-the-business-is-now'), false)
  await browser.open('/members')
  await screen.findByRole('link', { name: 'On this phone (1)' })
  await press('Find a video')
  fireEvent.change(await screen.findByLabelText('Show'), { target: { value: 'kept' } })
  await screen.findByText(/^1 video · /)
})
