import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test, underServiceWorker } from './fixtures.ts'
import { freePort } from './free-port.ts'
import { openList, progressByTitle, syncLine } from './members-steps.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { logInOverHttp, userOf } from './people.ts'
import {
  backgroundSync,
  expectSeeked,
  giveVideoFiles,
  keptNames,
  keptVideo,
  type Line,
  largeVideoFile,
  layLine,
  type OwnPhone,
  openPhone,
  type VideoFile,
  watchRanges,
} from './shelf-steps.ts'

const titles = ['Where the business is now', 'The year on one page', 'Saying no and keeping the customer']
const megabytes = 13

let server: OwnServer
let line: Line
let videoFiles: VideoFile[]
let phone: OwnPhone

test.beforeEach(async ({ launchOptions }) => {
  const port = await freePort()
  server = await startOwnServer({ PUBLIC_URL: `http://localhost:${port}` })
  line = await layLine(port, () => Number(new URL(server.url).port))
  videoFiles = titles.map((title) => largeVideoFile(title, megabytes))
  await giveVideoFiles(server.url, videoFiles)
  phone = await openPhone(line.url, launchOptions)
  await logInOverHttp(phone.context.request, 'standard@alliance.test')
  await openList(phone.page)
  await underServiceWorker(phone.page)
})

test.afterEach(async () => {
  await phone.close()
  line.close()
  await server.stop()
})

/** Keeps the videos by their pages or their category, and looks at the shelf. */
async function keepCategory(page: Page) {
  await page.getByRole('button', { name: /^Keep \d+ videos, 39 MB$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Keep \d+ videos/ })
    .click()
  // It closes once the phone has written down what to keep.
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** The first video, over any network. */
async function keepOne(page: Page) {
  await page.goto('/members/videos/where-the-business-is-now')
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Only on Wi-Fi').uncheck()
  await dialog.getByRole('button', { name: 'Keep 1 video, 13 MB' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function expectWhole(page: Page, among: readonly VideoFile[] = videoFiles) {
  for (const { sha256 } of among) expect(await keptVideo(page, sha256)).toEqual({ status: 200, sha256 })
}

/** Whole or not there: nothing in between is ever served. */
async function expectWholeOrAbsent(page: Page) {
  for (const { sha256 } of videoFiles) expect([sha256, '']).toContain((await keptVideo(page, sha256)).sha256)
}

const allHere = (page: Page) => page.getByRole('heading', { name: '5 videos, 39 MB' })

async function openShelf(page: Page) {
  await page.goto('/members/shelf')
  await expect(page.getByRole('heading', { name: 'On this phone', level: 1 })).toBeVisible()
}

test('a category comes whole over a line that is cut at every tenth of three videos, and nothing held is asked for again', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  const seen = watchRanges(context)
  for (let tenth = 1; tenth < 30; tenth += 1) line.cutAfter((tenth * megabytes * 1e6) / 10)
  await keepCategory(page)
  await openShelf(page)
  await expectWholeOrAbsent(page)
  await expect(allHere(page)).toBeVisible({ timeout: 300_000 })
  expect(line.cuts).toBeGreaterThan(20)
  expect(seen.twice).toEqual([])
  await expectWhole(page)
})

test('at 400 kbit/s it carries on after its worker stops, the server is down for a minute and the app is closed', {
  tag: '@full',
}, async () => {
  // A piece takes a minute and a half, and three videos half an hour: one is enough.
  test.setTimeout(1_200_000)
  const { context, page } = phone
  const seen = watchRanges(context)
  line.rate = 50_000
  await keepOne(page)
  const session = await context.newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await expectWholeOrAbsent(page)
  await expect(page.getByText('Keeping', { exact: true })).toBeVisible()
  await expect.poll(() => seen.asked.length, { timeout: 300_000 }).toBeGreaterThan(2)
  line.isUp = false
  line.breakAll()
  const gone = Date.now()
  await expect(page.getByText('We couldn’t reach the site', { exact: false }).first()).toBeVisible()
  await expectWholeOrAbsent(page)
  await expect.poll(() => Date.now() - gone, { timeout: 90_000 }).toBeGreaterThan(60_000)
  await page.close()
  line.isUp = true
  const next = await context.newPage()
  await openShelf(next)
  // That any network will do was said once, with the first keep.
  await expect(next.getByRole('heading', { name: /^1 video, 13/ })).toBeVisible({ timeout: 600_000 })
  expect(seen.twice).toEqual([])
  await expectWhole(next, videoFiles.slice(0, 1))
})

test('where the browser gives too little it stops, says so, and goes on once there is room', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  const session = await context.newCDPSession(page)
  const quota = (quotaSize?: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin: line.url, ...(quotaSize ? { quotaSize } : {}) })
  await quota(30_000_000)
  await keepCategory(page)
  await openShelf(page)
  await expect(page.getByText('Stopped: hardly any room left for videos').first()).toBeVisible()
  await expectWholeOrAbsent(page)
  // What was begun went again, so that a tick still fits.
  const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate())
  expect(usage).toBeLessThan(0.8 * 30_000_000)
  await quota()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(allHere(page)).toBeVisible({ timeout: 300_000 })
  await expectWhole(page)
})

