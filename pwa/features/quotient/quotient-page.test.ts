import { expect, test } from 'vitest'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, pageTexts } from '#pwa/testing/public-data.ts'

const texts = pageTexts.quotient
const renderer = createPageRenderer(pageData)
const { html, head } = await renderer.render(renderer.find('/quotient'), '/quotient')
const text = html.replace(/<[^>]*>/g, '')

test('QUOT-1 the promise, and the way to the packages', () => {
  expect(html).toContain(`<h1>${texts.heading}</h1>`)
  expect(html).toMatch(/<a href="#packages"[^>]*><span>GET STARTED/)
  expect(html).toMatch(/<section[^>]*id="packages"/)
})

test('QUOT-2 QUOT-3 three figures, and a quote that was accepted', () => {
  for (const { label, figure } of texts.stats)
    expect(html).toContain(`<dt class="label">${label}</dt><dd class="fig">${figure}</dd>`)
  for (const said of ['Live Quote Status', texts.sample.job, texts.sample.state]) expect(text).toContain(said)
})

test('QUOT-4 six benefits', () => {
  const benefits = [...html.matchAll(/<li><h3>([^<]*)<\/h3>/g)].map(([, title]) => title)
  expect(benefits).toEqual(texts.benefits.items.map(({ title }) => title))
  for (const item of texts.benefits.items) expect(text).toContain(item.text)
})

test('ENT-26 ENT-27 QUOT-5 QUOT-6 two packages with their prices, each leading to its checkout', () => {
  const { professional, master } = texts.packages.offers
  for (const said of [`${professional.name}£450 + VAT`, `${master.name}£750 + VAT`, 'MOST POPULAR', ...master.features])
    expect(text).toContain(said)
  for (const key of ['professional', 'master']) expect(html).toContain(`href="/quotient/checkout?package=${key}"`)
  expect(text.indexOf(master.name)).toBeGreaterThan(text.indexOf('MOST POPULAR'))
})

test('QUOT-7 six pictures, each a link without JavaScript, and the button to them', () => {
  for (let place = 1; place <= 6; place++) expect(html).toContain(`href="/pictures/quote-${place}.svg"`)
  expect(text).toContain('View More Examples')
})

test('QUOT-5 search engines get both prices, and that VAT comes on top', () => {
  const offers = head.jsonLd.map((fact) => JSON.parse(fact).offers)
  expect(offers.map(({ price }) => price)).toEqual(['450.00', '750.00'])
  expect(offers[0]).toMatchObject({ priceCurrency: 'GBP', priceSpecification: { valueAddedTaxIncluded: false } })
})
