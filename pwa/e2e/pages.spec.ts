import type { Page } from '@playwright/test'
import { labelOf, navigationLinks, pages, site } from './content.ts'
import { everydaySizes, expect, isFull, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { applicationOf, apply, cardForm, cards, fillCard, fillPayer, payButton } from './join-steps.ts'
import { openList } from './members-steps.ts'
import { logInOverHttp, newPerson } from './people.ts'
import { expectSound } from './sound.ts'

/** The app's screens for a visitor: address → heading, and text that's there once the screen is. */
const screens: Record<string, Record<string, readonly [heading: string, words: string]>> = {
  'ROUTE-15 ROUTE-16 ROUTE-17': {
    '/login': ['Member login', 'Log in'],
    '/forgot-password': ['Forgot your password?', 'Send the link'],
    '/reset-password': ['INVALID RESET LINK', 'Request a new link'],
    '/reset-password?token=unknown': ['INVALID RESET LINK', 'Request a new link'],
  },
  'ROUTE-23 ROUTE-24': {
    '/quotient/checkout?package=master': [pages.quotient.checkout.heading, 'Continue to payment'],
    '/quotient/success': ['Your order', 'Your order'],
  },
  'ROUTE-7 ROUTE-9': {
    '/membership-application': [`Join ${site.brand.name}`, 'Continue to tiers'],
    '/membership-success': ['Welcome', 'Log in'],
  },
  'ROUTE-25 ROUTE-26': {
    '/reactivate': ['Please Log In', 'Please Log In'],
    '/reactivate-delayed': ['Invalid Link', 'Invalid Link'],
  },
}

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    for (const [ids, paths] of Object.entries(screens)) {
      test(`${ids} NAV-09 ROUTE-33 ROUTE-34 each answers with its screen, by day and by night, on the narrowest phone`, {
        tag: '@full',
      }, async ({ page }) => {
        for (const [path, [heading, words]] of Object.entries(paths)) {
          const response = await page.goto(path)
          expect(response?.status()).toBe(200)
          await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
          await expect(page.getByText(words, { exact: true }).first()).toBeVisible()
          await expect(page.getByRole('banner').getByRole('navigation')).toHaveCount(1)
          await expect(page.getByRole('contentinfo')).toHaveCount(1)
          await expectSound(page, path)
        }
      })
    }

    test('JOIN-01 the steps of joining hold for everybody', { tag: '@full' }, async ({ page }) => {
      test.slow()
      const person = newPerson('Wilhelmina', 'Mortimer')
      await page.goto('/membership-application')
      await page.getByRole('button', { name: 'Continue to tiers' }).click()
      await expectSound(page, 'step 1 with its errors')
      await apply(page, person)
      await expectSound(page, 'step 2')
      await page.getByRole('button', { name: 'JOIN ALLIANCE', exact: true }).click()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      await payButton(page).click()
      await expect(cardForm(page).getByText('Card number is required')).toBeVisible()
      await expectSound(page, 'step 3 with its errors')
      await fillCard(page, cards.pays)
      await fillPayer(page)
      await payButton(page).click()
      await page.getByRole('button', { name: 'Stay here' }).click()
      await expectSound(page, 'step 4')
      await page.goto('/membership-success')
      await expect(page.getByRole('heading', { name: 'Your membership is active' })).toBeVisible()
      await expectSound(page, 'the welcome')
    })

    test('MEMB-03 the members’ tabs hold for everybody, and without signal', { tag: '@full' }, async ({
      page,
      context,
    }) => {
      test.slow()
      await logInOverHttp(page.request, 'standard@alliance.test')
      await openList(page)
      await page.locator('summary').first().click()
      await expectSound(page, 'Dashboard')
      for (const tab of ['profile', 'billing']) {
        await page.goto(`/members?tab=${tab}`)
        await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
        await expectSound(page, tab)
      }
      await openList(page)
      await context.setOffline(true)
      await expect(page.getByText('Needs signal').first()).toBeVisible()
      await expectSound(page, 'Dashboard without signal')
    })

    test('MEMB-05 a member without access sees a page that holds for everybody', { tag: '@full' }, async ({ page }) => {
      await logInOverHttp(page.request, 'lapsed@alliance.test')
      await page.goto('/members')
      await expect(page.getByRole('heading', { name: 'Members Only' })).toBeVisible()
      await expectSound(page, 'Members Only')
    })
  })
}

test.use(phone)

test.describe('an address that leads nowhere', () => {
  test.use({ expectedComplaints: [/status of 404/] })

  test('ROUTE-31 says so, with its status', { tag: '@full' }, async ({ page }) => {
    const response = await page.goto('/no-such-page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
    await expectSound(page, '404')
    await page.getByRole('link', { name: 'Back to home' }).click()
    await expect(page).toHaveURL('/')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('TIER-03 TIER-21 HOME-02 the public pages read, and lead on', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('link', { name: pages.home.actions.join }).click()
    await expect(page).toHaveURL('/membership-tiers')
    for (const price of ['£125', '£250', '£450']) await expect(page.getByText(price, { exact: true })).toBeVisible()
    for (const { topic, answer } of pages['membership-tiers'].faq) {
      await page.getByText(topic, { exact: true }).click()
      await expect(page.getByText(answer, { exact: true })).toBeVisible()
    }
  })
})

test('NAV-07 NAV-08 the phone menu lists every page, and closes on choosing and on Escape', { tag: '@full' }, async ({
  page,
}) => {
  await page.goto('/')
  const menu = page.getByRole('button', { name: 'Menu' })
  const entries = page.locator('.menu').getByRole('link')
  await expect(entries.first()).toBeHidden()
  await menu.click()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await expect(entries).toHaveText([...navigationLinks.map(({ label }) => label), 'JOIN THE MOVEMENT'])
  await page.keyboard.press('Escape')
  await expect(entries.first()).toBeHidden()
  await menu.click()
  await page.locator('.menu').getByRole('link', { name: 'JOIN THE MOVEMENT' }).click()
  await expect(page).toHaveURL('/membership-application')
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  await expect(page.locator('.menu').getByRole('link', { name: labelOf('/') })).toBeHidden()
})

async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

test('NAV-07 a press before the scripts are there counts, once', { tag: '@full' }, async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await page.mouse.wheel(0, 10)
  release()
  await page.waitForFunction(() => globalThis.stopCapturingClicks === undefined)
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
})

test('QUOT-7 who has read on before the scripts are there stays in that place', { tag: '@full' }, async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/quotient')
  const more = page.getByRole('button', { name: 'View More Examples' })
  await more.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(0)
  release()
  // Unlike a click this doesn't scroll there.
  await more.dispatchEvent('click')
  await expect(page.getByRole('dialog', { name: 'Sample quotes' })).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(place)
})

