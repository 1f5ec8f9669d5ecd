import type { Page } from '@playwright/test'
import { adminPaths, openAdmin } from './admin-steps.ts'
import { expect, phone, test } from './fixtures.ts'
import { memberPaths, openList } from './members-steps.ts'
import { logInOverHttp } from './people.ts'
import { publicPaths } from './public-pages.ts'
import { expectSound } from './sound.ts'

test.use(phone)

/** A phone without a button: the line at its lower edge. */
const indicator = 34

/** What's typed into in letters so small that Safari zooms in on it. */
const smallFields = () =>
  [...document.querySelectorAll('input, select, textarea, [contenteditable=true]')]
    .filter(
      (field) =>
        !field.matches('[type=checkbox], [type=radio], [type=range], [type=file], [type=hidden], [type=color]'),
    )
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML.slice(0, 120))

/** Texts and controls in the lower inset, once the page is at its end. */
function inIndicator(height: number): string[] {
  scrollTo(0, document.documentElement.scrollHeight)
  const edge = innerHeight - height + 1
  const isIn = ({ top, bottom, width }: DOMRect) => width > 1 && bottom > edge && top < innerHeight
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.vh, .skip')
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
    (one) => isSeen(one) && isIn(one.getBoundingClientRect()),
  )
  const texts = [...document.querySelectorAll('body *:not(script, style, noscript)')].flatMap((element) =>
    [...element.childNodes].flatMap((node) => {
      if (!(node instanceof Text) || !node.data.trim() || !isSeen(element)) return []
      const range = document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].some(isIn) ? [node.data.trim().slice(0, 40)] : []
    }),
  )
  return [...controls.map((one) => one.outerHTML.slice(0, 100)), ...texts]
}

async function expectGood(page: Page, path: string): Promise<void> {
  expect.soft(await page.evaluate(smallFields), `${path}: fields in small letters`).toEqual([])
  await expect
    .configure({ soft: true })
    .poll(() => page.evaluate(inIndicator, indicator), { message: `${path}: under the line` })
    .toEqual([])
}

async function giveIndicator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: indicator } })
}

test('on an iPhone no public page lies under the line at the lower edge, and no field zooms in', {
  tag: '@full',
}, async ({ page }) => {
  test.slow()
  await giveIndicator(page)
  for (const path of [...publicPaths, '/login', '/forgot-password', '/membership-application']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectGood(page, path)
  }
})

test('on an iPhone no members’ page lies under the line at the lower edge, and no field zooms in', {
  tag: '@full',
}, async ({ page }) => {
  test.slow()
  await logInOverHttp(page.request, 'standard@alliance.test')
  await giveIndicator(page)
  for (const path of memberPaths) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'Logout' }).first()).toBeVisible()
    await expectGood(page, path)
  }
})

test('on an iPhone no owners’ page lies under the line at the lower edge, and no field zooms in', {
  tag: '@full',
}, async ({ page }) => {
  test.slow()
  await openAdmin(page)
  await giveIndicator(page)
  for (const path of [...adminPaths, '/admin/videos?lesson=new', '/admin/blog?post=new']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectGood(page, path)
  }
})

test('on an iPhone a dialog moves above the keyboard with the field that’s typed in, and back', async ({ page }) => {
  await openAdmin(page)
  await page.keyboard.press('Control+k')
  const find = page.getByRole('dialog', { name: 'Find' })
  const field = find.getByRole('combobox')
  await field.fill('refund')
  const edges = () => find.evaluate((box) => [box.getBoundingClientRect().top, box.getBoundingClientRect().bottom])
  const before = await edges()
  const seen = { top: 60, height: 380 }
  // Neither Chromium nor WebKit shows a keyboard here, so what they would say of it is said for them.
  await page.evaluate(({ top, height }) => {
    if (visualViewport)
      Object.defineProperties(visualViewport, {
        height: { value: height, configurable: true },
        offsetTop: { value: top, configurable: true },
      })
    visualViewport?.dispatchEvent(new Event('resize'))
  }, seen)
  await expect.poll(edges).toEqual([seen.top, expect.closeTo(seen.top + seen.height, -2)])
  expect((await edges()).at(1)).toBeLessThanOrEqual(seen.top + seen.height)
  const typed = await field.boundingBox()
  expect(typed?.y).toBeGreaterThanOrEqual(seen.top)
  expect((typed?.y ?? 0) + (typed?.height ?? 0)).toBeLessThanOrEqual(seen.top + seen.height)
  await page.evaluate(() => {
    for (const name of ['height', 'offsetTop']) if (visualViewport) Reflect.deleteProperty(visualViewport, name)
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  // Its list may have grown meanwhile.
  await expect.poll(async () => (await edges()).at(0)).toBe(before.at(0))
})

test('on an iPhone the page behind a dialog stays where it is', { tag: '@full' }, async ({ page }) => {
  await page.goto('/terms')
  const choices = page.getByRole('button', { name: 'Privacy choices' })
  await choices.scrollIntoViewIfNeeded()
  await choices.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const place = () => page.evaluate(() => scrollY)
  const before = await place()
  await page.mouse.move(195, 20)
  await page.mouse.wheel(0, -600)
  await page.getByRole('dialog').hover()
  await page.mouse.wheel(0, -600)
  expect(await place()).toBe(before)
  await page.keyboard.press('Escape')
  await page.mouse.wheel(0, -600)
  await expect.poll(place).toBeLessThan(before)
})

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

test.describe('as Safari', () => {
  test.use({ userAgent: safari })

  test('MEMB-03 the steps onto the home screen are there by keyboard, read by everyone, and on a phone that lies on its side', async ({
    page,
  }) => {
    await logInOverHttp(page.request, 'standard@alliance.test')
    await openList(page)
    // As if they had come hours ago.
    await page.evaluate(() => localStorage.setItem('own-pages', '1'))
    await page.reload()
    const how = page.getByRole('button', { name: 'Show me how' })
    await how.focus()
    await page.keyboard.press('Enter')
    const steps = page.getByRole('dialog', { name: 'Add us to your home screen' })
    await expect(steps.getByRole('listitem')).toHaveCount(3)
    await expect(steps).toContainText('log in once more there')
    await expectSound(page, 'the steps onto the home screen')
    await page.setViewportSize({ width: 844, height: 390 })
    await steps.getByRole('button', { name: 'Done' }).scrollIntoViewIfNeeded()
    await expect(steps.getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(how).toBeFocused()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
    await expect(how).toHaveCount(0)
    await page.goto('/members/videos/where-the-business-is-now')
    await page.getByRole('region', { name: 'Keep on this phone' }).getByRole('button', { name: 'Show me how' }).click()
    await expect(steps.getByRole('listitem')).toHaveCount(3)
    await steps.getByRole('button', { name: 'Done' }).click()
    await expect(steps).toHaveCount(0)
  })
})
