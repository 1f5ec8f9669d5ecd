import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { BrowserContext, Page } from 'playwright'
import { openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { videoFiles } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { readSettings } from '#api/settings.ts'
import { mediaAddress } from '#shared/values/media.ts'
import { startBeside } from './beside.ts'
import { addCookie, openPhone, waitForWorker } from './browser.ts'
import { formatMs, medianOfRounds, printRatio } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { memoryMb, type RunningServer, root, startPlain, startProduct } from './programs.ts'
import { captureResponse, compressed } from './reads.ts'
import { visit } from './uploads.ts'

/** Kept videos: how soon they play, what fetching them costs the phone, and what it costs everyone else. */
export async function measureShelf({ copyDataDir, videoIds, member: { cookie } }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  const played = await addVideoFile(dataDir, videoIds[0] ?? '', 60_000_000)
  const large = await addVideoFile(dataDir, videoIds[1] ?? '', 1_000_000_000)
  await using server = await startProduct(dataDir)
  await measureBeside(server, dataDir, { cookie, videoFile: large })
  await using context = await openPhone()
  const { url } = server
  await addCookie(context, url, cookie)
  const page = await context.newPage()
  await page.goto(`${url}/members`)
  await waitForWorker(page)
  await keep(page, url, played)
  await wholeHere(page)
  await measureFirstFrame(page, played)
  await measureMemory(context, page, () => keep(page, url, large))
}

type BenchVideoFile = { slug: string; sha256: string; address: string; bytes: number }

/** Gives a video of the list a video of this size. */
async function addVideoFile(dataDir: string, videoId: string, bytes: number): Promise<BenchVideoFile> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-films-'))
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  try {
    const [slug, path] = [`film-${bytes}`, join(folder, 'film.mp4')]
    writeVideoFile(path, bytes)
    const row = await storeMedia(ctx, Bun.file(path), { name: `${slug}.mp4`, isPublic: false })
    ctx.db.delete(videoFiles).where(eq(videoFiles.videoId, videoId)).run()
    insertRow(ctx, videoFiles, { videoId, mediaId: row.id, position: 0 })
    const updatedAt = ctx.now().toISOString()
    ctx.db.update(memberVideos).set({ title: slug, slug, updatedAt }).where(eq(memberVideos.id, videoId)).run()
    return { slug, sha256: row.sha256, bytes: row.bytes, address: mediaAddress({ ...row, isPublic: false }) }
  } finally {
    ctx.sqlite.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A clip that plays, made as large by a box of noise that players skip. */
function writeVideoFile(path: string, bytes: number): void {
  const clip = readFileSync(join(root, 'data/seed/media/lesson-van.mp4'))
  const noise = bytes - clip.length - 8
  const head = Buffer.alloc(8)
  head.writeUInt32BE(noise + 8)
  head.write('free', 4)
  writeFileSync(path, Buffer.concat([clip, head]))
  const block = crypto.getRandomValues(new Uint8Array(65_536))
  const parts = Buffer.concat(Array.from({ length: 64 }, () => block))
  for (let left = noise; left > 0; left -= parts.length) {
    // Each block differs, so that no piece is like another.
    parts.writeUInt32BE(left, 0)
    appendFileSync(path, parts.subarray(0, Math.min(left, parts.length)))
  }
}

async function keep(page: Page, url: string, { slug }: BenchVideoFile): Promise<void> {
  await page.goto(`${url}/members/videos/${slug}`)
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  const dialog = page.getByRole('dialog').getByRole('button', { name: /^Keep 1 video/ })
  const begun = page.getByRole('button', { name: /^(Don’t keep it|Delete from this phone)$/ })
  await dialog.or(begun).first().waitFor()
  // The second time the choices are known.
  if (await dialog.isVisible()) await dialog.click()
}

const wholeHere = (page: Page) =>
  page.getByRole('button', { name: 'Delete from this phone' }).waitFor({ timeout: 540_000 })

async function measureFirstFrame(page: Page, { sha256, bytes }: BenchVideoFile): Promise<void> {
  const kept = `/kept/${sha256}.mp4`
  const blob = await page.evaluate(async (address) => URL.createObjectURL(await (await fetch(address)).blob()), kept)
  const time = (address: string) => page.evaluate(timeFirstFrame, address)
  const comparison = await medianOfRounds({ rounds: 15, floor: () => time(blob), product: () => time(kept) })
  const row = `First frame of a kept film of ${bytes / 1e6} MB, next to a blob: of it`
  printRatio(row, comparison, { format: formatMs, limit: { atMost: 0.4 } })
}

/** Runs in the page: ms until a new player shows the video's first frame. */
async function timeFirstFrame(address: string): Promise<number> {
  const video = document.createElement('video')
  video.muted = true
  document.body.prepend(video)
  const start = performance.now()
  const shown = new Promise((resolve, reject) => {
    video.requestVideoFrameCallback(resolve)
    video.addEventListener('error', () => reject(new Error(video.error?.message)))
  })
  video.src = address
  await video.play()
  await shown
  const ms = performance.now() - start
  video.removeAttribute('src')
  video.load()
  video.remove()
  return ms
}

/** The whole browser's own memory, in its first quarter and in its last, without what its processes share with files. */
async function measureMemory(context: BrowserContext, page: Page, keepLarge: () => Promise<void>): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('The browser doesn’t say which processes it has.')
  const memory = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { id }) => sum + memoryMb(id, 'RssAnon'), 0)
  }
  const [before, samples] = [await memory(), [] as number[]]
  await keepLarge()
  const start = performance.now()
  const done = wholeHere(page).then(() => true)
  while (!(await Promise.race([done, Bun.sleep(250).then(() => false)]))) samples.push(await memory())
  const seconds = Math.round((performance.now() - start) / 1000)
  const quarter = Math.ceil(samples.length / 4)
  const [floor, product] = [Math.max(...samples.slice(0, quarter)), Math.max(...samples.slice(-quarter))]
  const format = (megabytes: number) => `${Math.round(megabytes)} MB`
  const row = 'Browser’s memory while it fetches 1 GB, last quarter next to first'
  const note = `${format(before)} before; the film took ${seconds} s, ${samples.length} samples`
  printRatio(row, { floor, product, ratio: product / floor }, { format, limit: { atMost: 1.25 }, note })
}

