import type { BrowserContext, Page } from '@playwright/test'
import * as v from 'valibot'
import { SyncRequest } from '#shared/contract/progress.ts'
import { MemberVideoList } from '#shared/contract/video.ts'
import { videoCategories } from '#shared/rules/video.ts'
import { setPublished } from './database.ts'
import { everydaySizes, expect, expectMessageInPlace, phone, test, toastOf, underServiceWorker } from './fixtures.ts'
import { categoryOf, isOpen, openList, progressByTitle, rowOf, syncLine, tick, untick } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'
import { findStoredWords } from './stored-data.ts'

/** The players' hosts. Each player still opens without them. */
const hosts = /^https:\/\/(fast\.wistia\.net|www\.youtube-nocookie\.com|streamyard\.com|player\.alliance\.test)\//

async function startAsMember(page: Page, firstName: string, tier: 'standard' | 'xl' = 'standard') {
  const person = newPerson(firstName, 'Tenon')
  await joinOverHttp(page.context().request, person, tier)
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  return person
}

const tabOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Member pages' }).getByRole('link', { name, exact: true })

function sentChanges(context: BrowserContext) {
  const ids: unknown[] = []
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/video-progress/sync')) return
    ids.push(...v.parse(SyncRequest, request.postDataJSON()).changes)
  })
  return ids
}

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('MEMB-03 MEMB-07 MEMB-08 MEMB-09 PROF-01 PROF-02 BILL-02 the header, the three tabs, and back', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'standard@alliance.test')
      await openList(page)
      await expect(page.getByRole('heading', { name: 'PRIYA', exact: true })).toBeVisible()
      await expect(page.getByText(/^Member since \w+ \d{4}$/)).toBeVisible()
      await expect(page.getByText('videos available')).toBeVisible()
      await expect(tabOf(page, 'Dashboard')).toHaveAttribute('aria-current', 'page')
      await tabOf(page, 'Profile').click()
      const profile = page.getByRole('region', { name: 'Profile' })
      for (const words of ['Priya Shah', 'standard@alliance.test', '07700 900123', 'Shah Electrical', 'Electrician'])
        await expect(profile.getByText(words, { exact: true })).toBeVisible()
      await expect(profile.getByText(/^\d+ \w+ \d{4}$/)).toBeVisible()
      await tabOf(page, 'Billing').click()
      const billing = page.getByRole('region', { name: 'Billing' })
      await expect(billing.getByText('Active', { exact: true })).toBeVisible()
      for (const words of ['£250 + VAT/month', '£50.00', '£300.00', 'Next billing date'])
        await expect(billing.getByText(words).first()).toBeVisible()
      await page.goBack()
      await expect(profile).toBeVisible()
      await page.reload()
      await expect(profile).toBeVisible()
      await tabOf(page, 'Dashboard').click()
      await expect(page).toHaveURL('/members')
    })

    test('MEMB-14 MEMB-15 MEMB-17 the categories in their order, open to the third; the rest at a press', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'standard@alliance.test')
      await openList(page)
      const headings = page.getByRole('region', { name: 'Dashboard' }).getByRole('heading', { level: 3 })
      await expect(headings).toHaveText([...videoCategories, 'GUEST EVENINGS'])
      const open = await Promise.all([...videoCategories].map((category) => isOpen(categoryOf(page, category))))
      expect(open).toEqual(videoCategories.map((_, index) => index < 3))
      await expect(categoryOf(page, 'Strategy')).toContainText('5 videos · 45 min')
      const marketing = categoryOf(page, 'Marketing')
      await expect(marketing).toContainText('4 videos · 24 min')
      await expect(rowOf(page, 'A website that rings')).toBeHidden()
      await marketing.getByText('4 videos').click()
      await expect(rowOf(page, 'A website that rings')).toContainText('5 min')
      await expect.poll(() => findStoredWords(page, ['"Marketing":true'])).toHaveLength(1)
      await page.reload()
      await expect(rowOf(page, 'A website that rings')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Autumn campaign workshop' })).toBeHidden()
    })

    test('VID-8 a player of each kind opens at a press and loads nothing before; it needs signal', {
      tag: '@full',
    }, async ({ page, context }) => {
      const loaded: string[] = []
      await context.route(hosts, (route) => {
        loaded.push(new URL(route.request().url()).host)
        return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A player</title>' })
      })
      // As they are without a video of our own.
      await page.route('**/api/member-videos', async (route) => {
        const response = await route.fetch()
        const videos = v.parse(MemberVideoList, await response.json())
        await route.fulfill({ response, json: videos.map(({ files: _files, ...video }) => video) })
      })
      await logInOverHttp(page.request, 'standard@alliance.test')
      await openList(page)
      for (const category of ['Marketing', 'Systems & Automations'])
        await categoryOf(page, category).locator('summary').click()
      expect(loaded).toEqual([])
      expect(page.frames()).toHaveLength(1)
      const players = {
        'Where the business is now': 'fast.wistia.net',
        'Choosing the work you want': 'www.youtube-nocookie.com',
        'Reviews that write themselves': 'streamyard.com',
        'Automatic reminders': 'player.alliance.test',
      }
      for (const [title, host] of Object.entries(players)) {
        await rowOf(page, title).getByRole('button', { name: 'Watch' }).click()
        const dialog = page.getByRole('dialog', { name: title })
        await expect(dialog.locator('iframe')).toHaveAttribute('src', new RegExp(`^https://${host}/`))
        await expect.poll(() => loaded.at(-1)).toBe(host)
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
      }
      await expect.poll(() => page.frames().length).toBe(1)
      await context.setOffline(true)
      await expect(rowOf(page, 'Where the business is now').getByText('Needs signal')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Watch' })).toHaveCount(0)
    })

    test('MEMB-18 MEMB-19 PROG-01 ERR-25 ERR-26 a tick shows at once, counts, and is undone', { tag: '@full' }, async ({
      page,
    }) => {
      await startAsMember(page, 'Hal')
      const title = 'The year on one page'
      await expect(rowOf(page, title)).toContainText('Not completed')
      await tick(page, title)
      await expect(toastOf(page)).toContainText('Video Completed')
      await expect(page.getByRole('progressbar', { name: 'Completed, 1 of 35' })).toBeVisible()
      await expect(syncLine(page)).toContainText('Your ticks are saved')
      await untick(page, title)
      await expect(toastOf(page)).toHaveCount(1)
      await expect(toastOf(page)).toContainText('Video Marked Incomplete')
      await expect(rowOf(page, title)).toContainText('Not completed')
      await expect.poll(() => progressByTitle(page.request)).toEqual({ [title]: false })
    })

    test('PROG-02 a category opens by itself for a tick that waits; two tabs, one sender', { tag: '@full' }, async ({
      page,
      context,
    }) => {
      await startAsMember(page, 'Jo')
      await underServiceWorker(page)
      const other = await context.newPage()
      await openList(other)
      const sent = sentChanges(context)
      await context.setOffline(true)
      const title = 'The site visit that sells'
      await categoryOf(page, 'Sales').locator('summary').click()
      await tick(page, title)
      await expect(rowOf(other, title)).toContainText('Waiting to send')
      await expect(syncLine(other)).toContainText('1 waiting on this phone.')
      await categoryOf(page, 'Sales').locator('summary').click()
      await expect(rowOf(page, title)).toBeHidden()
      await page.reload()
      await expect(rowOf(page, title)).toContainText('Waiting to send')
      await context.setOffline(false)
      for (const tab of [page, other]) {
        await expect(syncLine(tab)).toContainText('Your ticks are saved')
        await expect(rowOf(tab, title)).not.toContainText('Waiting to send')
      }
      expect(sent).toHaveLength(1)
      expect(await progressByTitle(context.request)).toEqual({ [title]: true })
    })

    test('ERR-13 a tick that the site refuses says why, and can be tried again', { tag: '@full' }, async ({
      page,
      context,
    }) => {
      await startAsMember(page, 'Lou', 'xl')
      const title = 'Autumn campaign workshop'
      await categoryOf(page, 'Marketing').locator('summary').click()
      await context.setOffline(true)
      await tick(page, title)
      await setPublished(title, false)
      await context.setOffline(false)
      await expect(toastOf(page)).toContainText('Failed to mark video as completedYou can’t open this video any more.')
      await expect(syncLine(page)).toContainText('1 not saved')
      await expect(rowOf(page, title)).toContainText(
        'Not saved. Failed to mark video as completed. You can’t open this video',
      )
      await setPublished(title, true)
      await rowOf(page, title).getByRole('button', { name: 'Try again' }).click()
      await expect(syncLine(page)).toContainText('Your ticks are saved')
      await expect(rowOf(page, title)).toContainText('Completed')
      expect(await progressByTitle(page.request)).toEqual({ [title]: true })
    })
  })
}