test('a new version of the app takes over in the middle, and nothing held is asked for again', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  const seen = watchRanges(context)
  line.rate = 3_000_000
  await keepCategory(page)
  await openShelf(page)
  await expect.poll(() => seen.asked.length, { timeout: 60_000 }).toBeGreaterThan(2)
  await page.evaluate(async () => {
    document.documentElement.dataset.before = 'yes'
    // To the browser, the same worker at another address is a new version.
    await navigator.serviceWorker.register('/sw.js?newer')
  })
  await page
    .getByRole('status')
    .filter({ hasText: 'There’s an update' })
    .getByRole('button', { name: 'Update' })
    .click()
  await expect(page.locator('html[data-before]')).toHaveCount(0, { timeout: 30_000 })
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toContain('?newer')
  await expectWholeOrAbsent(page)
  line.rate = 0
  await expect(allHere(page)).toBeVisible({ timeout: 300_000 })
  // Except one that had arrived but wasn't written when the page reloaded.
  expect(seen.twice.length).toBeLessThan(2)
  await expectWhole(page)
})

test('closed in the middle, it goes on in the service worker, and over Wi-Fi alone where it was told so', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  const seen = watchRanges(context)
  const wake = await backgroundSync(context, line.url)
  line.rate = 1_000_000
  await keepCategory(page)
  await expect.poll(() => seen.asked.length, { timeout: 60_000 }).toBeGreaterThan(3)
  await page.close()
  const before = seen.asked.length
  await wake()
  // Nothing came. At the next opening the member says that any network will do, and closes it again.
  const next = await context.newPage()
  await openShelf(next)
  await expect(next.getByText('Waiting for you: are you on Wi-Fi?').first()).toBeVisible()
  expect(seen.asked.length).toBe(before)
  // It changes once that's stored.
  await next.getByLabel('Only on Wi-Fi').click()
  await expect(next.getByLabel('Only on Wi-Fi')).not.toBeChecked()
  await expect.poll(() => seen.asked.length).toBeGreaterThan(before)
  await next.close()
  line.rate = 0
  await wake()
  const last = await context.newPage()
  await last.goto('/about')
  await expect(async () => expectWhole(last)).toPass({ timeout: 60_000 })
  expect(seen.twice).toEqual([])
})

async function keepAll(page: Page) {
  await keepCategory(page)
  await openShelf(page)
  await expect(allHere(page)).toBeVisible({ timeout: 300_000 })
  await expectWhole(page)
}

test('MEMB-10 logged out from elsewhere, nothing kept is readable; nor by the next to log in here', {
  tag: '@full',
}, async ({ playwright }) => {
  const { context, page } = phone
  await keepAll(page)
  const elsewhere = await playwright.request.newContext({ baseURL: line.url })
  await logInOverHttp(elsewhere, 'standard@alliance.test')
  const revoked = await elsewhere.post('/api/user/sessions/revoke', { data: { others: true } })
  expect(revoked.status()).toBe(200)
  await elsewhere.dispose()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You’re logged out' })).toBeVisible()
  await expect.poll(() => keptNames(page)).toEqual([])
  await logInOverHttp(context.request, 'standard@alliance.test')
  await openList(page)
  await keepAll(page)
  // Another member's login in the same browser, without a logout.
  await logInOverHttp(context.request, 'xl@alliance.test')
  await openList(page)
  await expect(page.getByRole('heading', { name: 'TOM', exact: true })).toBeVisible()
  // Tom's own folder is empty.
  await expect.poll(async () => (await keptNames(page)).filter((name) => name !== 'shelf')).toEqual([])
  for (const { sha256 } of videoFiles) expect((await keptVideo(page, sha256)).status).toBe(404)
})

