import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { findChromium } from '../chromium.ts'

const browserArguments = ['--disable-quic', '--disable-background-networking', '--no-first-run']

export const phoneScreen = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }

export async function withBrowser<Result>(
  work: (browser: Browser) => Promise<Result>,
  extraArguments: readonly string[] = [],
): Promise<Result> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium: bun scripts/chromium.ts installs one.')
  const sandboxArguments = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = [...sandboxArguments, ...browserArguments, ...extraArguments]
  const browser = await chromium.launch({ executablePath, args })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Waits until a service worker controls the page, when it has cached its files. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
}

/**
 * Ms from navigation until `count` rows of the list are painted, in a new page with 4× CPU throttling. The page stays open for
 * `stayMs` more, for its background requests.
 */
export async function timeRows(context: BrowserContext, url: string, count: number, stayMs = 0): Promise<number> {
  const page = await context.newPage()
  try {
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addInitScript(markLastRow, count)
    await page.goto(url, { waitUntil: 'commit' })
    const mark = await page.waitForFunction(() => document.documentElement.dataset.lastRowAt, null, { polling: 100 })
    const ms = Number(await mark.jsonValue())
    await page.waitForTimeout(stayMs)
    return ms
  } finally {
    await page.close()
  }
}

/** Runs in the page: records the time after the frame that painted the last row. */
function markLastRow(count: number): void {
  const checkRows = () => {
    if (document.querySelectorAll('li.row').length < count) return requestAnimationFrame(checkRows)
    return requestAnimationFrame(() =>
      setTimeout(() => {
        document.documentElement.dataset.lastRowAt = String(performance.now())
      }),
    )
  }
  requestAnimationFrame(checkRows)
}
