import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPageSource } from '#api/page-source.ts'
import { contentOf, openContent, readContent } from '#api/site/content.ts'
import { startWorld } from '#api/testing/world.ts'
import { PageName } from '#shared/contract/page-texts.ts'
import { withoutSamples } from '#shared/rules/samples.ts'

const { settings } = startWorld().ctx
const contentSettings = { ...settings, publicUrl: 'https://site.test' }

test('with a live key, only the claims that came with the software are off', () => {
  const { site, pages } = readContent(contentSettings)
  const rating = { ...site.claims.rating, isOn: true, isSample: true }
  const coached = { ...site.claims.coached, isOn: true, isSample: false }
  const { claims } = withoutSamples({ site: { ...site, claims: { ...site.claims, rating, coached } }, pages }).site
  expect([claims.rating.isOn, claims.coached.isOn]).toEqual([false, true])
})

test('HOME-09 sample reviews, claims and coaches’ trades are served in the sandbox alone, not with a test key', async () => {
  const keys = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_SECRET_KEY: 'sk_test_1' }
  const production = { ...keys, NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) }
  const shown = async (env: Record<string, string>) => {
    const { site, pages } = await (await startWorld({ env }).call('/api/site-content')).json()
    return {
      reviews: pages.home.reviews.items.length > 0,
      story: 'story' in pages.about,
      rating: site.claims.rating.isOn,
      coaches: site.coaches.some((coach: object) => 'trade' in coach || 'town' in coach),
    }
  }
  expect(await shown({})).toEqual({ reviews: true, story: true, rating: true, coaches: true })
  for (const env of [keys, production])
    expect(await shown(env)).toEqual({ reviews: false, story: false, rating: false, coaches: false })
})

test('a coach’s trade and town are owners’ to set; what’s wrong with them is said at their fields', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const { version } = await (await owner('/api/admin/content/site')).json()
  const coach = { id: 'coach-1', name: 'Dave Bench', chat: 'https://wa.me/447900000001', email: 'dave@bench.example' }
  const put = (coaches: object[]) =>
    owner('/api/admin/content/site', { method: 'PUT', body: { version, entry: 'coaches', value: coaches } })
  const refused = await put([{ ...coach, trade: '', town: 'x'.repeat(41) }])
  expect((await refused.json()).error.fields).toEqual({
    'coaches.0.trade': 'must not be empty',
    'coaches.0.town': 'can have up to 40 characters',
  })
  expect((await put([{ ...coach, trade: 'Joiner', town: 'Hexham' }])).status).toBe(200)
  const { site } = await (await world.call('/api/site-content')).json()
  expect(site.coaches).toEqual([{ ...coach, trade: 'Joiner', town: 'Hexham' }])
})

