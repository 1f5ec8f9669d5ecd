import type { Visitor } from '../engines/visitor.ts'
import { giveVideoFiles, largeVideoFile } from '../shelf-steps.ts'
import { expect, logIn, openList, test } from './fixtures.ts'

const title = 'Deposits and stage payments'
const address = '/members/videos/deposits-and-stage-payments'
const other = 'The year on one page'

type Way = { name: string; tag: string[]; features: Record<string, boolean>; files: boolean[] }

/** `FILES=2/3` tries the second of the ways below. WebKit, which lacks that one, tries the last instead. */
const [part = 1, parts = 1] = (process.env.FILES ?? '1/1').split('/').map(Number)

/** How browsers store large files. WebKit has both kinds of writing or neither, and the oldest browsers have the worker's alone. */
const ways: Way[] = [
  { name: 'files', tag: [], features: {}, files: [true, true] },
  {
    name: 'files that only a worker writes',
    tag: ['@old', '@not-in-webkit'],
    features: { FileSystemWritableStream: false },
    files: [true, false],
  },
  {
    name: 'no files',
    tag: ['@old'],
    features: { FileSystem: false, FileSystemWritableStream: false },
    files: [false, false],
  },
]

const drawn = ways.flatMap((way, at) => {
  if (parts === 1 || at === part - 1) return [way]
  return part === 2 && at === 2 ? [{ ...way, tag: [...way.tag, '@not-in-firefox', '@not-in-chromium'] }] : []
})

for (const { name, tag, features, files } of drawn)
  test(`MEMB-10 MEMB-19 where there are ${name}, a video is kept over a line that breaks, plays without the server and goes`, {
    tag,
  }, async ({ open, site }) => {
    const video = largeVideoFile(title, 13)
    await giveVideoFiles(site.url, [video])
    const phone = await open({ features })
    await logIn(phone, 'standard@alliance.test')
    await openList(phone)
    expect(await phone.read(storesFiles)).toEqual(files)

    site.breaks.push(3e6, 7e6, 11e6)
    site.asked.splice(0)
    await keep(phone)
    await phone.press('button', 'Keep 1 video, 13 MB')
    await phone.sees('button', 'Delete from this phone')
    expect(site.breaks).toEqual([])
    expect(await phone.read(readKept, video.sha256)).toBe(`200 ${video.sha256}`)
    const pieces = site.asked.filter(({ path, range }) => path.startsWith('/api/media/') && range !== '')
    const whole = pieces.filter(({ isWhole, status }) => isWhole && status === 206).map(({ range }) => range)
    expect(new Set(whole).size).toBe(whole.length)

    // They come after the videos.
    await phone.readUntil(keepsCaptions, address)
    await site.loseServer()
    await phone.reload()
    await phone.press('button', 'Play')
    await phone.readUntil(isPlaying, `/kept/${video.sha256}.mp4`)
    await phone.readUntil(showsCaptions)
    await phone.readUntil(seekToTheEnd)
    await phone.goto('/members/listen')
    await phone.press('button', 'Play')
    await playsOnHidden(phone)

    await phone.goto('/members')
    await phone.press('button', 'Mark Complete', { near: other })
    await phone.sees('status', /1 waiting/)
    await site.restore()
    await phone.goto(address)
    await remove(phone)
    expect(await phone.read(readKept, video.sha256)).toMatch(/^404/)
    // The question isn't asked twice.
    await keep(phone)
    await phone.sees('button', 'Delete from this phone')

    await site.loseServer()
    await phone.goto('/members')
    await phone.press('button', 'Mark Complete', { near: title })
    await phone.sees('status', /1 waiting/)
    await phone.press('link', 'Logout')
    await phone.press('button', 'Log out and delete')
    await phone.readUntil(() => location.pathname === '/')
    await phone.readUntil(isAllGone)
    await site.restore()
    await phone.reload()
    await phone.readUntil(() => localStorage.length === 0)
    expect(await phone.read(isAllGone)).toBe(true)
  })

async function keep(phone: Visitor) {
  await phone.goto(address)
  await phone.press('button', 'Keep on this phone')
}

