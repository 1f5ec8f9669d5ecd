import type { Page } from '@playwright/test'
import { expect, test, underServiceWorker } from './fixtures.ts'
import { openList } from './members-steps.ts'
import { joinOverHttp, newPerson } from './people.ts'
import { giveVideoFiles, keptNames, keptVideo, largeVideoFile, openPhone } from './shelf-steps.ts'

type Browser = { name: string; title: string; without: string; removed: string }

/** Chromium with what other browsers lack taken away. */
const browsers: Browser[] = [
  {
    name: 'one that writes files in a worker of their own only, as Safari before 26',
    title: 'Service plans that people keep',
    without: 'StorageBuckets',
    removed: 'createWritable',
  },
  {
    name: 'one without file systems, which has Cache Storage',
    title: 'Your quote templates',
    without:
      'StorageBuckets,FileSystemAccess,FileSystemAccessOriginPrivate,FileSystemAccessLocal,FileSystemAccessLocalFileSystem',
    removed: '',
  },
]

for (const { name, title, without, removed } of browsers) {
  test(`MEMB-10 a video kept by ${name}, comes whole, plays without signal and goes with a logout`, {
    tag: '@full',
  }, async ({ launchOptions, baseURL }) => {
    const videoFile = largeVideoFile(title, 9)
    await giveVideoFiles(baseURL, [videoFile])
    const args = [...(launchOptions.args ?? []), `--disable-blink-features=${without}`]
    const { context, page, close } = await openPhone(baseURL, { ...launchOptions, args })
    try {
      await context.addInitScript((method) => {
        if (method) Reflect.deleteProperty(FileSystemFileHandle.prototype, method)
      }, removed)
      await joinOverHttp(context.request, newPerson('Wilf', 'Stillage'))
      await openList(page)
      await underServiceWorker(page)
      expect(await page.evaluate(capabilities)).toEqual([false, removed !== '', false])
      await page.goto(`/members/videos/${title.toLowerCase().replaceAll(' ', '-')}`)
      await page.getByRole('button', { name: 'Keep on this phone' }).click()
      await page.getByRole('button', { name: 'Keep 1 video, 9.1 MB' }).click()
      await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
      expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 200, sha256: videoFile.sha256 })
      await context.setOffline(true)
      await page.reload()
      await page.getByRole('button', { name: 'Play' }).click()
      const seek = () =>
        page.locator('video').evaluate((video: HTMLVideoElement) => {
          if (video.currentTime < 6 && !video.seeking) video.currentTime = 6
          return video.currentTime >= 6 && video.readyState >= 2
        })
      await expect.poll(seek).toBe(true)
      await context.setOffline(false)
      await openList(page)
      await page.getByRole('link', { name: 'Logout' }).click()
      await page.getByRole('button', { name: 'Log out and delete' }).click()
      await expect(page).toHaveURL('/')
      await expect.poll(() => leftOf(page)).toEqual([])
      expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 403, sha256: '' })
    } finally {
      await close()
    }
  })
}

/** Files, and cached pieces of them. */
async function leftOf(page: Page): Promise<string[]> {
  const cached = await page.evaluate(async () => ((await caches.has('shelf')) ? ['shelf'] : []))
  const hasFiles = await page.evaluate(() => 'getDirectory' in navigator.storage)
  return [...cached, ...(hasFiles ? await keptNames(page) : [])]
}

const capabilities = () => [
  'storageBuckets' in navigator,
  'getDirectory' in navigator.storage,
  'FileSystemFileHandle' in globalThis && 'createWritable' in FileSystemFileHandle.prototype,
]