test('what the browser clears is named: the videos alone, then everything but the login', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  await keepAll(page)
  await page.evaluate(() => Reflect.get(navigator, 'storageBuckets').delete('shelf'))
  await page.reload()
  await expect(page.getByText('Your phone removed 5 videos to make room')).toBeVisible()
  for (const { sha256 } of videoFiles) expect((await keptVideo(page, sha256)).status).toBe(404)
  await page.getByRole('button', { name: 'Keep them again' }).click()
  await expect(allHere(page)).toBeVisible({ timeout: 300_000 })
  await expectWhole(page)
  const session = await context.newCDPSession(page)
  const storageTypes = 'file_systems,indexeddb,local_storage,service_workers,cache_storage,storage_buckets'
  await page.goto('about:blank')
  await session.send('Storage.clearDataForOrigin', { origin: line.url, storageTypes })
  await openList(page)
  await expect(page.getByText('Your phone removed 5 videos to make room')).toBeVisible()
  await page.getByRole('button', { name: 'OK', exact: true }).click()
  await expect(page.getByText('Your phone removed', { exact: false })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: /^Keep \d+ videos, 39 MB$/ })).toBeVisible()
  await expect(page.getByText('Your phone removed', { exact: false })).toHaveCount(0)
})

test('flight mode: play, seek, tick, open an invoice; back in range each has arrived once', {
  tag: '@full',
}, async () => {
  const { context, page } = phone
  await keepOne(page)
  await openShelf(page)
  await expect(page.getByRole('heading', { name: '1 video, 13 MB' })).toBeVisible()
  const pdf = page.getByRole('link', { name: /^PDF of Invoice/ }).first()
  await page.goto('/members/wallet')
  await expect(pdf).toHaveAttribute('href', /^blob:/)
  await context.setOffline(true)
  await page.goto('/members/videos/where-the-business-is-now')
  await page.getByRole('button', { name: 'Play' }).click()
  await expectSeeked(page, 6)
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await expect(page.getByText('1 waiting on this phone.')).toBeVisible()
  await page.goto('/members/wallet')
  await expect(pdf).toHaveAttribute('href', /^blob:/)
  const download = page.waitForEvent('download')
  await pdf.click()
  expect(readFileSync(await (await download).path(), 'latin1')).toMatch(/^%PDF-/)
  await openList(page)
  const before = line.sent.length
  await context.setOffline(false)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await page.reload()
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  expect(await progressByTitle(page.request)).toMatchObject({ [titles[0] ?? '']: true })
  const timesSent = (words: string) => line.sent.slice(before).split(words).length - 1
  expect([timesSent('"completed":true'), timesSent('"seconds":6,')]).toEqual([1, 1])
})

test('MEMB-10 once an owner has ended their access, nothing kept is readable', { tag: '@full' }, async ({
  playwright,
}) => {
  const { page } = phone
  await keepAll(page)
  const { id } = await userOf(page.request)
  const owner = await playwright.request.newContext({ baseURL: server.url })
  await logInOverHttp(owner, 'owner@alliance.test')
  const revoked = await owner.patch(`/api/admin/members/${id}/revoke-access`, { data: { isMember: false } })
  expect(revoked.status()).toBe(200)
  await owner.dispose()
  await page.goto('/members')
  await expect(page.getByRole('heading', { name: 'You’re logged out' })).toBeVisible()
  const left = async () => (await keptNames(page)).filter((name) => name !== 'shelf')
  await expect.poll(left).toEqual([])
  // They may log in, and see why.
  await logInOverHttp(page.request, 'standard@alliance.test')
  await page.goto('/members')
  await expect(page.getByRole('heading', { name: 'Members Only' })).toBeVisible()
  await expect.poll(left).toEqual([])
  for (const { sha256 } of videoFiles) expect((await keptVideo(page, sha256)).sha256).toBe('')
})
