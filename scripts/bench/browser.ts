import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright'
import { findChromium } from '../chromium.ts'

export const phoneScreen = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }

const launched = (more: readonly string[] = []) => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('There is no Chromium: bun scripts/chromium.ts installs one.')
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = [...sandbox, '--disable-quic', '--disable-background-networking', '--no-first-run', ...more]
  return { executablePath, args }
}

export const openBrowser = (more: readonly string[] = []) => chromium.launch(launched(more))

/** A phone with its own folder on disk: a private window keeps its files in memory. */
export async function openPhone() {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-phone-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  // The site forbids blob: addresses, which are the floor.
  return chromium.launchPersistentContext(folder, { ...phoneScreen, ...launched(), bypassCSP: true })
}

export async function addCookie(context: BrowserContext, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
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

/** A page with a list, and what finds its rows. */
export type ListPage = { context: BrowserContext; url: string; rows: string; count: number }

/**
 * Ms from navigation until all rows of the list are painted, in a new page with 4× CPU throttling. The page stays open for `stayMs`
 * more, for its background requests.
 */
export async function timeRows({ context, url, rows, count }: ListPage, stayMs = 0): Promise<number> {
  await using page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(markLastRow, { rows, count })
  await page.goto(url, { waitUntil: 'commit' })
  const mark = await page.waitForFunction(() => document.documentElement.dataset.lastRowAt, null, { polling: 100 })
  const ms = Number(await mark.jsonValue())
  await page.waitForTimeout(stayMs)
  return ms
}

/** Runs in the page: records the time after the frame that painted the last row. */
function markLastRow({ rows, count }: { rows: string; count: number }): void {
  const checkRows = () => {
    if (document.querySelectorAll(rows).length < count) return requestAnimationFrame(checkRows)
    return requestAnimationFrame(() =>
      setTimeout(() => {
        document.documentElement.dataset.lastRowAt = String(performance.now())
      }),
    )
  }
  requestAnimationFrame(checkRows)
}
