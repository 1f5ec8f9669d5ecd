import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#api/settings.ts'
import { readSiteContent } from './content.ts'

const { links } = readSettings({})
const content = readSiteContent({ links, isLive: false, hasRealReviews: false })

test('CONST-02 CONST-03 CONST-05 CONST-07 the readings and claims of the site', () => {
  expect(content.prices.guarantee).toBe('All plans include 14-day money-back guarantee')
  expect(content.prices.terms).toBe('Prices exclude UK VAT • Cancel anytime')
  expect(content.prices.lowest).toBe('from £147 + VAT per month')
  expect(content.claims.coached).toEqual({ isOn: true, figure: '500+', label: 'tradesmen coached' })
  expect(content.claims.rating).toEqual({ isOn: true, figure: '4.9', label: 'from 50+ reviews' })
})

test('the rating is off with a live key until there are real reviews', () => {
  const live = readSiteContent({ links, isLive: true, hasRealReviews: false })
  expect(live.claims.rating.isOn).toBe(false)
  expect(readSiteContent({ links, isLive: true, hasRealReviews: true }).claims.rating.isOn).toBe(true)
})

test('a wrong entry is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'content-'))
  const file = join(folder, 'site.json')
  const site = JSON.parse(readFileSync('data/content/site.json', 'utf8'))
  writeFileSync(file, JSON.stringify({ ...site, coaches: [{ ...site.coaches[0], email: 'nobody' }] }))
  const read = () => readSiteContent({ links, isLive: false, hasRealReviews: false }, file)
  expect(read).toThrow(/site\.json, coaches\.0\.email/)
  rmSync(folder, { recursive: true })
})