async function remove(phone: Visitor) {
  // Until then the line above grows and shrinks, and moves the button.
  await phone.sees('status', /^Your ticks are saved/)
  await phone.press('button', 'Delete from this phone')
  await phone.sees('dialog')
  await phone.press('button', 'Delete')
  await phone.sees('button', 'Keep on this phone')
}

/** What's heard goes on while another tab is in front. That one hears of it by what the first stores. */
async function playsOnHidden(phone: Visitor) {
  await phone.readUntil(() => (document.querySelector('audio')?.currentTime ?? 0) > 0)
  await phone.read(() => {
    const audio = document.querySelector('audio')
    // Longer than the sample is.
    if (audio) audio.loop = true
    audio?.addEventListener('timeupdate', ({ currentTarget }) => {
      if (document.hidden && currentTarget instanceof HTMLAudioElement)
        new BroadcastChannel('heard').postMessage(currentTarget.currentTime)
    })
  })
  const first = await phone.tab()
  await phone.toTab(await phone.newTab())
  await phone.goto('/about')
  await phone.read(() => {
    const heard = new Set()
    Reflect.set(window, 'heard', heard)
    Reflect.set(
      window,
      'channel',
      new BroadcastChannel('heard').addEventListener('message', ({ data }) => heard.add(data)),
    )
  })
  await phone.readUntil(() => Reflect.get(window, 'heard').size > 2)
  await phone.closeTab()
  await phone.toTab(first)
}

const storesFiles = () => [
  typeof navigator.storage?.getDirectory === 'function',
  'FileSystemFileHandle' in globalThis && 'createWritable' in FileSystemFileHandle.prototype,
]

async function readKept(sha256: string) {
  const response = await fetch(`/kept/${sha256}.mp4`)
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${response.status} ${hex}`
}

function isPlaying(path: string) {
  const video = document.querySelector('video')
  return video !== null && new URL(video.currentSrc).pathname === path && video.currentTime > 0 && video.videoWidth > 0
}

/** Picked in the player's own menu: whether they're on at first is the person's setting in some browsers. */
function showsCaptions() {
  const [track] = document.querySelector('video')?.textTracks ?? []
  if (track) track.mode = 'showing'
  return (track?.cues?.length ?? 0) > 0
}

async function keepsCaptions(page: string) {
  type Video = { id: string; slug: string }
  const all: { videos: Video[] } | Video[] = await (await fetch('/api/member-videos')).json()
  const videos = Array.isArray(all) ? all : all.videos
  const id = videos.find(({ slug }) => page.endsWith(slug))?.id
  return (await fetch(`/kept/${id}.vtt`)).ok
}

/** Its last half second is shown. */
function seekToTheEnd() {
  const video = document.querySelector('video')
  if (!video) return false
  video.pause()
  const at = video.duration - 0.5
  if (!video.seeking && video.currentTime < at) video.currentTime = at
  return !video.seeking && video.currentTime >= at && video.readyState >= 2
}

/** Nothing is left but public files, and ticks that only this member's next login can read. */
async function isAllGone() {
  const settle = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const rows: Record<string, number> = {}
  // Taken away where the browser is an old one.
  const list: () => Promise<IDBDatabaseInfo[]> = Reflect.get(globalThis, Symbol.for('databases'))
  const names = (await (list ?? (() => indexedDB.databases()))()).map(({ name = '' }) => name)
  for (const name of names) {
    const database = await settle(indexedDB.open(name))
    for (const table of database.objectStoreNames)
      rows[table] = (rows[table] ?? 0) + (await settle(database.transaction(table).objectStore(table).count()))
    database.close()
  }
  const cached: string[] = []
  for (const name of await caches.keys())
    cached.push(...(await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))
  const folders: string[] = []
  if (typeof navigator.storage?.getDirectory === 'function')
    for await (const folder of (await navigator.storage.getDirectory()).keys()) folders.push(folder)
  return (
    !names.some((name) => name.startsWith('alliance-member')) &&
    !cached.some((path) => /^\/(api|kept)\//.test(path)) &&
    folders.length === 0 &&
    rows.sealed === 1 &&
    rows.stores === 0
  )
}