describe('files that an owner edits', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'content-'))
    cpSync('data/content', folder, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const readText = (name: string) => readFileSync(join(folder, name), 'utf8')
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readText(name)))

  test.each([
    ['a wrong entry', 'site.json', /"email": "[^"]+"/, '"email": "nobody"', 'coaches.0.email: '],
    ['an empty one', 'pages/about.json', /"title": "[^"]*"/, '"title": " "', 'title: '],
    [
      'one that names no value',
      'pages/about.json',
      /"description": "[^"]*"/,
      '"description": "{brand.born}"',
      'braces',
    ],
    ['one that names another', 'site.json', /"tagline": "[^"]*"/, '"tagline": "{brand.copyright}"', 'brand.tagline: '],
    ['an entry too many', 'pages/about.json', '"lead": ', '"led": "", "lead": ', 'led: '],
    ['one inside a choice', 'pages/about.json', '"cards": [', '"cards": [{ "claim": "" },', 'trust.cards.0: '],
    ['a comma too many', 'pages/about.json', /",\n/, '",,\n', ''],
  ])('%s is named with its file and line', (_what, name, right, wrong, says) => {
    edit(name, (text) => text.replace(right, wrong))
    const text = readText(name)
    const line = text.slice(0, text.indexOf(wrong)).split('\n').length
    const message = new RegExp(`^data/content/${name}, line ${line}: .*${says}`)
    expect(() => readContent(contentSettings, folder)).toThrow(message)
  })

  test('a missing one is named with its file', () => {
    edit('pages/about.json', (text) => text.replace('"title"', '"titel"'))
    expect(() => readContent(contentSettings, folder)).toThrow('data/content/pages/about.json, line 1: title: ')
  })

  test('values used in several texts are written down once', () => {
    edit('site.json', (text) =>
      text
        .replace(/"name": "[^"]*"/, '"name": "Bench & Co"')
        .replace(/"founded": \d+/, '"founded": 1999')
        .replace(/"copyright": "[^"]*"/, '"copyright": "© {brand.name} {brand.founded}"'),
    )
    edit('pages/about.json', (text) => text.replace(/"lead": "[^"]*"/, '"lead": "Since {brand.founded}"'))
    const { site, pages } = readContent(contentSettings, folder)
    expect([site.brand.copyright, pages.about.lead]).toEqual(['© Bench & Co 1999', 'Since 1999'])
  })

  test('a byte order mark at the beginning is no part of it', () => {
    for (const name of ['site.json', 'pages/about.json']) edit(name, (text) => `\uFEFF${text}`)
    expect(readContent(contentSettings, folder)).toEqual(readContent(contentSettings))
  })

  test('a missing file is named as the owner knows it', () => {
    rmSync(join(folder, 'pages/about.json'))
    expect(() => readContent(contentSettings, folder)).toThrow(
      'We can’t read data/content/pages/about.json. Is it there?',
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
    expect(all.site.brand).toEqual(readContent(contentSettings).site.brand)
    expect(await (await world.call('/api/site-content?page=about')).json()).toEqual(all.pages.about)
    expect((await world.call('/api/site-content?page=nothing')).status).toBe(422)
  })

  test('says nothing that mails alone say, no draft, and no word of a claim that is off', async () => {
    const world = startWorld()
    const owner = world.signIn(world.addOwner())
    const { mails, followUps, site } = contentOf(world.ctx).read()
    for (const [page, words] of [
      ['mails', mails],
      ['follow-ups', followUps],
    ] as const) {
      expect((await world.call(`/api/site-content?page=${page}`)).status).toBe(422)
      expect((await (await owner(`/api/admin/content/${page}`)).json()).value).toEqual(words)
    }
    const entries = { title: 'Not before Monday' }
    expect(
      (await owner('/api/admin/content/about/draft', { method: 'PUT', body: { version: 0, entries } })).status,
    ).toBe(200)
    const claim = { ...site.claims.revenue, isOn: true, figure: '£9,876,543' }
    const put = (isOn: boolean, version: number) =>
      owner('/api/admin/content/site', {
        method: 'PUT',
        body: { version, entry: 'claims.revenue', value: { ...claim, isOn } },
      })
    expect((await put(true, 0)).status).toBe(200)
    const readAll = async () => (await world.call('/api/site-content')).text()
    expect(await readAll()).toContain(claim.figure)
    expect((await put(false, 1)).status).toBe(200)
    const all = await readAll()
    for (const secret of [claim.figure, entries.title, followUps['not-seen'].subject]) expect(all).not.toContain(secret)
    expect(JSON.parse(all).site.claims.revenue).toEqual({ ...claim, isOn: false, figure: '', label: '' })
    expect(JSON.stringify(createPageSource(world.ctx).read())).not.toContain(claim.figure)
  })

  test('is 304 for who has it', async () => {
    const world = startWorld()
    const etag = (await world.call('/api/site-content?page=about')).headers.get('etag') ?? ''
    const again = await world.call('/api/site-content?page=about', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })
})

test('a review is verified by what an owner says verifies it, which no visitor is sent', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const review = { id: 'own-1', author: 'Dave M.', rating: 5, text: 'Good.', date: 'May 2026', verified: true }
  const value = [
    { ...review, proof: 'Google, 3 May 2026' },
    { ...review, id: 'own-2' },
  ]
  const body = { version: 0, entry: 'reviews.items', value }
  expect((await owner('/api/admin/content/home', { method: 'PUT', body })).status).toBe(200)
  const { items } = contentOf(world.ctx).read().pages.home.reviews
  expect(items).toEqual([review, { ...review, id: 'own-2', verified: false }])
  expect(await (await world.call('/api/site-content?page=home')).text()).not.toContain('3 May 2026')
})
