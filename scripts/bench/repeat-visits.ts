import type { BrowserContext } from 'playwright'
import { phoneScreen, waitForWorker, withBrowser } from './browser.ts'
import type { Fixture } from './fixture.ts'
import { startProduct, withServer } from './programs.ts'
import { type CountingProxy, openCountingProxy } from './proxy.ts'
import { findNewestPostPath } from './public-pages.ts'
import { formatMs, type Result } from './result.ts'

/** Pages the visitor has seen before, opened while the server hangs and offline. */
export const measureRepeatVisits = (fixture: Fixture): Promise<Result[]> =>
  withBrowser((browser) =>
    withServer(startProduct(fixture.copyDataDir()), async ({ url }) => {
      const proxy = openCountingProxy(url)
      try {
        const context = await browser.newContext(phoneScreen)
        const paths = ['/', await findNewestPostPath(url)]
        await visitOnce(context, proxy, paths)
        proxy.stopResponding()
        const again = await openAll(context, proxy, paths, 'again, server silent')
        await context.setOffline(true)
        return [...again, ...(await openAll(context, proxy, paths, 'again, offline'))]
      } finally {
        await proxy.close()
      }
    }),
  )

async function visitOnce(context: BrowserContext, proxy: CountingProxy, paths: readonly string[]): Promise<void> {
  const page = await context.newPage()
  for (const path of paths) {
    await page.goto(proxy.url + path, { waitUntil: 'networkidle' })
    await waitForWorker(page)
  }
  await page.close()
  proxy.take()
}

async function openAll(context: BrowserContext, proxy: CountingProxy, paths: readonly string[], condition: string) {
  const results: Result[] = []
  for (const path of paths) results.push(await openPage(context, proxy, path, `${path}: ${condition}`))
  return results
}

/** A page that isn't painted in time misses the limit, and the other rows are still measured. */
async function openPage(context: BrowserContext, proxy: CountingProxy, path: string, row: string): Promise<Result> {
  const limit = 'painted, 0 responses'
  const page = await context.newPage()
  try {
    await page.goto(proxy.url + path, { waitUntil: 'commit', timeout: 10_000 })
    const heading = page.locator('h1').first()
    await heading.waitFor({ timeout: 10_000 })
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      null,
      { timeout: 10_000 },
    )
    const responses = proxy.take().length
    const product = `${formatMs(Number(await paint.jsonValue()))}, ${responses} responses`
    return { row, floor: '', product, ratio: '', limit, isMet: responses === 0 }
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return { row, floor: '', product: 'not painted', ratio: '', limit, isMet: false, note }
  } finally {
    await page.close()
  }
}
