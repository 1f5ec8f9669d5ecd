import { findViolations } from './axe.ts'
import { expect, test, underServiceWorker } from './fixtures.ts'
import { openList, progressByTitle, rowOf, syncLine } from './members-steps.ts'
import { joinOverHttp, newPerson } from './people.ts'
import {
  expectSeeked,
  giveVideoFiles,
  keptNames,
  keptVideo,
  largeVideoFile,
  openPhone,
  watchRanges,
} from './shelf-steps.ts'

const title = 'Deposits and stage payments'
const slug = 'deposits-and-stage-payments'

test('MEMB-10 MEMB-19 a video kept on the phone plays and seeks without signal; a logout leaves nothing of it', async ({
  launchOptions,
  baseURL,
}) => {
  const videoFile = largeVideoFile(title, 9)
  await giveVideoFiles(baseURL, [videoFile])
  const { context, page, close } = await openPhone(baseURL, launchOptions)
  try {
    const ranges = watchRanges(context)
    await joinOverHttp(context.request, newPerson('Wilf', 'Stillage'))
    await openList(page)
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    await underServiceWorker(page)
    await page.evaluate(() => {
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => {} }))
    })
    await rowOf(page, title)
      .getByRole('button', { name: `Keep 9.1 MB: ${title}` })
      .click()
    await expect(page.getByText('We can’t see which network you’re on')).toBeVisible()
    await page.getByRole('button', { name: 'Keep 1 video, 9.1 MB' }).click()
    await expect(rowOf(page, title).getByText('On this phone', { exact: true })).toBeVisible()
    expect(ranges.asked).toHaveLength(3)
    await expect(page.getByText('Add us to your home screen')).toBeVisible()
    await page.goto(`/members/videos/${slug}`)
    await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
    expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 200, sha256: videoFile.sha256 })

    await context.setOffline(true)
    await page.reload()
    await page.getByRole('button', { name: 'Play' }).click()
    await expect(page.getByRole('button', { name: 'Small window' })).toBeVisible()
    await expectSeeked(page, 6)
    expect(new URL(await page.locator('video').evaluate((video: HTMLVideoElement) => video.currentSrc)).pathname).toBe(
      `/kept/${videoFile.sha256}.mp4`,
    )
    await expect(page.getByText('You’ve watched nearly all of it')).toHaveCount(0)
    await page.getByRole('button', { name: 'Mark Complete' }).click()
    await expect(page.getByText('1 waiting on this phone.')).toBeVisible()
    await page.goto('/members/shelf')
    await expect(page.getByRole('heading', { name: '1 video, 9.1 MB' })).toBeVisible()
    await context.setOffline(false)
    await openList(page)
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    expect(await progressByTitle(page.request)).toMatchObject({ [title]: true })

    expect(await keptNames(page)).toContain(videoFile.sha256)
    await page.getByRole('link', { name: 'Logout' }).click()
    const asked = page.getByRole('dialog', { name: 'Log out and delete 1 video?' })
    await expect(asked).toBeVisible()
    await asked.getByRole('button', { name: 'Stay logged in' }).click()
    expect(await keptNames(page)).toContain(videoFile.sha256)
    await page.getByRole('link', { name: 'Logout' }).click()
    await asked.getByRole('button', { name: 'Log out and delete' }).click()
    await expect(page).toHaveURL('/')
    await expect.poll(() => keptNames(page)).toEqual([])
    expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 403, sha256: '' })
  } finally {
    await close()
  }
})

test('the second video is kept without a question; one that’s deleted on its own plays once it’s kept again', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const videoFile = largeVideoFile('Chasing a late invoice', 1)
  await giveVideoFiles(baseURL, [videoFile])
  const { context, page, close } = await openPhone(baseURL, launchOptions)
  try {
    await joinOverHttp(context.request, newPerson('Wanda', 'Racking'))
    await openList(page)
    await underServiceWorker(page)
    await page.goto('/members/videos/where-the-business-is-now')
    await page.getByRole('button', { name: 'Keep on this phone' }).click()
    await expect(page.getByText('We can’t see which network you’re on')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: /^Keep 1 video/ }).click()
    await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
    await page.goto('/members/videos/chasing-a-late-invoice')
    await page.getByRole('button', { name: 'Keep on this phone' }).click()
    await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
    expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 200, sha256: videoFile.sha256 })
    await page.goto('/members/shelf')
    await expect(page.getByRole('heading', { name: /^2 videos/ })).toBeVisible()
    // Tall enough for all of it: where the dock happens to cover half a checkbox, axe takes it for a small one.
    await page.setViewportSize({ width: 390, height: 1600 })
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Logout' }).click()
    const asked = page.getByRole('dialog', { name: 'Log out and delete 2 videos?' })
    await expect(asked).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Stay logged in' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Delete: Chasing a late invoice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByRole('heading', { name: /^1 video,/ })).toBeVisible()
    await page.goto('/members/videos/chasing-a-late-invoice')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.getByRole('button', { name: 'Keep on this phone' }).click()
    await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
    expect(await keptVideo(page, videoFile.sha256)).toEqual({ status: 200, sha256: videoFile.sha256 })
    await context.setOffline(true)
    await expect(page.getByText('No signal. This video is on your phone.')).toBeVisible()
    await page.getByRole('button', { name: 'Play it from your phone' }).click()
    const source = () => page.locator('video').evaluate((video: HTMLVideoElement) => new URL(video.currentSrc).pathname)
    await expect.poll(source).toBe(`/kept/${videoFile.sha256}.mp4`)
    await expect(page.getByText('No signal. This video is on your phone.')).toHaveCount(0)
    await context.setOffline(false)
  } finally {
    await close()
  }
})
