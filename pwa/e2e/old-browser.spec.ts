import type { Page } from '@playwright/test'
import { expect, isOld, phone, startApp, test, underServiceWorker, withServiceWorker } from './fixtures.ts'

test.use(phone)

const tooOld = { name: 'Your browser is too old for the members’ area.' }
const notLoaded = { name: 'We couldn’t load this page' }
const entry = /\/assets\/site-[\w-]+\.js/

if (isOld)
  test.describe('the browser of this run', () => {
    test.use(withServiceWorker)

    test('lacks what some promised browser lacks, in the page and in its worker', { tag: '@old' }, async ({ page }) => {
      const has = () => [
        ...[
          'withResolvers' in Promise,
          'any' in AbortSignal,
          'groupBy' in Map,
          'canParse' in URL,
          'map' in Object.getPrototypeOf(Object.getPrototypeOf([].values())),
        ],
        ...['databases' in IDBFactory.prototype, 'navigation' in globalThis],
      ]
      await page.goto('/contact')
      await underServiceWorker(page)
      const worker = page.context().serviceWorkers()[0]
      // The worker and, once it has started, the page have stand-ins for the first four.
      const stoodIn = [true, true, true, true, false, false, false]
      expect(await worker?.evaluate(has)).toEqual(stoodIn)
      await startApp(page)
      expect(await page.evaluate(has)).toEqual(stoodIn)
      const styleOf = () =>
        [...document.querySelectorAll('textarea')].map((one) => getComputedStyle(one).getPropertyValue('field-sizing'))
      expect(await page.evaluate(styleOf)).toEqual(['fixed'])
    })
  })

const takeToSorted = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'toSorted'))

test('a browser that’s too old is told so by what needs the app; public pages, their menu and forms are there', async ({
  page,
}) => {
  await takeToSorted(page)
  for (const path of ['/members', '/admin', '/login']) {
    await page.goto(path)
    await expect(page.getByRole('heading', tooOld)).toBeVisible()
    await expect(page.getByText('Update it, or open this on another phone.')).toBeVisible()
  }
  await page.goto('/membership-application')
  await expect(page.getByRole('heading', { name: 'Your browser is too old for this page.' })).toBeVisible()
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
  await page.getByLabel('Name').fill('Ada Still')
  await page.getByLabel('Email').fill('ada.still@example.com')
  await page.getByLabel('Message').fill('My phone is old')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
})

test.describe('an app that can’t start', () => {
  test.use({ serviceWorkers: 'block', expectedComplaints: [/Unexpected (token|end)|Failed to fetch dynamically/] })

  test('says that it couldn’t load, whether its file came damaged or not at all, and lets you try again', async ({
    page,
  }) => {
    await page.route(entry, (route) => route.fulfill({ contentType: 'text/javascript', body: 'let a = ;' }))
    await page.goto('/members')
    await expect(page.getByRole('heading', notLoaded)).toBeVisible()
    await page.unroute(entry)
    await page.route(entry, (route) => route.abort())
    await page.goto('/login')
    await expect(page.getByRole('heading', notLoaded)).toBeVisible()
    await page.unroute(entry)
    await page.getByRole('link', { name: 'try again' }).click()
    await expect(page.getByRole('form', { name: 'Log in' })).toBeVisible()
  })

  test('says so, too, where a part of it doesn’t come', async ({ page }) => {
    const parts = /\/assets\/(?!site-|core-)[\w-]+-[\w-]{8}\.js/
    await page.route(parts, (route) => route.abort())
    await page.goto('/login')
    await expect(
      page.getByRole('heading', { name: /^(We couldn’t load this page|Not on this phone yet)$/ }),
    ).toBeVisible()
  })

  test('leaves a public page’s menu, and its form that sends itself', async ({ page }) => {
    await page.route(entry, (route) => route.abort())
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
    await expect(page).toHaveURL('/contact')
    await page.getByLabel('Name').fill('Ada Still')
    await page.getByLabel('Email').fill('ada.still@example.com')
    await page.getByLabel('Message').fill('It doesn’t start')
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
  })
})

/** What `color` says there, on a canvas of its own. */
const colours = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(':root, footer, header, .tier, [class*="band"]')].map((element) => {
      const probe = element.appendChild(document.createElement('i'))
      const all = ['bench', 'sheet', 'ink', 'ink-inverse', 'rule', 'blade', 'carbon', 'bad'].map((name) => {
        probe.style.color = `var(--${name})`
        return getComputedStyle(probe).color
      })
      probe.remove()
      return all
    }),
  )

for (const colorScheme of ['light', 'dark'] as const)
  test(`without light-dark() every colour is the same, in a system that is ${colorScheme}`, async ({
    page,
    context,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    const expected = await colours(page)
    const old = await context.newPage()
    await old.emulateMedia({ colorScheme })
    // The browser takes no such colour: what's left of it is what the page declares again.
    await old.addInitScript(() => {
      const { supports } = CSS
      CSS.supports = (...asked: [string, string?]) =>
        !asked.join().includes('light-dark') && Reflect.apply(supports, CSS, asked)
    })
    await old.goto('/')
    await expect
      .poll(() => old.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--ink')))
      .not.toContain('light-dark')
    expect(await colours(old)).toEqual(expected)
    const left = await old.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) =>
          getComputedStyle(element).getPropertyValue('--ink').includes('light-dark'),
        ).length,
    )
    expect(left).toBe(0)
  })
