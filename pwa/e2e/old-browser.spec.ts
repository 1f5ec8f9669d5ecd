import type { Page } from '@playwright/test'
import { expect, phone, signIn, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { type Front, startFront } from './front.ts'
import { openList, tick } from './members-steps.ts'

test.use({ ...phone, ...withServiceWorker })

/** What the oldest browsers we promise don't have (docs/browsers.md), taken away. */
const takeAway = `
delete URL.canParse
delete AbortSignal.any
for (const name of ['withResolvers', 'try']) delete Promise[name]
for (const one of [Object, Map]) delete one.groupBy
for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'])
  delete Set.prototype[name]
for (const name of ['isWellFormed', 'toWellFormed']) delete String.prototype[name]
delete Array.fromAsync
for (const name of Object.getOwnPropertyNames(globalThis.Iterator?.prototype ?? {}))
  if (name !== 'constructor') delete Iterator.prototype[name]
delete globalThis.Iterator
delete globalThis.navigation
if (globalThis.Element) delete Element.prototype.checkVisibility
`

let front: Front
test.beforeAll(async () => {
  front = await startFront((answer) => {
    if (/^\/sw\.js|piece-worker/.test(answer.path)) answer.body = Buffer.concat([Buffer.from(takeAway), answer.body])
  })
})
test.afterAll(() => front.stop())

test('MEMB-10 a browser from early 2023 logs in, ticks, plays, keeps a video and leaves nothing behind at a logout', {
  tag: '@full',
}, async ({ browser }) => {
  const context = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: front.url })
  await context.addInitScript(takeAway)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await signIn(page, 'standard@alliance.test')
  await openList(page)
  await underServiceWorker(page)
  await tick(page, 'The year on one page')
  await page.goto('/members/videos/where-the-business-is-now')
  await page.getByRole('button', { name: 'Play' }).click()
  const playedTo = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect.poll(playedTo).toBeGreaterThan(0.3)
  await page.goto('/members/videos/where-the-business-is-now')
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  await page.getByRole('button', { name: /^Keep 1 video/ }).click()
  await expect(page.getByRole('button', { name: 'Delete from this phone' })).toBeVisible()
  await openList(page)
  await page.getByRole('link', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Log out and delete' }).click()
  await expect(page).toHaveURL('/')
  const left = () =>
    page.evaluate(async () => [
      ...(await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith('alliance-member-') ? [name] : [])),
      ...((await caches.has('alliance-personal')) ? ['alliance-personal'] : []),
    ])
  await expect.poll(left).toEqual([])
  expect(errors).toEqual([])
  await context.close()
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
