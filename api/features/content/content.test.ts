import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { PageName } from '#shared/contract/page-texts.ts'
import { openContent, readContent } from './service.ts'

const { settings } = startWorld().ctx
const contentSettings = {
  url: 'https://site.test',
  links: settings.links,
  measuring: settings.measuring,
  isLive: false,
}
const { site } = readContent(contentSettings)

test('CONST-02 CONST-03 CONST-05 CONST-07 the readings and claims of the site', () => {
  expect(site.prices.guarantee).toBe('All plans include 14-day money-back guarantee')
  expect(site.prices.terms).toBe('Prices exclude UK VAT • Cancel anytime')
  expect(site.prices.lowest).toBe('from £147 + VAT per month')
  expect(site.claims.coached).toEqual({ isOn: true, figure: '500+', label: 'tradesmen coached' })
  expect(site.claims.rating).toMatchObject({ isOn: true, figure: '4.9', label: 'from 50+ reviews' })
})

test('with a live key, claims that came with the software are off', () => {
  const { claims } = readContent({ ...contentSettings, isLive: true }).site
  expect([claims.rating.isOn, claims.coached.isOn]).toEqual([false, true])
})

describe('files that an owner edits', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'content-'))
    cpSync('data/content', folder, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')))

  test.each([
    ['a wrong entry', 'site.json', /"email": "[^"]*"/, '"email": "nobody"', /site\.json, line 10: coaches\.0\.email: /],
    ['an empty one', 'pages/about.json', /"title": "[^"]*"/, '"title": " "', /about\.json, line 2: title: /],
    ['a missing one', 'pages/about.json', /"title"/, '"titel"', /about\.json, line 1: title: /],
    [
      'a value that is not there',
      'pages/about.json',
      'in {brand.founded}',
      'in {brand.born}',
      /line 3: description: .*braces/,
    ],
    [
      'one that names another',
      'site.json',
      '"tagline": "',
      '"tagline": "{brand.copyright} ',
      /line 4: brand\.tagline: .*braces/,
    ],
    ['an entry too many', 'pages/about.json', '"lead": ', '"led": "", "lead": ', /about\.json, line 6: led: /],
    [
      'one inside a choice',
      'pages/about.json',
      '"claim": "coached"',
      '"claim": ""',
      /line 48: trust\.cards\.0: .*claim/,
    ],
    ['a comma too many', 'pages/about.json', /",\n/, '",,\n', /about\.json, line 2: /],
  ])('%s is named with its file and line', (_what, name, wrong, right, says) => {
    edit(name, (text) => text.replace(wrong, right))
    expect(() => readContent(contentSettings, folder)).toThrow(says)
  })

  test('what stands in several texts is written down once', () => {
    edit('site.json', (text) =>
      text.replace('"founded": 2019', '"founded": 2020').replace('"figure": "14"', '"figure": "30"'),
    )
    const { site, pages } = readContent(contentSettings, folder)
    expect([site.brand.copyright, site.claims.founded.figure]).toEqual(['© The Alliance. Founded 2020.', '2020'])
    expect(site.prices.guarantee).toBe('All plans include 30-day money-back guarantee')
    expect(pages.about.description).toContain('started in 2020')
    expect(JSON.stringify({ site, pages })).not.toMatch(/2019|14.day|14 days/)
    expect(pages.home.description).toBe(site.brand.tagline)
  })

  test('a byte order mark at the beginning is no part of it', () => {
    for (const name of ['site.json', 'pages/about.json']) edit(name, (text) => `\uFEFF${text}`)
    expect(readContent(contentSettings, folder)).toEqual(readContent(contentSettings))
  })

  test('a missing file is named as the owner knows it', () => {
    rmSync(join(folder, 'pages/about.json'))
    expect(() => readContent(contentSettings, folder)).toThrow(
      'data/content/pages/about.json cannot be read: is it there?',
    )
  })

  test('a change is served; a wrong one is logged, and the last good content keeps serving', () => {
    const world = startWorld()
    const content = openContent(world.ctx, { folder, everyMs: 0 })
    const before = content.version()
    edit('pages/about.json', (text) => text.replace(/"title": "[^"]*"/, '"title": "Another title"'))
    expect([content.version() === before, content.read().pages.about.title]).toEqual([false, 'Another title'])
    edit('pages/about.json', () => '{')
    expect(content.read().pages.about.title).toBe('Another title')
    expect(content.version()).toBe(before + 1)
    expect(world.logged.join()).toContain('about.json, line 1')
  })
})

describe('GET /api/site-content', () => {
  test('gives everything, or one page', async () => {
    const world = startWorld()
    const all = await (await world.call('/api/site-content')).json()
    expect(Object.keys(all.pages).sort()).toEqual([...PageName.options].sort())
    expect(all.site.brand.founded).toBe(2019)
    expect(await (await world.call('/api/site-content?page=about')).json()).toEqual(all.pages.about)
    expect((await world.call('/api/site-content?page=nothing')).status).toBe(422)
  })

  test('is 304 for who has it', async () => {
    const world = startWorld()
    const etag = (await world.call('/api/site-content?page=about')).headers.get('etag') ?? ''
    const again = await world.call('/api/site-content?page=about', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })
})
