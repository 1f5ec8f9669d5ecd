import type { Browser } from 'playwright'
import { openBrowser, phoneScreen } from './browser.ts'
import { printMost } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { startProduct } from './programs.ts'
import { findNewestPostPath } from './public-pages.ts'

const [rate, stepMs, lastMs] = [16, 200, 4_000]

/** How long the menu takes to open on a very slow phone, pressed at any moment after the first paint, each time in a first visit. */
export async function measurePresses({ copyDataDir }: Fixture): Promise<void> {
  await using browser = await openBrowser()
  await using server = await startProduct(copyDataDir())
  for (const path of ['/', await findNewestPostPath(server.url)]) {
    const waits: number[] = []
    for (let at = 0; at <= lastMs; at += stepMs) waits.push(await timePress(browser, server.url + path, at))
    const row = `${path}: menu pressed each ${stepMs} ms up to ${lastMs / 1000} s, CPU ÷ ${rate}, the slowest`
    printMost(row, Math.max(...waits), { most: 100 })
  }
}

/** Ms from the press, `at` ms after the first paint, to the frame that shows the menu. */
async function timePress(browser: Browser, url: string, at: number): Promise<number> {
  await using context = await browser.newContext({ ...phoneScreen, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.addInitScript(noteMenu)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(url, { waitUntil: 'commit' })
  const menu = await page.waitForFunction(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const box = document.querySelector('.nav__menu')?.getBoundingClientRect()
    return (
      paint && box && { x: box.x + box.width / 2, y: box.y + box.height / 2, at: performance.now() - paint.startTime }
    )
  })
  const { x, y, at: now } = (await menu.jsonValue()) as { x: number; y: number; at: number }
  await Bun.sleep(Math.max(0, at - now))
  // Not awaited: it's answered when the page has dealt with it.
  void devTools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  void devTools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const waited = await page.waitForFunction(() => document.documentElement.dataset.menuMs)
  return Number(await waited.jsonValue())
}

/** Runs in the page. The event's own time is when the browser got it, however late the page hears of it. */
function noteMenu(): void {
  let pressedAt = 0
  const look = () => {
    if (document.querySelector('.menu:not([hidden])') === null) return requestAnimationFrame(look)
    return setTimeout(() => {
      document.documentElement.dataset.menuMs = String(performance.now() - pressedAt)
    })
  }
  addEventListener(
    'click',
    ({ timeStamp }) => {
      if (pressedAt > 0) return
      pressedAt = timeStamp
      requestAnimationFrame(look)
    },
    true,
  )
}
