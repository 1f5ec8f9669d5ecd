import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { findChromium } from '../chromium.ts'
import { phoneScreen, waitForWorker } from './browser.ts'
import type { Fixture } from './fixture.ts'
import { type LoadOptions, runLoad } from './load.ts'
import { baseEnv, type RunningServer, root, startProduct, startServer, withServer } from './programs.ts'
import { captureResponse, plainServer } from './reads.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { medianOfRounds, quantile } from './rounds.ts'
import { addFilms, type BenchFilm } from './shelf-films.ts'

const [playedBytes, largeBytes] = [60_000_000, 1_000_000_000]
const downloader = fileURLToPath(new URL('./downloader.ts', import.meta.url))

/** Kept videos: how soon they play, what fetching them costs the phone, and what it costs everyone else. */
export async function measureShelf(fixture: Fixture): Promise<Result[]> {
  const dataDir = fixture.copyDataDir()
  const films = await addFilms(dataDir, fixture.videoIds, [playedBytes, largeBytes])
  const [played, large] = films
  if (!played || !large) throw new Error('The films are missing.')
  return withServer(startProduct(dataDir), async (server) => {
    const beside = await measureBeside(server, dataDir, { cookie: fixture.cookie, film: large })
    const onPhone = await withPhone(server, fixture.cookie, async (context, page) => {
      await keep(page, played)
      await wholeHere(page)
      const frame = await measureFirstFrame(page, played)
      return [frame, ...(await measureMemory(context, page, large))]
    })
    return [...onPhone, beside]
  })
}

/** A folder on disk: a private window keeps its files in memory. */
async function withPhone<Answer>(
  { url }: RunningServer,
  cookie: string,
  work: (context: BrowserContext, page: Page) => Promise<Answer>,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-phone-'))
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium: bun scripts/chromium.ts installs one.')
  // The site forbids blob: addresses, which are the floor.
  const context = await chromium.launchPersistentContext(folder, {
    ...phoneScreen,
    executablePath,
    bypassCSP: true,
    baseURL: url.replace('127.0.0.1', 'localhost'),
    args: ['--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  try {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: url.replace('127.0.0.1', 'localhost') }])
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto('/members')
    await waitForWorker(page)
    return await work(context, page)
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function keep(page: Page, { slug }: BenchFilm): Promise<void> {
  await page.goto(`/members/videos/${slug}`)
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  const dialog = page.getByRole('dialog').getByRole('button', { name: /^Keep 1 video/ })
  const begun = page.getByRole('button', { name: /^(Don’t keep it|Remove from this phone)$/ })
  await dialog.or(begun).first().waitFor()
  // The second time the choices are known.
  if (await dialog.isVisible()) await dialog.click()
}

const wholeHere = (page: Page) =>
  page.getByRole('button', { name: 'Remove from this phone' }).waitFor({ timeout: 600_000 })

async function measureFirstFrame(page: Page, { sha256, bytes }: BenchFilm): Promise<Result> {
  const kept = `/kept/${sha256}.mp4`
  const blob = await page.evaluate(async (address) => URL.createObjectURL(await (await fetch(address)).blob()), kept)
  const time = (address: string) => page.evaluate(timeFirstFrame, address)
  const comparison = await medianOfRounds(15, { floor: () => time(blob), product: () => time(kept) })
  return ratioRow(`First frame of a kept film of ${bytes / 1e6} MB, next to a blob: of it`, comparison, formatMs, {
    atMost: 1.5,
  })
}

/** Runs in the page: ms until a new player shows the film's first frame. */
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

const mostGrowth = 1.25

/** The whole browser's own memory, in its first quarter and in its last. */
async function measureMemory(context: BrowserContext, page: Page, film: BenchFilm): Promise<Result[]> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('The browser doesn’t say which processes it has.')
  const samples: number[] = []
  const before = await browserMemory(session)
  await keep(page, film)
  const start = performance.now()
  const done = wholeHere(page).then(() => true)
  while (!(await Promise.race([done, Bun.sleep(250).then(() => false)]))) samples.push(await browserMemory(session))
  const seconds = (performance.now() - start) / 1000
  const quarter = Math.ceil(samples.length / 4)
  const [floor, product] = [Math.max(...samples.slice(0, quarter)), Math.max(...samples.slice(-quarter))]
  const row = `Browser’s memory while it fetches ${film.bytes / 1e9} GB, last quarter next to first`
  const note = `${formatMb(before)} before; the film took ${seconds.toFixed(0)} s, ${samples.length} samples`
  return [{ ...ratioRow(row, { floor, product, ratio: product / floor }, formatMb, { atMost: mostGrowth }), note }]
}

const formatMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

type Session = Awaited<ReturnType<Browser['newBrowserCDPSession']>>

/** Of all its processes, without what they share with files. */
async function browserMemory(session: Session): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.reduce((sum, { id }) => sum + anonymousBytes(id), 0)
}

function anonymousBytes(pid: number): number {
  try {
    const [, kb = 0] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb) * 1024
  } catch {
    // It has ended since.
    return 0
  }
}

const visitors: LoadOptions = { connections: 50, count: 2000 }
const [downloads, bytesPerSecond, mostTimes] = [100, 1_250_000, 2]

const compressed = { 'accept-encoding': 'gzip, deflate, br' }

/**
 * How long front page visitors wait beside 100 phones that fetch at 10 Mbit/s each. The floor is a server that sends the same bytes,
 * beside as many phones: visitors, phones and server share the machine.
 */
async function measureBeside(server: RunningServer, dataDir: string, phones: Phones): Promise<Result> {
  const { bytes, fields } = await captureResponse(`${server.url}/`, compressed)
  const file = join(dataDir, 'front-page')
  await Bun.write(file, bytes)
  return withServer(startServer([plainServer, file, JSON.stringify(fields)]), async (plain) => {
    const measured = { floor: () => visitBeside(plain, phones), product: () => visitBeside(server, phones) }
    const row = `Front page, p99 beside ${downloads} downloads`
    return ratioRow(row, await medianOfRounds(3, measured), formatMs, { atMost: mostTimes })
  })
}

type Phones = { cookie: string; film: BenchFilm }

async function visitBeside(server: RunningServer, { cookie, film }: Phones): Promise<number> {
  const argv = [server.url, cookie, ...[downloads, bytesPerSecond, film.address, film.bytes].map(String)]
  const phones = Bun.spawn([process.execPath, '--no-env-file', downloader, ...argv], {
    cwd: root,
    env: baseEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    // All are under way once as many pieces have come as there are phones.
    for await (const _ of phones.stdout) break
    if (phones.exitCode !== null) throw new Error('The phones could not fetch.')
    const next = () => ({ path: '/', init: { headers: compressed } })
    return quantile((await runLoad({ server, status: 200, next }, visitors)).latencies, 0.99)
  } finally {
    phones.kill('SIGKILL')
    await phones.exited
  }
}
