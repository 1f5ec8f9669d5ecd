import { createHash, randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type LaunchOptions, type Page, request } from '@playwright/test'
import * as v from 'valibot'
import { AdminVideoList } from '#shared/contract/admin-video.ts'
import { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import { phone } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

export type VideoFile = { title: string; bytes: Buffer<ArrayBuffer>; sha256: string }

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A sample clip that plays, made large by a `free` box of its own noise. */
export function largeVideoFile(title: string, megabytes: number): VideoFile {
  const clip = readFileSync('data/seed/media/lesson-van.mp4')
  const noise = Buffer.alloc(
    Math.round(megabytes * 1e6),
    createHash('sha512')
      .update(title + randomInt(1e9))
      .digest(),
  )
  const head = Buffer.alloc(8)
  head.writeUInt32BE(noise.length + 8)
  head.write('free', 4)
  const bytes = Buffer.concat([clip, head, noise])
  return { title, bytes, sha256: sha256Of(bytes) }
}

/** As an owner: each becomes the file of the video with its title. */
export async function giveVideoFiles(baseURL: string | undefined, videoFiles: readonly VideoFile[]): Promise<void> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
  const owner = await request.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { 'x-forwarded-for': address },
  })
  await logInOverHttp(owner, 'owner@alliance.test')
  for (const { title, bytes, sha256 } of videoFiles) {
    const media = '/api/admin/media/uploads'
    const data = { name: `${title}.mp4`, bytes: bytes.length, fingerprint: sha256, isPublic: false }
    const { id } = v.parse(MediaUpload, await (await owner.post(media, { data })).json())
    for (let at = 0; at < bytes.length; at += maxChunkBytes) {
      const headers = { 'content-type': chunkType, [offsetHeader]: String(at) }
      const sent = await owner.patch(`${media}/${id}`, { headers, data: bytes.subarray(at, at + maxChunkBytes) })
      expect(sent.status()).toBe(200)
    }
    const file = v.parse(MediaFile, await (await owner.post(`${media}/${id}/finish`)).json())
    // Another journey may change the video in between.
    await expect(async () => {
      const videos = v.parse(AdminVideoList, await (await owner.get('/api/admin/videos')).json())
      const video = videos.find((one) => one.title === title)
      const change = { filmFiles: [file.id], version: video?.version }
      expect((await owner.patch(`/api/admin/videos/${video?.id}`, { data: change })).status()).toBe(200)
    }).toPass()
  }
  await owner.dispose()
}

export type OwnPhone = { context: BrowserContext; page: Page; close(): Promise<void> }

/** A phone whose storage is a folder on disk, as a real one's is: a private window has less. */
export async function openPhone(baseURL: string | undefined, launchOptions: LaunchOptions): Promise<OwnPhone> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-phone-'))
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    ...phone,
    ...(baseURL ? { baseURL } : {}),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    serviceWorkers: 'allow',
    extraHTTPHeaders: { 'x-forwarded-for': address },
  })
  const page = context.pages()[0] ?? (await context.newPage())
  const close = async () => {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { context, page, close }
}

/** The ranges of videos as this phone asks for them. Fails for bytes that it had asked for and got. */
export function watchRanges(context: BrowserContext): { twice: string[]; asked: string[] } {
  const seen = { twice: [] as string[], asked: [] as string[] }
  const arrived = new Set<string>()
  context.on('request', (sent) => {
    const { range } = sent.headers()
    if (!range || !sent.url().includes('/api/media/')) return
    const asked = `${new URL(sent.url()).pathname} ${range}`
    seen.asked.push(asked)
    if (arrived.has(asked)) seen.twice.push(asked)
  })
  context.on('requestfinished', (sent) => {
    const { range } = sent.headers()
    if (range && sent.url().includes('/api/media/')) arrived.add(`${new URL(sent.url()).pathname} ${range}`)
  })
  return seen
}

/** Returns what wakes the service worker as the browser does for kept videos, once no page is open any more. */
export async function backgroundSync(context: BrowserContext, origin: string): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(await context.newPage())
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const one = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (one) resolve(one.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  const event = { origin, registrationId, tag: 'alliance-shelf', lastChance: false }
  return async () => void (await session.send('ServiceWorker.dispatchSyncEvent', event))
}

/** What the phone itself answers for a kept video: its status, and the hash of its bytes. */
export const keptVideo = (page: Page, sha256: string): Promise<{ status: number; sha256: string }> =>
  page.evaluate(async (hash) => {
    const response = await fetch(`/kept/${hash}.mp4`)
    const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return { status: response.status, sha256: response.ok ? hex : '' }
  }, sha256)

/** The names of everything in this site's own file systems. */
export const keptNames = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    type Buckets = {
      keys(): Promise<string[]>
      open(name: string): Promise<{ getDirectory(): Promise<FileSystemDirectoryHandle> }>
    }
    const names: string[] = []
    const read = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, entry] of folder.entries()) {
        names.push(name)
        if (entry instanceof FileSystemDirectoryHandle) await read(entry)
      }
    }
    await read(await navigator.storage.getDirectory())
    const buckets: Buckets | undefined = Reflect.get(navigator, 'storageBuckets')
    for (const name of (await buckets?.keys()) ?? []) {
      const bucket = await buckets?.open(name)
      if (bucket) await read(await bucket.getDirectory())
    }
    return names
  })

/** Waits until the player shows this moment of its video. */
export const expectSeeked = (page: Page, seconds: number) =>
  expect
    .poll(() =>
      page.locator('video').evaluate((video: HTMLVideoElement, at) => {
        video.pause()
        if (video.currentTime !== at && !video.seeking) video.currentTime = at
        return !video.seeking && video.currentTime === at && video.readyState >= 2
      }, seconds),
    )
    .toBe(true)

export type Line = {
  url: string
  port: number
  /** Breaks every connection once, when so many more bytes have come. */
  cutAfter(bytes: number): void
  cuts: number
  /** Bytes a second; 0 for as fast as it goes. */
  rate: number
  /** Refuses and breaks every connection while false. */
  isUp: boolean
  /** All that the phone has sent, as text. */
  sent: string
  breakAll(): void
  close(): void
}

/** A line between the phone and its server that can be cut, slowed and taken away. */
export async function layLine(port: number, serverPort: () => number): Promise<Line> {
  const sockets = new Set<Socket>()
  const marks: number[] = []
  let passed = 0
  const pass = async (from: Socket, to: Socket) => {
    for await (const bytes of from) {
      if (line.rate > 0) await new Promise((resolve) => setTimeout(resolve, (1000 * bytes.length) / line.rate))
      to.write(bytes)
      passed += bytes.length
      if (marks[0] === undefined || passed < marks[0]) continue
      marks.shift()
      line.cuts += 1
      line.breakAll()
    }
    to.end()
  }
  const server = createServer((near) => {
    if (!line.isUp) return near.destroy()
    const far = connect(serverPort(), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    near.on('data', (bytes) => {
      line.sent += bytes.toString('latin1')
    })
    near.pipe(far)
    pass(far, near).catch(() => near.destroy())
  })
  const line: Line = {
    url: `http://localhost:${port}`,
    port,
    cuts: 0,
    rate: 0,
    isUp: true,
    sent: '',
    cutAfter: (bytes) => void marks.push(passed + bytes),
    breakAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      line.breakAll()
      server.close()
    },
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return line
}
