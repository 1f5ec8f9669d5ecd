import { expect, test } from 'vitest'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, siteContent, tiers } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const paths = createPageRenderer(pageData).routes.flatMap(({ path, isPublic }) =>
  isPublic && !path.includes('$') ? [path] : [],
)
const texts = new Map(await Promise.all(paths.map(async (path) => [path, (await renderPage(path)).text] as const)))
const pagesWith = (words: string) => paths.filter((path) => texts.get(path)?.includes(words))
const timesIn = (path: string, words: string) => (texts.get(path)?.split(words).length ?? 1) - 1

test('TIER-24 the lowest price is Lite’s; the stated one is said once, in the front page’s second step', async () => {
  const lowest = tiers.reduce((one, other) => (other.price < one.price ? other : one))
  expect([lowest.slug, lowest.price]).toEqual(['lite', 12_500])
  const [stated = ''] = siteContent.prices.lowest.split(' + ')
  expect(pagesWith(stated)).toEqual(['/'])
  expect(timesIn('/', stated)).toBe(1)
  const { html } = await renderPage('/')
  const [, second = -1, third = -1] = pageData.texts.home.journey.steps.map(({ title }) => html.indexOf(title))
  const said = html.indexOf(stated)
  expect([second > 0, second < said, said < third]).toEqual([true, true, true])
})

test('TIER-25 Mastermind is mentioned as by invitation, and has no card of its own', () => {
  const { name, badge } = siteContent.mastermind
  expect(pagesWith(name)).toContain('/membership-tiers')
  expect(texts.get('/membership-tiers')).toContain(badge)
  expect(tiers.map((tier) => tier.name)).not.toContain(name)
})
