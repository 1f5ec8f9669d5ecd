import type { BrowserContext, Page } from '@playwright/test'
import { labelOf, menuLabel, pages, site as siteContent } from './content.ts'
import {
  desktop,
  everydaySizes,
  expect,
  isFull,
  phone,
  test,
  underServiceWorker,
  withServiceWorker,
} from './fixtures.ts'
import { crawl, isOwn, publicPaths, withoutFragment } from './public-pages.ts'
import { expectSound } from './sound.ts'
import { expectLight } from './weight.ts'

function watchRequests(context: BrowserContext, site: string) {
  const troubles: string[] = []
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== site) troubles.push(`left the site: ${request.url()}`)
  })
  context.on(
    'response',
    (response) => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`),
  )
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // Still pending when the next page opened.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`${reason} ${request.url()}`)
  })
  return troubles
}

const headOf = (page: Page) =>
  page.evaluate(() => {
    const content = (selector: string) => document.querySelector(selector)?.getAttribute('content') ?? ''
    return {
      title: document.title,
      description: content('meta[name=description]'),
      canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href'),
      image: content('meta[property="og:image"]'),
      facts: [...document.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) => textContent),
    }
  })

async function seeAll(page: Page) {
  const pictures = page.locator('img')
  for (const picture of await pictures.all()) await picture.evaluate((image) => image.scrollIntoView())
  const blank = () =>
    pictures.evaluateAll((images) =>
      images.flatMap((image) => (image instanceof HTMLImageElement && image.naturalWidth === 0 ? [image.src] : [])),
    )
  await expect.poll(blank, 'pictures that do not show').toEqual([])
}

/** The full run checks every page by day and by night; each run checks the tiers. */
const soundEveryRun = ['/membership-tiers']

/** The page is served in full, describes itself, and requests nothing from other sites. */
async function expectWhole(page: Page, path: string, site: string) {
  const isAlive = page.waitForRequest('**/api/analytics/events')
  const response = await page.goto(path)
  expect(response?.status()).toBe(200)
  await isAlive
  await expectLight(page, path)
  await seeAll(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  const head = await headOf(page)
  const ending = ` | ${siteContent.brand.name}`
  expect(head.title.endsWith(ending)).toBe(true)
  expect(head.title.slice(0, -ending.length)).toMatch(/^.{3,60}$/)
  expect(head.description).toMatch(/^.{20,170}$/)
  expect(head.canonical).toBe(site + path)
  const image = await page.request.get(head.image)
  expect([image.status(), image.headers()['content-type']]).toEqual([200, 'image/png'])
  for (const fact of head.facts)
    expect(JSON.parse(fact)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': expect.stringMatching(/^[A-Z]/),
    })
  if (isFull || soundEveryRun.includes(path)) await expectSound(page, path)
}

/**
 * An everyday run reads every fourth page, and /health, which does without the API's client to be light. In the full run each page has
 * its own visitor.
 */
function readers(turn: number): string[][] {
  if (isFull) return publicPaths.map((path) => [path])
  return [publicPaths.filter((path, index) => path === '/health' || index % 4 === turn)]
}

for (const [turn, [size, viewport]] of everydaySizes.entries()) {
  test.describe(`ROUTE-1 ROUTE-2 ROUTE-3 ROUTE-4 ROUTE-5 ROUTE-6 ROUTE-8 ROUTE-10 ROUTE-13 ROUTE-14 ROUTE-19 ROUTE-20 ROUTE-21 ROUTE-22 ROUTE-27 ROUTE-29 ROUTE-30 ${size}`, () => {
    test.use(viewport)

    for (const paths of readers(turn)) {
      test(`NAV-09 each is served whole, within its weight, describes itself, and requests nothing from other sites: ${paths.join(' ')}`, async ({
        page,
        context,
        baseURL,
      }) => {
        const site = baseURL ?? ''
        const troubles = watchRequests(context, site)
        for (const path of paths) await test.step(path, () => expectWhole(page, path, site))
        expect(troubles).toEqual([])
      })
    }
  })
}

test('ROUTE-31 no link of a public page, of the menu or of the footer leads nowhere', async ({ request, baseURL }) => {
  const pages = await crawl(request, publicPaths, baseURL ?? '')
  const dead = [...pages].filter(([, { status }]) => status >= 400).map(([path, { status }]) => `${status} ${path}`)
  expect(dead).toEqual([])
  for (const [path, { links, ids }] of pages)
    for (const link of links) {
      if (!isOwn(link) && !link.startsWith('#')) {
        expect(['https:', 'mailto:', 'tel:'], `${link} on ${path}`).toContain(new URL(link).protocol)
        continue
      }
      const [, place] = link.split('#')
      const there = link.startsWith('#') ? ids : pages.get(withoutFragment(link))?.ids
      // The browser renders the app's pages itself.
      if (place && there?.size) expect([...there], `${link} on ${path}`).toContain(place)
    }
})

test('ROUTE-31 each page has its own title and description, and the sitemap names each that has one address', async ({
  request,
  baseURL,
}) => {
  const pages = await Promise.all(publicPaths.map(async (path) => (await request.get(path)).text()))
  const titles = pages.map((html) => html.match(/<title>(.*?)<\/title>/)?.[1])
  const descriptions = pages.map((html) => html.match(/<meta name="description" content="([^"]*)"/)?.[1])
  expect(new Set(titles).size).toBe(pages.length)
  expect(new Set(descriptions).size).toBe(pages.length)
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
  expect(listed).toEqual(expect.arrayContaining(publicPaths.map((path) => `${baseURL}${path}`)))
  const responses = await Promise.all(listed.map(async (address) => (await request.get(address)).status()))
  expect(new Set(responses)).toEqual(new Set([200]))
})

test('ROUTE-31 any other path is not found; a slash at the end leads to the page', async ({ request }) => {
  for (const path of ['/no-such-page', '/about/us', '/About', '/design', '/design.html', '/%E0%A4', '/blog/a/b']) {
    const response = await request.get(path)
    expect([path, response.status()]).toEqual([path, 404])
    expect(await response.text()).toMatch(/<h1>404 Page Not Found<\/h1>/)
  }
  expect((await request.get('/blog/no-such-post')).status()).toBe(404)
  for (const path of publicPaths.slice(1)) {
    const response = await request.get(`${path}/?from=letter`, { maxRedirects: 0 })
    expect([response.status(), response.headers().location]).toEqual([308, `${path}?from=letter`])
  }
})

test('NAV-01 NAV-03 the bar stands on one line at every width', { tag: '@full' }, async ({ page }) => {
  await page.goto('/about')
  for (const width of [320, 768, 1024, 1152, 1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const bar = await page.getByRole('banner').boundingBox()
    expect([width, bar?.height]).toEqual([width, 68])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test.describe('without JavaScript', () => {
  test.use({ ...phone, javaScriptEnabled: false })

  test('NAV-01 NAV-07 every public page reads, and the menu leads on', { tag: '@full' }, async ({ page }) => {
    for (const path of publicPaths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main'), path).toHaveText(/[\s\S]{150}/, { useInnerText: true })
      await expect(page.getByRole('button', { name: 'Menu' })).toBeHidden()
    }
    for (const path of ['/blog', '/website-builds']) {
      await page
        .getByRole('banner')
        .getByRole('link', { name: labelOf(path) })
        .click()
      await expect(page).toHaveURL(path)
    }
  })

  test('CONT-01 CAPP-01 CALL-01 forms can be sent, and the app says that it needs JavaScript', async ({ page }) => {
    for (const path of ['/contact', '/coaching-application', '/book-coaching-call']) {
      await page.goto(path)
      await expect(
        page.locator('form[method="post"]').getByRole('button', { name: /^(Send|Submit|Book|Apply|Request)/ }),
      ).toBeVisible()
    }
    for (const path of ['/members', '/membership-application', '/login']) {
      await page.goto(path)
      await expect(page.locator('noscript h1')).toHaveText('This page needs JavaScript')
      await expect(page.locator('noscript a[href^="mailto:"]').first()).toBeVisible()
    }
  })
})

test.describe('without JavaScript on a desk', () => {
  test.use({ ...desktop, javaScriptEnabled: false })

  test('NAV-06 the software pages open under the pointer', { tag: '@full' }, async ({ page }) => {
    await page.goto('/about')
    await page.getByRole('button', { name: menuLabel }).hover()
    await page
      .getByRole('banner')
      .getByRole('link', { name: labelOf('/quotient') })
      .click()
    await expect(page).toHaveURL('/quotient')
  })
})

test.describe('in flight mode', () => {
  test.use({
    ...phone,
    ...withServiceWorker,
    expectedComplaints: [/dynamically imported module|Unable to preload/],
  })

  test('ROUTE-1 ROUTE-8 ROUTE-14 what was seen reads; what was not says so, and comes with the signal', async ({
    page,
    context,
  }) => {
    const [firstPromise = ''] = pages.home.hero.promises
    const post = '/blog/pricing-a-job-properly'
    await page.goto('/')
    await underServiceWorker(page)
    await page.goto('/membership-tiers')
    await page.goto(post)
    await context.setOffline(true)
    for (const [path, words] of [
      ['/', firstPromise],
      ['/membership-tiers', '£250'],
      [post, 'Pricing a job properly'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(words).first()).toBeVisible()
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page
      .locator('.menu')
      .getByRole('link', { name: labelOf('/podcast') })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Not on this phone yet' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Pricing a job properly' })).toBeVisible()
    for (const path of ['/login', '/about']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: 'Not on this phone yet' })).toBeVisible()
    }
    await page.getByRole('link', { name: siteContent.brand.name }).first().click()
    await expect(page.getByRole('main').getByText(firstPromise).first()).toBeVisible()
    await page.goto('/about')
    await expectSound(page, 'a page that was not seen')
    await context.setOffline(false)
    await expect(page.getByRole('heading', { level: 1, name: 'Not on this phone yet' })).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
