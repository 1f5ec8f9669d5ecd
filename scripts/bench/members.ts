import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { addCookie, type ListPage, openBrowser, phoneScreen, timeRows, waitForWorker } from './browser.ts'
import { formatKb, formatMs, median, medianOfRounds, printMost, printRatio } from './figures.ts'
import { beside, type Fixture, ownerCookie, videoCount } from './fixture.ts'
import { ask, type RunningServer, root, startProduct } from './programs.ts'
import { openCountingProxy, phoneLine } from './proxy.ts'
import { insertQuestions } from './questions.ts'

const rounds = 7

/** The members' lists offline on a slow phone: videos with every category open, and what a member asked in a year. */
export async function measureOffline({ copyDataDir, member }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  await using browser = await openBrowser()
  const videos = `List of ${videoCount} videos, offline, CPU ÷ 4`
  await measureList({ browser, dataDir, cookie: member.cookie, ...videoList, row: videos, atMost: 2 })
  beside(dataDir, (ctx) => insertQuestions(ctx, member.id, questionCount))
  const questions = `List of ${questionCount} questions, offline, CPU ÷ 4`
  await measureList({ browser, dataDir, cookie: member.cookie, ...questionList, row: questions, atMost: 1.8 })
}

type List = { visit: typeof visitVideos; path: string; count: number }
const videoList: List = { visit: visitVideos, path: '/', count: videoCount }
const questionCount = 200
const questionList: List = { visit: visitQuestions, path: '/?of=questions', count: questionCount }

type Offline = List & { browser: Browser; dataDir: string; cookie: string; row: string; atMost: number }

async function measureList({ browser, dataDir, cookie, row, atMost, ...list }: Offline): Promise<void> {
  const server = await startProduct(dataDir)
  const product = await list.visit(browser, server.url, cookie)
  const plain = await serveFloor(server, cookie)
  const floor = await visitFloor(browser, plain.url, list)
  await plain[Symbol.asyncDispose]()
  await server.stop()
  await product.context.setOffline(true)
  await floor.context.setOffline(true)
  let requestCount = 0
  // At the product's address: counts requests that are sent anyway.
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: Number(new URL(server.url).port),
    fetch: ({ headers }) => {
      // Chromium checks for a newer worker, even in offline mode.
      if (headers.get('sec-fetch-dest') !== 'serviceworker') requestCount += 1
      return new Response(null, { status: 503 })
    },
  })
  const comparison = await medianOfRounds({ rounds, floor: () => timeRows(floor), product: () => timeRows(product) })
  printRatio(row, comparison, { format: formatMs, limit: { atMost } })
  printMost('Offline list, requests that left', requestCount, { most: 0, format: String })
  await listener.stop(true)
  await Promise.all([product.context.close(), floor.context.close()])
}

/** A launch makes a few requests in sequence. */
const stayMs = 12 * phoneLine.latencyMs

/**
 * A member opens the app on such a phone: ms from launch to the painted list, online and offline, from the phone's cache, against
 * the same rows without our code. Also the bytes sent in the background.
 */
export async function measureMembers({ copyDataDir, member, videoIds }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  const change = { cookie: member.cookie, owner: ownerCookie(dataDir), videoId: videoIds[0] ?? '' }
  await using browser = await openBrowser()
  await using server = await startProduct(dataDir)
  await using plain = await serveFloor(server, member.cookie)
  await using productProxy = openCountingProxy(server.url)
  await using floorProxy = openCountingProxy(plain.url)
  const product = await visitVideos(browser, productProxy.url, member.cookie)
  const floor = await visitFloor(browser, floorProxy.url, videoList)
  for (const { state } of [productProxy, floorProxy]) state.line = phoneLine
  productProxy.take()
  const launch = async (sent: number[]) => {
    const ms = await timeRows(product, stayMs)
    await Bun.sleep(2 * phoneLine.latencyMs)
    sent.push(productProxy.take().reduce((sum, { bytes }) => sum + bytes, 0))
    return ms
  }
  const [bytes, changedBytes]: [number[], number[]] = [[], []]
  const withSignal = await medianOfRounds({ rounds, floor: () => timeRows(floor), product: () => launch(bytes) })
  for (let round = 0; round < 3; round += 1) {
    await changeSomething(server, change)
    await launch(changedBytes)
  }
  await Promise.all([product.context.setOffline(true), floor.context.setOffline(true)])
  const without = await medianOfRounds({ rounds, floor: () => timeRows(floor), product: () => timeRows(product) })
  const phone = `list of ${videoCount}, CPU ÷ 4, 400 kbit/s, 400 ms`
  printRatio(`Launch without signal to ${phone}`, without, { format: formatMs, limit: { atMost: 2 } })
  printRatio(`Launch with signal to ${phone}`, withSignal, { format: formatMs, limit: { atMost: 2.5 } })
  const nothingNew = 'Launch with signal, nothing new: bytes on the wire'
  printMost(nothingNew, median(bytes), { most: 1_000, format: formatKb })
  const changed = 'Launch with signal, list and ticks changed: bytes on the wire'
  printMost(changed, median(changedBytes), { most: 15_000, format: formatKb })
}

