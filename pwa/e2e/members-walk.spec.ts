import type { Page } from '@playwright/test'
import { everydaySizes, expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { memberPaths, offlinePaths, openList, syncLine, tick } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'
import { expectSound } from './sound.ts'

test.use(withServiceWorker)

async function expectStanding(page: Page, path: string, state: string) {
  await page.goto(path)
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main .skeleton, main [aria-busy=true]'), `${path} is still coming`).toHaveCount(0)
  await expectSound(page, `${path} ${state}`)
}

async function walk(page: Page, state: string, among: readonly string[] = memberPaths) {
  for (const path of among) await test.step(`${path} ${state}`, () => expectStanding(page, path, state))
}

/** Logged in, with the list on this phone and the service worker active. */
async function begin(page: Page, email: string) {
  await logInOverHttp(page.request, email)
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await underServiceWorker(page)
}

/** Shows every page once, so that the phone's store has them all. */
async function visitAll(page: Page) {
  for (const path of offlinePaths) {
    await page.goto(path)
    await expect(page.locator('main .skeleton, main [aria-busy=true]')).toHaveCount(0)
  }
}

test.describe('phone', () => {
  test.use(phone)

  test('MEMB-03 MEMB-19 the page of what waits is sound while a tick waits, and while nothing does', {
    tag: '@full',
  }, async ({ page }) => {
    await joinOverHttp(page.request, newPerson('Ida', 'Purlin'))
    await openList(page)
    await underServiceWorker(page)
    await page.context().setOffline(true)
    await tick(page, 'The year on one page')
    await page.goto('/members/sync')
    await expect(page.getByRole('listitem').filter({ hasText: 'Waiting to send' })).toContainText(
      'The year on one page',
    )
    await expectSound(page, 'what waits')
    await page.context().setOffline(false)
    await expect(page.getByText('Nothing to send here')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Sent' })).toContainText('The year on one page')
  })
})

test('MEMB-19 a video’s page is printed as what’s to be read, without navigation and without its picture', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'xl@alliance.test')
  await page.goto('/members/videos/where-the-business-is-now')
  await expect(page.getByRole('heading', { name: 'Transcript' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const read of ['Where the business is now', 'Notes', 'Transcript'])
    await expect(page.getByRole('heading', { name: read, exact: true })).toBeVisible()
  await expect(page.getByText('Put last year in front of you')).toBeVisible()
  await expect(page.locator('nav, main :is(img, video, iframe, .btn)').filter({ visible: true })).toHaveCount(0)
})

for (const [size, viewport] of everydaySizes) {
  test.describe(`${size}, every screen of a member`, { tag: '@full' }, () => {
    test.use(viewport)
    test.setTimeout(600_000)

    test('with what there is, and in site mode', async ({ page }) => {
      await begin(page, 'xl@alliance.test')
      await walk(page, 'as it is')
      for (const hand of ['left', 'right']) {
        await page.evaluate((side) => {
          localStorage.setItem('site-mode', 'on')
          localStorage.setItem('site-hand', side)
        }, hand)
        await walk(page, `in site mode, ${hand}`)
      }
    })

    test('with nothing in it yet', async ({ page }) => {
      await joinOverHttp(page.request, newPerson('Nell', 'Batten'), 'standard')
      await walk(page, 'of a new member')
    })

    test('without signal', async ({ page }) => {
      await begin(page, 'xl@alliance.test')
      await visitAll(page)
      await page.context().setOffline(true)
      await walk(page, 'without signal')
    })

    test('without signal, and nothing on this phone yet', async ({ page }) => {
      await begin(page, 'xl@alliance.test')
      await page.goto('/robots.txt')
      await page.evaluate(async () => {
        for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
      })
      await page.context().setOffline(true)
      await walk(page, 'without signal, empty')
    })

    test('of a membership that has ended, of one that has to be paid, and of somebody who never had one', async ({
      page,
    }) => {
      for (const email of ['lapsed@alliance.test', 'pastdue@alliance.test', 'visitor@alliance.test']) {
        await page.context().clearCookies()
        await logInOverHttp(page.request, email)
        await walk(page, `of ${email}`)
      }
    })

    test('on a phone that has not reached the site for 24 and for 31 days', async ({ page }) => {
      await begin(page, 'xl@alliance.test')
      await visitAll(page)
      await page.context().setOffline(true)
      for (const days of [24, 31]) {
        await page.clock.setFixedTime(Date.now() + days * 24 * 60 * 60_000)
        await walk(page, `after ${days} days`, offlinePaths)
      }
    })

    test.describe('with a server that fails', () => {
      test.use({ expectedComplaints: [/status of 500/] })

      test('says so, and keeps what the phone has', async ({ page }) => {
        await begin(page, 'xl@alliance.test')
        await visitAll(page)
        await page.context().route('**/api/**', (route) => route.fulfill({ status: 500, json: {} }))
        await walk(page, 'with a server that fails')
      })
    })

    test('the ways in: password, code and what is wrong with them', async ({ page }) => {
      await page.goto('/login')
      await expectSound(page, 'the login')
      await page.getByRole('button', { name: 'Log in' }).last().click()
      await expectSound(page, 'an empty login')
      await page.getByLabel('Email').fill('standard@alliance.test')
      await page.getByRole('button', { name: 'Email me a code' }).click()
      await expectSound(page, 'asking for a code')
    })
  })
}
