import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { inBrowser, phone, timeRows, waitForWorker } from './browser.ts'
import { type House, videoCount } from './house.ts'
import { inPairs } from './pairs.ts'
import { root, startProduct, whileRunning } from './programs.ts'
import { compared, inMs, type Result } from './result.ts'

const floors = join(root, 'scripts/bench/floors')

/** The list in a cellar: every category open, no signal, a slow phone. */
export const measureOffline = (house: House): Promise<Result[]> =>
  inBrowser(async (browser) => {
    const visited = await whileRunning(startProduct(house.copy()), async (server) => {
      const product = await visitProduct(browser, server.url, house.cookie)
      const floor = await visitFloor(browser, {
        videos: await answer(`${server.url}/api/member-videos`, house.cookie),
        progress: await answer(`${server.url}/api/video-progress`, house.cookie),
      })
      return { product, floor, port: Number(new URL(server.url).port) }
    })
    return measureCut(visited)
  })

type Visited = { product: Place; floor: Place; port: number }
type Place = { context: BrowserContext; url: string }

/** Both without signal, and somebody at the product's address who counts what comes in after all. */
async function measureCut({ product, floor, port }: Visited): Promise<Result[]> {
  let heard = 0
  const ear = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch: () => {
      heard += 1
      return new Response(null, { status: 503 })
    },
  })
  const time = ({ context, url }: Place) => timeRows(context, url, videoCount)
  try {
    await Promise.all([product.context.setOffline(true), floor.context.setOffline(true)])
    const pair = await inPairs(7, { floor: () => time(floor), product: () => time(product) })
    const row = `List of ${videoCount} videos, offline, CPU ÷ 4`
    return [
      compared(row, pair, inMs, { atMost: 2.2 }),
      {
        row: 'Offline list, requests that left',
        floor: '',
        product: String(heard),
        ratio: '',
        limit: '0',
        isMet: heard === 0,
      },
    ]
  } finally {
    await ear.stop(true)
  }
}

/** Opens the members' area as often as it takes until everything is kept, and opens every category for good. */
async function visitProduct(browser: Browser, origin: string, cookie: string): Promise<Place> {
  const url = `${origin.replace('127.0.0.1', 'localhost')}/members`
  const context = await browser.newContext(phone)
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

/** Opens those that stand closed, which the device remembers. Returns how many there were. */
async function openCategories(page: Page): Promise<number> {
  await page.locator('li.row').first().waitFor()
  const closed = page.locator('details:not([open]) > summary')
  const count = await closed.count()
  for (let opened = 0; opened < count; opened += 1) await closed.first().click()
  const last = page.locator('li.row').nth(videoCount - 1)
  await last.waitFor()
  return count
}

/** Opens the least page that shows the same rows, as often as it takes until it needs no server. */
async function visitFloor(browser: Browser, data: { videos: string; progress: string }): Promise<Place> {
  const file = (name: string) => new Response(Bun.file(join(floors, name)))
  const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })
  const server = Bun.serve({
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
  const url = `http://localhost:${server.port}/`
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('li.row').last().waitFor()
  await waitForWorker(page)
  await page.close()
  await server.stop(true)
  return { context, url }
}

async function answer(url: string, cookie: string): Promise<string> {
  const response = await fetch(url, { headers: { cookie } })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return response.text()
}
