import type { BrowserContext } from 'playwright'
import { inBrowser, phone, waitForWorker } from './browser.ts'
import { type Front, openFront } from './front.ts'
import type { House } from './house.ts'
import { startProduct, whileRunning } from './programs.ts'
import { postPath } from './public-pages.ts'
import { inMs, type Result } from './result.ts'

/** Pages that somebody has seen once, opened again: while the server gives no answer at all, and without signal. */
export const measureRepeat = (house: House): Promise<Result[]> =>
  inBrowser((browser) =>
    whileRunning(startProduct(house.copy()), async ({ url }) => {
      const front = openFront(url)
      try {
        const context = await browser.newContext(phone)
        const paths = ['/', await postPath(url)]
        await see(context, front, paths)
        front.fallSilent()
        const again = await openAll(context, front, paths, 'again, server silent')
        await context.setOffline(true)
        return [...again, ...(await openAll(context, front, paths, 'again, offline'))]
      } finally {
        await front.close()
      }
    }),
  )

async function see(context: BrowserContext, front: Front, paths: readonly string[]): Promise<void> {
  const page = await context.newPage()
  for (const path of paths) {
    await page.goto(front.url + path, { waitUntil: 'networkidle' })
    await waitForWorker(page)
  }
  await page.close()
  front.take()
}

async function openAll(context: BrowserContext, front: Front, paths: readonly string[], how: string) {
  const results: Result[] = []
  for (const path of paths) results.push(await open(context, front, path, `${path}: ${how}`))
  return results
}

/** Waiting in vain is a fault of the page, and no reason to give up. */
async function open(context: BrowserContext, front: Front, path: string, row: string): Promise<Result> {
  const page = await context.newPage()
  try {
    await page.goto(front.url + path, { waitUntil: 'commit', timeout: 10_000 })
    const heading = page.locator('h1').first()
    await heading.waitFor({ timeout: 10_000 })
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      null,
      { timeout: 10_000 },
    )
    const answers = front.take().length
    const product = `${inMs(Number(await paint.jsonValue()))}, ${answers} answers`
    return { row, floor: '', product, ratio: '', limit: 'painted, 0 answers', isMet: answers === 0 }
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return { row, floor: '', product: 'not painted', ratio: '', limit: 'painted, 0 answers', isMet: false, note }
  } finally {
    await page.close()
  }
}
