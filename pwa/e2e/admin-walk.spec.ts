import type { Page } from '@playwright/test'
import { adminPaths, expectLoaded, goWithin, openAdmin } from './admin-steps.ts'
import { everydaySizes, expect, test } from './fixtures.ts'
import { expectNoViolations, narrowest } from './sound.ts'

/** Filled buttons less than a screen apart: only one says what to press next. */
function filledTogether(): string[] {
  const filled = [...document.querySelectorAll('.btn:not(.btn--line, .btn--bare, .btn--picked, :disabled)')]
  const shown = filled.filter((button) => button.checkVisibility() && !button.closest('.banner'))
  return shown.flatMap((button, at) => {
    const after = shown[at + 1]
    const apart = (after?.getBoundingClientRect().top ?? Infinity) - button.getBoundingClientRect().top
    return apart < innerHeight - 60 ? [`${button.textContent} and ${after?.textContent}`] : []
  })
}

/** Nothing is still loading, neither theme has a violation, one filled button is in sight, and nothing is wider than its screen, from the narrowest phone up. */
async function expectWhole(page: Page, name: string, themes: readonly ('light' | 'dark')[] = ['light', 'dark']) {
  await expectLoaded(page, name)
  const viewport = page.viewportSize()
  const isPhone = viewport !== null && viewport.width < 500
  expect.soft(await page.evaluate(filledTogether), `${name}: filled buttons`).toEqual([])
  if (isPhone) await page.setViewportSize(narrowest)
  await expectNoViolations(page, name, themes)
  const widths = isPhone ? [390, 320] : [1440, 1024]
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    const wide = () => page.evaluate(tooWide)
    await expect.soft.poll(wide, { message: `${name} at ${width} px` }).toEqual([])
  }
  if (viewport) await page.setViewportSize(viewport)
}

/** Also a day that isn't read whole in its field. */
function tooWide(): string[] {
  const days = [...document.querySelectorAll('main .datefield .field input')].filter((field) => field.checkVisibility())
  const wide = [document.documentElement, ...document.querySelectorAll('main .scrollx'), ...days]
  return wide.flatMap((element) => {
    const { scrollWidth, clientWidth, ariaLabel, id } = element
    const name = ariaLabel ?? (id ? document.querySelector(`label[for="${id}"]`)?.textContent : 'the page')
    return scrollWidth > clientWidth ? [`${name}: ${scrollWidth - clientWidth} px`] : []
  })
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value === 'number') return 0
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, emptied(part)]))
}

async function answerWithNothing(page: Page) {
  await page.route('**/api/admin/**', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'x-total-count': '0' }
    await route.fulfill({ response, headers, json: emptied(await response.json()) })
  })
}

for (const [size, viewport] of everydaySizes) {
  test.describe(size, { tag: '@full' }, () => {
    test.use(viewport)
    test.setTimeout(600_000)

    test('every place of the owners holds with what there is', async ({ page }) => {
      await openAdmin(page)
      for (const path of adminPaths) {
        await goWithin(page, path)
        await expectWhole(page, path)
      }
      await page.goto('/admin?q=shah')
      await page.getByRole('link', { name: 'Priya Shah', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Priya Shah' })).toBeVisible()
      await expect(page.getByText('1 of 1', { exact: true }).or(page.getByText('Activity')).first()).toBeVisible()
      await expectWhole(page, 'a member')
    })

    test('every place of the owners holds with nothing in it', async ({ page }) => {
      await answerWithNothing(page)
      await openAdmin(page)
      for (const path of adminPaths) {
        await goWithin(page, path)
        await expectWhole(page, `${path}, empty`)
      }
    })

    test('without signal every place shows its last answer, and since when it stands', async ({ page }) => {
      await openAdmin(page)
      for (const path of adminPaths) {
        await goWithin(page, path)
        await expect(page.locator('.panel .skeleton')).toHaveCount(0)
      }
      await page.route('**/api/**', (route) => route.abort())
      for (const path of adminPaths) {
        await goWithin(page, path)
        if (path !== '/admin/analytics')
          await expect(
            page
              .locator('.panel')
              .getByText(/as of \d\d:\d\d/i)
              .first(),
            path,
          ).toBeVisible()
        await expectWhole(page, `${path}, without signal`)
      }
    })

    test.describe('with a server that fails', () => {
      test.use({ expectedComplaints: [/status of 500/] })

      test('every place of the owners says so, and how to try again', async ({ page }) => {
        await page.route('**/api/admin/**', (route) => route.fulfill({ status: 500, json: {} }))
        await openAdmin(page)
        for (const path of adminPaths) {
          await goWithin(page, path)
          if (path !== '/admin/analytics')
            await expect(
              page
                .locator('.panel')
                .getByRole('button', { name: /try again|retry/i })
                .first(),
            ).toBeVisible()
          await expectWhole(page, `${path}, failing`)
        }
      })
    })
  })
}