/** Visits the members' area until it's cached, and opens every category, which the device remembers. */
async function visitVideos(browser: Browser, origin: string, cookie: string): Promise<ListPage> {
  const url = `${origin}/members`
  const context = await browser.newContext(phoneScreen)
  await addCookie(context, url, cookie)
  await using page = await context.newPage()
  await page.goto(url)
  await page.locator('li.row').first().waitFor()
  await waitForWorker(page)
  await openCategories(page)
  await page.reload()
  const stillClosed = await openCategories(page)
  if (stillClosed > 0) throw new Error(`${stillClosed} categories did not stay open.`)
  return { context, url, rows: 'li.row', count: videoCount }
}

/** Visits what the member asked until it's cached. */
async function visitQuestions(browser: Browser, origin: string, cookie: string): Promise<ListPage> {
  const list = { url: `${origin}/members/questions`, rows: '.questions__row', count: questionCount }
  const context = await browser.newContext(phoneScreen)
  await addCookie(context, origin, cookie)
  await using page = await context.newPage()
  for (const url of [`${origin}/members`, list.url, list.url]) {
    await page.goto(url)
    await waitForWorker(page)
  }
  await page
    .locator(list.rows)
    .nth(questionCount - 1)
    .waitFor()
  return { context, ...list }
}

async function openCategories(page: Page): Promise<number> {
  await page.locator('li.row').first().waitFor()
  const closed = page.locator('details:not([open]) > summary')
  const count = await closed.count()
  for (let opened = 0; opened < count; opened += 1) await closed.first().click()
  await page
    .locator('li.row')
    .nth(videoCount - 1)
    .waitFor()
  return count
}

/** A minimal page with the same rows, which keeps them and works without its server. */
async function serveFloor(server: RunningServer, cookie: string) {
  const json = async (path: string) => {
    const { body } = await ask(server, path, { headers: { cookie } })
    return () => new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  const file = (name: string) => () => new Response(Bun.file(join(root, 'scripts/bench/floors', name)))
  const plain = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/': file('plain-list.html'),
      '/plain-list.js': file('plain-list.js'),
      '/plain-list-worker.js': file('plain-list-worker.js'),
      '/videos.json': await json('/api/member-videos'),
      '/progress.json': await json('/api/video-progress'),
      '/questions.json': await json('/api/members/questions'),
    },
    fetch: () => new Response(null, { status: 404 }),
  })
  return { url: `http://localhost:${plain.port}`, [Symbol.asyncDispose]: () => plain.stop(true) }
}

async function visitFloor(browser: Browser, origin: string, { path, count }: List): Promise<ListPage> {
  const context = await browser.newContext(phoneScreen)
  await using page = await context.newPage()
  await page.goto(origin + path)
  await page.locator('li.row').last().waitFor()
  await waitForWorker(page)
  return { context, url: origin + path, rows: 'li.row', count }
}

type Change = { cookie: string; owner: string; videoId: string }

/** Ticks or unticks a video on another phone, and renames one as an owner: the phone's copy is out of date. */
async function changeSomething(server: RunningServer, { cookie, owner, videoId }: Change): Promise<void> {
  const read = async (path: string, as: string) =>
    JSON.parse((await ask(server, path, { headers: { cookie: as } })).body)
  const progress: { videoId: string; completed: boolean }[] = await read('/api/video-progress', cookie)
  const mark = progress.find((one) => one.videoId === videoId)?.completed ? 'incomplete' : 'complete'
  const origin = server.url
  await ask(server, `/api/video-progress/${videoId}/${mark}`, { method: 'POST', headers: { cookie, origin } })
  const videos: { id: string; version: number }[] = await read('/api/admin/videos', owner)
  const version = videos.find(({ id }) => id === videoId)?.version ?? 0
  const body = JSON.stringify({ title: `A new title, ${version}`, version })
  const headers = { cookie: owner, origin, 'content-type': 'application/json' }
  await ask(server, `/api/admin/videos/${videoId}`, { method: 'PATCH', headers, body })
}