test('NAV-15 the colours that were chosen are there again, and a new page starts at its top', { tag: '@full' }, async ({
  page,
}) => {
  // One for each of the device's schemes: what's chosen here holds in both.
  const bars = page.locator('meta[name=theme-color]')
  const expectBars = async (colour: string) => {
    await expect(bars).toHaveCount(2)
    for (const bar of await bars.all()) await expect(bar).toHaveAttribute('content', colour)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await expectBars(site.brand.colours.accent)
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectBars('#151612')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'JOIN ALLIANCE', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Continue to tiers' })).toBeAttached()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test.describe('with its service worker', () => {
  test.use(withServiceWorker)

  const orders = [
    ['/', '/membership-tiers', pages.home.actions.join],
    ['/membership-tiers', '/', null],
  ] as const
  for (const [first, second, link] of isFull ? orders : orders.slice(0, 1)) {
    test(`ROUTE-1 ROUTE-8 ${first} and ${second} read without signal once they were seen`, { tag: '@full' }, async ({
      page,
      context,
    }) => {
      await page.goto(first)
      // The second page opens while the service worker is installing.
      await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
      if (link === null) await page.goto(second)
      else await page.getByRole('link', { name: link }).click()
      await expect(page).toHaveURL(second)
      await underServiceWorker(page)
      const areCached = (paths: readonly string[]) =>
        page.evaluate(async (all) => (await Promise.all(all.map((path) => caches.match(path)))).every(Boolean), paths)
      await expect.poll(() => areCached([first, second])).toBe(true)
      await context.setOffline(true)
      for (const path of [first, second]) {
        await page.goto(path)
        await expect(page.getByText('£250', { exact: true })).toBeVisible()
      }
    })
  }

  test('a new version waits until the person says yes, and never takes a half-filled form away', async ({ page }) => {
    await page.goto('/membership-application')
    await underServiceWorker(page)
    await page.getByLabel('First name').fill('Rosalind')
    await page.evaluate(async () => {
      document.documentElement.dataset.stays = 'yes'
      // To the browser, the same worker at another address is a new version.
      await navigator.serviceWorker.register('/sw.js?newer')
    })
    await page.waitForFunction(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
    const notice = page.getByRole('status').filter({ hasText: 'There’s an update' })
    await expect(notice).toHaveCount(0)
    await expect(page.getByLabel('First name')).toHaveValue('Rosalind')
    await page.getByRole('link', { name: site.brand.name }).first().click()
    await expect(page.locator('html[data-stays]')).toHaveCount(1)
    await expect(notice).toContainText('Bug fixes.')
    await notice.getByRole('button', { name: 'Update' }).click()
    // The browser activates the new version once the old one has cached what it had started.
    await expect(page.locator('html[data-stays]')).toHaveCount(0, { timeout: 30_000 })
    await expect(page).toHaveURL('/')
  })
})

test.describe('on a short phone', () => {
  test.use({ ...phone, viewport: { width: 390, height: 620 } })

  test('each field of the application is clear of the button below it when Tab comes to it', { tag: '@full' }, async ({
    page,
  }) => {
    await page.goto('/membership-application')
    const form = page.getByRole('form', { name: 'Application' })
    const firstHalf = applicationOf(newPerson('Wren', 'Purlin')).slice(0, 6)
    for (const [label, value] of firstHalf) await form.getByLabel(label, { exact: true }).fill(value)
    await form.getByLabel('Trade', { exact: true }).focus()
    const secondHalf = ['businessStage', 'yearsInTrade', 'currentChallenges', 'goals', 'whyJoin', 'hearAboutUs']
    for (const name of secondHalf) {
      await page.keyboard.press('Tab')
      const field = form.locator(`[name=${name}]`)
      await expect(field).toBeFocused()
      const room = () =>
        field.evaluate((one) => {
          const press = one.closest('form')?.querySelector('.join__press')
          return (press?.getBoundingClientRect().top ?? 0) - one.getBoundingClientRect().bottom
        })
      await expect.poll(room, name).toBeGreaterThanOrEqual(0)
    }
  })
})

test.describe('in letters twice as large', () => {
  test.use(phone)

  test('a phone has room for each word of a tier’s button', { tag: '@full' }, async ({ page }) => {
    await page.goto('/membership-tiers')
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await expect.poll(() => page.locator('main .btn > span').evaluateAll(brokenWords)).toEqual([])
  })
})

function brokenWords(elements: Element[]): string[] {
  return elements.flatMap(({ firstChild: text }) =>
    [...(text?.textContent ?? '').matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
      if (!(text instanceof Text)) return []
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : []
    }),
  )
}