const [phones, bytesPerSecond] = [100, 1_250_000]

/**
 * How long front page visitors wait beside 100 phones that fetch at 10 Mbit/s each. The floor is a server that sends the same bytes,
 * beside as many phones: visitors, phones and server share the machine.
 */
async function measureBeside(
  server: RunningServer,
  dataDir: string,
  { cookie, videoFile }: { cookie: string; videoFile: BenchVideoFile },
) {
  const { file, fields } = await captureResponse(server, '/', { dataDir, headers: compressed })
  await using plain = await startPlain(file, fields)
  const visitBeside = async (asked: RunningServer) => {
    const address = asked.url + videoFile.address
    const downloads = startBeside('download', { address, cookie, phones, bytesPerSecond, bytes: videoFile.bytes })
    try {
      // All are under way once as many pieces have come as there are phones.
      for await (const _ of downloads.stdout) break
      if (downloads.exitCode !== null) throw new Error('The phones could not fetch.')
      return (await visit(asked)).p99
    } finally {
      downloads.kill('SIGKILL')
      await downloads.exited
    }
  }
  const [floor, product] = [() => visitBeside(plain), () => visitBeside(server)]
  const comparison = await medianOfRounds({ rounds: 3, floor, product })
  const row = `Front page, p99 beside ${phones} downloads`
  printRatio(row, comparison, { format: formatMs, limit: { atMost: 1.8 } })
}
