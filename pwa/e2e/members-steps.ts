import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import * as v from 'valibot'
import { type ProgressChange, SyncResponse } from '#shared/contract/progress.ts'
import { MemberVideoList } from '#shared/contract/video.ts'

/** A member's screens that work without signal. */
export const offlinePaths = [
  ...['/members', '/members?tab=profile', '/members?tab=billing'],
  ...[
    '/members/calls',
    '/members/ask',
    '/members/questions',
    '/members/commitments',
    '/members/storage',
    '/members/sync',
    '/members/shelf',
    '/members/listen',
    '/members/wallet',
    '/members/videos/where-the-business-is-now',
  ],
]
/** Pages that ask the site, and store nothing. */
const asked = ['sign-in', 'devices', 'activity', 'data', 'mails', 'notices', 'book-call', 'catch-up'].map(
  (place) => `/members/${place}`,
)
export const memberPaths = [...offlinePaths, ...asked]

export const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

export async function tick(page: Page, title: string): Promise<void> {
  await rowOf(page, title).getByRole('button', { name: 'Mark Complete' }).click()
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' })).toBeVisible()
}

export async function untick(page: Page, title: string): Promise<void> {
  await rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Complete' })).toBeVisible()
}

export const syncLine = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: /^(No signal\.|Your ticks are saved|Sending|\d+ )/ })

export async function openList(page: Page): Promise<void> {
  await page.goto('/members')
  await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
}

/** The progress on the server, requested as the member's other phone would, usually with nothing to send. */
export async function pull(request: APIRequestContext, changes: readonly ProgressChange[] = []) {
  const data = { deviceId: 'another-phone', changes }
  const response = await request.post('/api/video-progress/sync', { data })
  expect(response.status()).toBe(200)
  return v.parse(SyncResponse, await response.json()).items
}

/** Title → completed, for every video with a row on the server. */
export async function progressByTitle(request: APIRequestContext): Promise<Record<string, boolean>> {
  const videos = v.parse(MemberVideoList, await (await request.get('/api/member-videos')).json())
  const titles = new Map(videos.map(({ id, title }) => [id, title]))
  const rows = (await pull(request)).map(({ videoId, completed }) => [titles.get(videoId) ?? videoId, completed])
  return Object.fromEntries(rows)
}

/** A category in the list; from the fourth on you can open and close it. */
export const categoryOf = (page: Page, name: string): Locator =>
  page
    .getByRole('heading', { level: 3, name, exact: true })
    .locator('xpath=ancestor::*[self::details or self::section][1]')

export const isOpen = (category: Locator): Promise<boolean> =>
  category.evaluate((element) => !(element instanceof HTMLDetailsElement) || element.open)