test.describe('by keyboard alone', () => {
  test.use({ ...phone, isMobile: false, hasTouch: false })

  /** Presses Tab until something with this name has the focus, as someone without a mouse does. */
  async function tabTo(page: Page, name: RegExp) {
    const isThere = () =>
      page.evaluate((pattern) => {
        const focused = document.activeElement
        const label =
          focused instanceof HTMLInputElement
            ? focused.labels?.[0]?.textContent
            : (focused?.ariaLabel ?? focused?.textContent)
        return new RegExp(pattern).test((label ?? '').trim())
      }, name.source)
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      if (await isThere()) return
    }
    throw new Error(`Tab never came to ${name}`)
  }

  test('TOAST-01 TOAST-04 logs in, ticks a video, and goes to the message with F8', { tag: '@full' }, async ({
    page,
    playwright,
    baseURL,
  }) => {
    const person = newPerson('Max', 'Tenon')
    const elsewhere = await playwright.request.newContext({ baseURL })
    await joinOverHttp(elsewhere, person)
    await elsewhere.dispose()
    await page.goto('/login')
    await tabTo(page, /^Email$/)
    await page.keyboard.type(person.email)
    await tabTo(page, /^Password$/)
    await page.keyboard.type(ownPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/members')
    await expect(toastOf(page)).toContainText('Welcome back!')
    // With the focus on it, it stays.
    await page.keyboard.press('F8')
    await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
    await expectMessageInPlace(page)
    await tabTo(page, /^Mark Complete: Where the business is now$/)
    await page.keyboard.press('Space')
    await expect(toastOf(page)).toContainText('Video Completed')
    // A press does what the button says at that moment.
    await expect(page.locator(':focus')).toHaveText(/^Mark Incomplete/)
    await page.keyboard.press('Space')
    await expect(toastOf(page)).toHaveCount(1)
    await expect(toastOf(page)).toContainText('Video Marked Incomplete')
    await page.keyboard.press('F8')
    await expect(page.getByRole('region', { name: /^Notification/ }).getByRole('list')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(toastOf(page)).toHaveCount(0)
  })
})

test.describe('the list under the thumb', () => {
  test.use(phone)

  test('TOAST-01 a message has one place, never over the row that was ticked; the page keeps its length; the player ticks too', {
    tag: '@full',
  }, async ({ page }) => {
    await page.route(hosts, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Player</p>' }))
    await startAsMember(page, 'Una')
    const third = rowOf(page, 'Choosing the work you want')
    const places = new Set<number>()
    for (const [at, name] of [
      'Where the business is now',
      'The year on one page',
      'Choosing the work you want',
    ].entries()) {
      const row = rowOf(page, name)
      // Not where the one before was: within half a second that’s a double press, of which the second is taken back.
      const position = { x: 20 + 50 * at, y: 20 }
      // As low as a thumb can press it.
      await row.evaluate((one) =>
        scrollBy({ top: one.getBoundingClientRect().bottom - innerHeight + 70, behavior: 'instant' }),
      )
      await row.getByRole('button', { name: `Mark Complete: ${name}` }).tap({ position })
      places.add(await expectMessageInPlace(page, row))
      await expect(row.getByText('Completed', { exact: true })).toBeVisible()
    }
    expect(places.size, 'places of three messages').toBe(1)
    await page.setViewportSize({ width: 320, height: 844 })
    // The one before may have gone by now.
    await third.getByRole('button', { name: /^Mark Incomplete/ }).tap({ position: { x: 20, y: 20 } })
    await expectMessageInPlace(page, third)
    await third.getByRole('button', { name: /^Mark Complete/ }).tap({ position: { x: 80, y: 20 } })
    await expect(third.getByText('Completed', { exact: true })).toBeVisible()
    await page.setViewportSize(phone.viewport)
    const lengths = await page.evaluate(async () => {
      const seen: number[] = []
      for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
        scrollTo(0, top)
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        seen.push(document.documentElement.scrollHeight)
      }
      return seen
    })
    expect(Math.max(...lengths) / Math.min(...lengths)).toBeLessThan(1.1)
    await expect(page.getByText('JOIN THE MOVEMENT').filter({ visible: true })).toHaveCount(0)
    await third.getByRole('button', { name: /^Watch/ }).tap()
    const player = page.getByRole('dialog', { name: 'Choosing the work you want' })
    const element = player.locator('video')
    await expect
      .poll(() => element.evaluate((one: HTMLVideoElement) => [one.readyState > 2, one.currentTime > 0.3]), 'it plays')
      .toEqual([true, true])
    expect(await element.evaluate((one: HTMLVideoElement) => new URL(one.currentSrc).pathname)).toMatch(
      /^\/api\/media\//,
    )
    await player.getByRole('button', { name: 'Mark Incomplete' }).tap()
    await expect(player.getByText('Not completed')).toBeVisible()
    await player.getByRole('button', { name: /^Next: / }).tap()
    const next = page.getByRole('dialog', { name: 'Saying no and keeping the customer' })
    await page.context().setOffline(true)
    await expect(next.getByText(/^No signal\. The video carries on/)).toBeVisible()
    await next.getByRole('button', { name: 'Mark Complete' }).tap()
    await expect(next.getByText(/min · Completed/)).toBeVisible()
    await page.goBack()
    await expect(next).toBeHidden()
    await expect(page).toHaveURL('/members')
    await expect(third).toBeVisible()
    await page.context().setOffline(false)
  })
})
