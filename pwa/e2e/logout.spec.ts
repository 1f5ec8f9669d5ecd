import type { BrowserContext, Page } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { maxPhotoBytes, ownPhotoPath } from '#shared/contract/photo.ts'
import { SyncRequest } from '#shared/contract/progress.ts'
import {
  everydaySizes,
  expect,
  fillLogin,
  signIn,
  test,
  toastOf,
  underServiceWorker,
  withServiceWorker,
} from './fixtures.ts'
import { openList, progressByTitle, rowOf, syncLine, tick } from './members-steps.ts'
import { joinOverHttp, newPerson, ownPassword, type Person, userOf } from './people.ts'
import { expectNothingStoredOf, findStoredWords } from './stored-data.ts'

test.use(withServiceWorker)

const titles = ['Saying no and keeping the customer', 'Chasing a late invoice']
const ticked = Object.fromEntries(titles.map((title) => [title, true]))

/** A new member with their list on the phone, and the data that mustn't stay there. */
async function startAsMember(page: Page, firstName: string, lastName: string) {
  const person = newPerson(firstName, lastName)
  const { request } = page.context()
  const { id } = await joinOverHttp(request, person)
  const details = { businessName: `${lastName} and Daughters`, trade: 'Dry stone walling', phone: '07700 900981' }
  expect((await request.patch('/api/user/profile', { data: details })).status()).toBe(200)
  // Each page stores what it shows.
  await page.goto('/members?tab=profile')
  await expect(page.getByText(details.businessName)).toBeVisible()
  await addPhoto(page)
  await page.goto('/members/calls')
  await expect(page.getByText('No calls booked.')).toBeVisible()
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await underServiceWorker(page)
  const own = [id, person.firstName, person.lastName, person.email, ...titles, ...Object.values(details)]
  const words = [...own, 'data:image/webp;base64,uklgr']
  expect(await findStoredWords(page, words)).toEqual(words)
  return { person, words }
}

/** Several MB, as from a camera: the phone sends a smaller one. */
async function addPhoto(page: Page) {
  const camera = { width: 3000, height: 2000, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 } } as const
  const buffer = await sharp({ create: { ...camera, background: '#aa2211' } })
    .jpeg()
    .toBuffer()
  expect(buffer.length).toBeGreaterThan(maxPhotoBytes)
  const sent = page.waitForRequest((request) => request.url().endsWith(ownPhotoPath))
  await page.getByLabel('Your photo').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer })
  expect((await sent).postDataBuffer()?.length).toBeLessThan(maxPhotoBytes / 4)
  await expect(page.getByRole('img', { name: 'You' })).toBeVisible()
}

async function tickWithoutSignal(page: Page) {
  await page.context().setOffline(true)
  for (const title of titles) await tick(page, title)
  await expect(syncLine(page)).toContainText('2 waiting on this phone.')
}

/** Whose ticks any page on this phone, or its service worker, sends from now on. */
function sentTicks(context: BrowserContext) {
  const sent: { memberId: string | undefined; count: number }[] = []
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/video-progress/sync')) return
    const { memberId, changes } = v.parse(SyncRequest, request.postDataJSON())
    sent.push({ memberId, count: changes.length })
  })
  return sent
}

const logout = (page: Page) => page.getByRole('link', { name: 'Logout' }).click()

async function expectTicksArrive(page: Page, person: Person) {
  await signIn(page, person.email, ownPassword)
  await expect(rowOf(page, titles[0] ?? '')).toContainText('Completed')
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  expect(await progressByTitle(page.request)).toEqual(ticked)
}

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('MEMB-10 logging out with signal while ticks wait leaves nothing behind; they go at the next login', {
      tag: ['@full', '@old'],
    }, async ({ page, context }) => {
      const { person, words } = await startAsMember(page, 'Bartholomew', 'Quill')
      await tickWithoutSignal(page)
      // There's signal, but these calls don't get through.
      await context.route('**/api/video-progress/sync', (route) => route.abort())
      await context.setOffline(false)
      await logout(page)
      await expect(toastOf(page)).toContainText('Logged out')
      await expect(page).toHaveURL('/')
      await expectNothingStoredOf(page, words)
      expect((await context.request.get('/api/auth/user')).status()).toBe(401)
      await context.unroute('**/api/video-progress/sync')
      await expectTicksArrive(page, person)
    })

    test('MEMB-10 logging out without signal; another member of this phone sees nothing and sends nothing of the first', {
      tag: '@full',
    }, async ({ page, context }) => {
      const { person, words } = await startAsMember(page, 'Cornelius', 'Ashlar')
      await tickWithoutSignal(page)
      await logout(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
      await expect(toastOf(page)).toContainText(
        'Logged outOn this phone. We’ll finish logging you out when you’re back in range. ' +
          'You have 2 ticks to send. They’re safe on this phone. Log in to send them.',
      )
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('main').getByText('Logging out')).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNothingStoredOf(page, words)
      await page.goto('/members')
      await expect(page.getByText('Open this page once while you’re online.')).toBeVisible()
      await expectNothingStoredOf(page, words)
      await context.setOffline(false)
      await expect.poll(async () => (await context.request.get('/api/auth/user')).status()).toBe(401)

      const sent = sentTicks(context)
      await signIn(page, 'lite@alliance.test')
      await expect(page.getByRole('heading', { name: 'DANNY' })).toBeVisible()
      await expect(syncLine(page)).toContainText('Your ticks are saved')
      const danny = await userOf(context.request)
      expect(sent.filter(({ memberId, count }) => memberId !== danny.id || count > 0)).toEqual([])
      await expect(rowOf(page, titles[0] ?? '')).toContainText('Not completed')
      const [id = '', first = '', last = '', email = ''] = words
      await expectNothingStoredOf(page, [id, first, last, email])
      await logout(page)
      await expect(page).toHaveURL('/')
      await expectNothingStoredOf(page, ['Danny', 'lite@alliance.test', danny.id])
      await expectTicksArrive(page, person)
    })

    test('MEMB-10 somebody else logs in over a member whose ticks wait: wiped at once, kept for that member', {
      tag: '@full',
    }, async ({ page, context }) => {
      const { person, words } = await startAsMember(page, 'Philippa', 'Transom')
      await tickWithoutSignal(page)
      await context.route('**/api/video-progress/sync', (route) => route.abort())
      await context.setOffline(false)
      // Their session has ended, so someone else can log in over it.
      await context.clearCookies()
      await page.goto('/login')
      await fillLogin(page, 'visitor@alliance.test')
      await page.waitForURL('**/members')
      await expect(page.getByRole('heading', { name: 'SAM' })).toBeVisible()
      await expectNothingStoredOf(page, words)
      await context.unroute('**/api/video-progress/sync')
      await logout(page)
      await expect(page).toHaveURL('/')
      await expectTicksArrive(page, person)
    })
  })
}
