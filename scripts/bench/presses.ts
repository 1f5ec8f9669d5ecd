import type { Browser } from 'playwright'
import { openBrowser, phoneScreen } from './browser.ts'
import { formatMs, median, printRow } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { ask, startProduct } from './programs.ts'
import { findNewestPostPath } from './public-pages.ts'

const [rate, stepMs, lastMs, mostMs, mostTimesFloor] = [16, 200, 2_000, 100, 1.5]

/**
 * How long a very slow phone takes to show the menu, pressed at any moment after the first paint, each time in a first visit. The
 * floor is the same menu in a `<details>`, on a page with nothing else: what any press costs on this machine.
 */
export async function measurePresses({ copyDataDir }: Fixture): Promise<void> {
  await using browser = await openBrowser()
  await using server = await startProduct(copyDataDir())
  for (const path of ['/', await findNewestPostPath(server.url)]) {
    const plain = plainMenu((await ask(server, path)).body)
    await using floor = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(plain, { headers: { 'content-type': 'text/html' } }),
    })
    const menus = {
      floor: await findMenu(browser, floor.url.href),
      product: await findMenu(browser, server.url + path),
    }
    const waits = { floor: [] as number[], product: [] as number[] }
    for (let at = 0; at <= lastMs; at += stepMs) {
      waits.floor.push(await timePress(browser, menus.floor, at))
      waits.product.push(await timePress(browser, menus.product, at))
    }
    printPresses(path, waits)
  }
}

function printPresses(path: string, { floor, product }: Record<'floor' | 'product', number[]>): void {
  for (const [name, of] of [
    ['the middle one', median],
    ['the slowest', (waits: readonly number[]) => Math.max(...waits)],
  ] as const) {
    const [least, ms] = [of(floor), of(product)]
    printRow(`${path}: menu pressed each ${stepMs} ms up to ${lastMs / 1000} s, CPU ÷ ${rate}, ${name}`, {
      floor: formatMs(least),
      product: formatMs(ms),
      ratio: (ms / least).toFixed(2),
      limit: `≤ ${mostMs} ms or ${mostTimesFloor}`,
      isMet: ms <= Math.max(mostMs, mostTimesFloor * least),
    })
  }
}

function plainMenu(html: string): string {
  const [style, menu] = [/<style>.*?<\/style>/s, /<div [^>]*class="menu".*?<\/div>/s].map(
    (part) => part.exec(html)?.[0],
  )
  if (style === undefined || menu === undefined) throw new Error('There is no menu.')
  const screen = '<meta name="viewport" content="width=device-width">'
  return `<!doctype html>${screen}${style}<details><summary class="nav__menu">Menu</summary>${menu.replace(' hidden=""', '')}</details>`
}

type Menu = { url: string; x: number; y: number }

/** Where the menu's button is, in a visit of its own: looking would keep a slow page busy. */
async function findMenu(browser: Browser, url: string): Promise<Menu> {
  await using context = await browser.newContext({ ...phoneScreen, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await page.goto(url)
  const box = await page.locator('.nav__menu').boundingBox()
  if (box === null) throw new Error(`There is no menu at ${url}.`)
  return { url, x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Ms from the press, `at` ms after the first paint, to the frame that shows the menu. */
async function timePress(browser: Browser, { url, ...place }: Menu, at: number): Promise<number> {
  await using context = await browser.newContext({ ...phoneScreen, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.addInitScript(notePress)
  await devTools.send('Page.enable')
  await devTools.send('Page.setLifecycleEventsEnabled', { enabled: true })
  const painted = new Promise<void>((resolve) => {
    devTools.on('Page.lifecycleEvent', ({ name }) => name === 'firstContentfulPaint' && resolve())
  })
  await devTools.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(url, { waitUntil: 'commit' })
  await painted
  await Bun.sleep(at)
  // Not awaited: it's answered when the page has dealt with it.
  void devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place] })
  void devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  // A question to the page takes its time too.
  await Bun.sleep(1_000)
  const waited = await page.waitForFunction(() => document.documentElement.dataset.menuMs, null, { polling: 200 })
  return Number(await waited.jsonValue())
}

/** Runs in the page. The browser itself counts from the moment it got the press to the frame after it. */
function notePress(): void {
  new PerformanceObserver((list) => {
    const press = list.getEntries().find(({ name }) => name === 'click')
    const isOpen = document.querySelector('.menu:not([hidden])')?.checkVisibility()
    if (press) document.documentElement.dataset.menuMs = isOpen ? String(press.duration) : 'NaN'
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}
