import type { Page } from '@playwright/test'
import { adminPaths, openAdmin } from './admin-steps.ts'
import { openBilling } from './billing-steps.ts'
import { expect, phone, test } from './fixtures.ts'
import { memberPaths } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'
import { publicPaths } from './public-pages.ts'

const side = 59

test.use({ ...phone, viewport: { width: 844, height: 390 } })

/** A phone that lies on its side, with a notch on either. */
async function layOnItsSide(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: side, right: side } })
}

/** Texts and controls that can be seen and reach into the insets. What scrolls sideways within its box may. */
function behindNotch(width: number): string[] {
  const reaches = ({ left, right, width: wide, height }: DOMRect) =>
    wide > 0 && height > 0 && right > 0 && left < innerWidth && (left < width - 1 || right > innerWidth - width + 1)
  const isSeen = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || right - left <= 1) return false
    for (let box = element.parentElement; box; box = box.parentElement) {
      const clip = box.getBoundingClientRect()
      if (getComputedStyle(box).overflowX === 'visible') continue
      if (clip.left >= width - 1 && clip.right <= innerWidth - width + 1) return false
      if (bottom <= clip.top || top >= clip.bottom) return false
    }
    return true
  }
  const texts = [...document.querySelectorAll('body *:not(script, style, noscript)')].flatMap((element) =>
    [...element.childNodes].flatMap((node) => {
      if (!(node instanceof Text) || !node.data.trim() || !isSeen(element)) return []
      const range = document.createRange()
      range.selectNodeContents(node)
      return [...range.getClientRects()].some(reaches) ? [node.data.trim().slice(0, 40)] : []
    }),
  )
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
    (element) => isSeen(element) && reaches(element.getBoundingClientRect()),
  )
  return [...texts, ...controls.map((one) => one.outerHTML.slice(0, 80))]
}

/** Bands whose colour ends beside the inset. */
const shortBands = () =>
  [...document.querySelectorAll('header.nav, .foot, .dock, .on-ink, .on-blade, .mem, .mem ~ .sync, .lessons__top')]
    .filter((band) => band.checkVisibility() && band.getBoundingClientRect().width !== innerWidth)
    .map(({ className }) => className)

async function expectBesideNotch(page: Page, path: string): Promise<void> {
  await expect
    .configure({ soft: true })
    .poll(() => page.evaluate(behindNotch, side), { message: path })
    .toEqual([])
  expect.soft(await page.evaluate(shortBands), `bands of ${path}`).toEqual([])
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(await sideways(), `${path} scrolls sideways`).toBeLessThanOrEqual(0)
}

test('on its side a phone’s notch covers nothing of a public page', { tag: '@full' }, async ({ page }) => {
  await layOnItsSide(page)
  for (const path of [...publicPaths, '/login', '/membership-application']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectBesideNotch(page, path)
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectBesideNotch(page, 'the menu')
})

test('on its side a phone’s notch covers nothing of the members’ area', { tag: '@full' }, async ({ page }) => {
  await logInOverHttp(page.request, 'standard@alliance.test')
  await layOnItsSide(page)
  for (const path of memberPaths) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'Logout' }).first()).toBeVisible()
    await expectBesideNotch(page, path)
  }
})

test('on its side a phone’s notch covers nothing of what asks a member about money', { tag: '@full' }, async ({
  page,
}) => {
  await joinOverHttp(page.request, newPerson('Ada', 'Joist'))
  await layOnItsSide(page)
  await openBilling(page)
  await page.getByRole('button', { name: 'Change tier' }).click()
  await page.getByRole('radio', { name: /^Alliance XL/ }).check()
  await expect(page.getByRole('button', { name: 'Change to Alliance XL' })).toBeVisible()
  await expectBesideNotch(page, 'changing the tier')
  await openBilling(page)
  await page.getByRole('button', { name: 'Cancel membership' }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel your membership?' })).toBeVisible()
  await expectBesideNotch(page, 'cancelling')
})

test('on its side a phone’s notch covers nothing of the owners’ places', { tag: '@full' }, async ({ page }) => {
  await layOnItsSide(page)
  await openAdmin(page)
  for (const path of adminPaths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectBesideNotch(page, path)
  }
  for (const editor of ['/admin/videos?lesson=new', '/admin/blog?post=new']) {
    await page.goto(editor)
    await expect(page.getByLabel('Title').first()).toBeVisible()
    await expectBesideNotch(page, editor)
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible()
  await expectBesideNotch(page, 'Find')
})
