import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { phoneScreen, timeRows, waitForWorker, withBrowser } from './browser.ts'
import { type Fixture, videoCount } from './fixture.ts'
import { root, startProduct, withServer } from './programs.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { medianOfRounds } from './rounds.ts'

const floors = join(root, 'scripts/bench/floors')

/** The members' list offline on a slow phone, with every category open. */
export const measureOffline = (fixture: Fixture): Promise<Result[]> =>
  withBrowser(async (browser) => {
    const pages = await withServer(startProduct(fixture.copyDataDir()), async (server) => {
      const product = await visitProduct(browser, server.url, fixture.cookie)
      const plain = serveFloor(await fetchList(server.url, fixture.cookie))
      const floor = await visitFloor(browser, `http://localhost:${plain.port}/`)
      await plain.stop(true)
      return { product, floor, port: Number(new URL(server.url).port) }
    })
    return measureWithoutSignal(pages)
  })

type VisitedPages = { product: VisitedPage; floor: VisitedPage; port: number }
export type VisitedPage = { context: BrowserContext; url: string }

/** Both pages are offline. A listener at the product's address counts requests that are sent anyway. */
async function measureWithoutSignal({ product, floor, port }: VisitedPages): Promise<Result[]> {
  let requestCount = 0
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch: ({ headers }) => {
      // Chromium checks for a newer worker, even in offline mode.
      if (headers.get('sec-fetch-dest') !== 'serviceworker') requestCount += 1
      return new Response(null, { status: 503 })
    },
  })
  const time = ({ context, url }: VisitedPage) => timeRows(context, url, videoCount)
  try {
    await Promise.all([product.context.setOffline(true), floor.context.setOffline(true)])
    const comparison = await medianOfRounds(7, { floor: () => time(floor), product: () => time(product) })
    const row = `List of ${videoCount} videos, offline, CPU ÷ 4`
    return [
      ratioRow(row, comparison, formatMs, { atMost: 2 }),
      {
        row: 'Offline list, requests that left',
        floor: '',
        product: String(requestCount),
        ratio: '',
        limit: '0',
        isMet: requestCount === 0,
      },
    ]
  } finally {
    await listener.stop(true)
  }
}

/** Visits the members' area until it's cached, and opens every category, which the device remembers. */
export async function visitProduct(browser: Browser, origin: string, cookie: string): Promise<VisitedPage> {
  const url = `${origin.replace('127.0.0.1', 'localhost')}/members`
  const context = await browser.newContext(phoneScreen)
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('li.row').first().waitFor()
  await waitForWorker(page)
  await openCategories(page)
  await page.reload()
  const stillClosed = await openCategories(page)
  if (stillClosed > 0) throw new Error(`${stillClosed} categories did not stay open.`)
  await page.close()
  return { context, url }
}

async function openCategories(page: Page): Promise<number> {
  await page.locator('li.row').first().waitFor()
  const closed = page.locator('details:not([open]) > summary')
  const count = await closed.count()
  for (let opened = 0; opened < count; opened += 1) await closed.first().click()
  const last = page.locator('li.row').nth(videoCount - 1)
  await last.waitFor()
  return count
}

type ListData = { videos: string; progress: string }

export const fetchList = async (origin: string, cookie: string): Promise<ListData> => ({
  videos: await fetchText(`${origin}/api/member-videos`, cookie),
  progress: await fetchText(`${origin}/api/video-progress`, cookie),
})

export function serveFloor(data: ListData) {
  const file = (name: string) => new Response(Bun.file(join(floors, name)))
  const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/': () => file('plain-list.html'),
      '/plain-list.js': () => file('plain-list.js'),
      '/plain-list-worker.js': () => file('plain-list-worker.js'),
      '/videos.json': () => json(data.videos),
      '/progress.json': () => json(data.progress),
    },
    fetch: () => new Response(null, { status: 404 }),
  })
}

/** Visits the minimal page until it works without its server. */
export async function visitFloor(browser: Browser, url: string): Promise<VisitedPage> {
  const context = await browser.newContext(phoneScreen)
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('li.row').last().waitFor()
  await waitForWorker(page)
  await page.close()
  return { context, url }
}

async function fetchText(url: string, cookie: string): Promise<string> {
  const response = await fetch(url, { headers: { cookie } })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
  return response.text()
}
