import { expect, type Page } from '@playwright/test'

/**
 * Chromium counts what a write asks for, and looks at the disk only now and then. So most of the room is used up first. The returned
 * function gives the room back.
 */
export async function leaveRoomFor20kB(page: Page): Promise<() => Promise<unknown>> {
  const { origin } = new URL(page.url())
  await page.evaluate(async () => {
    const request = indexedDB.open('filler', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('filler', { autoIncrement: true })
    await new Promise((resolve) => request.addEventListener('success', resolve))
    Object.assign(window, { filler: request.result })
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 20_000 })
  const write = (bytes: number) =>
    page.evaluate((count) => {
      const transaction: IDBTransaction = Reflect.get(window, 'filler').transaction('filler', 'readwrite')
      transaction.objectStore('filler').add('x'.repeat(count))
      return new Promise((resolve) => {
        transaction.oncomplete = () => resolve(true)
        transaction.onabort = () => resolve(false)
      })
    }, bytes)
  for (const bytes of [9_500, 500, 20]) await expect.poll(() => write(bytes), { intervals: [0] }).toBe(false)
  return () => devtools.send('Storage.overrideQuotaForOrigin', { origin })
}
