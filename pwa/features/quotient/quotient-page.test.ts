import { expect, test } from 'vitest'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, pageTexts } from '#pwa/testing/public-data.ts'

const renderer = createPageRenderer(pageData)
const { html, head } = await renderer.render(renderer.find('/quotient'), '/quotient')
const text = html.replace(/<[^>]*>/g, '')

test('QUOT-1 the promise, and the way to the packages', () => {
  expect(html).toContain('<h1>Bespoke Quotient Setups for Trade Professionals</h1>')
  expect(html).toMatch(/<a href="#packages"[^>]*><span>GET STARTED/)
  expect(html).toMatch(/<section[^>]*id="packages"/)
})

test('QUOT-2 QUOT-3 three figures, and a quote that was accepted', () => {
  for (const [label, figure] of [
    ['builds completed', '20+'],
    ['acceptance improvement', '60%'],
    ['setup time', '72hr'],
  ])
    expect(html).toContain(`<dt class="label">${label}</dt><dd class="fig">${figure}</dd>`)
  for (const said of ['Live Quote Status', 'Boiler installation', 'Accepted by customer']) expect(text).toContain(said)
})

test('QUOT-4 six benefits', () => {
  const benefits = [...html.matchAll(/<li><h3>([^<]*)<\/h3>/g)].map(([, title]) => title)
  expect(benefits).toEqual([
    'Industry-specific templates',
    'Online quote acceptance',
    'Automated follow-ups',
    'Quote tracking',
    'Rich media support',
    'Dedicated setup support',
  ])
  expect(text).toContain('See when customers open and view quotes')
})

test('QUOT-5 QUOT-6 two packages with their prices, each leading to its checkout', () => {
  for (const said of [
    'Professional Setup£450 + VAT',
    'Master Setup£750 + VAT',
    'MOST POPULAR',
    '30-minute sales strategy call',
  ])
    expect(text).toContain(said)
  for (const key of ['professional', 'master']) expect(html).toContain(`href="/quotient/checkout?package=${key}"`)
  expect(html).toMatch(/MOST POPULAR.*Master Setup/s)
})

test('ENT-26 ENT-27 what is in the two packages', () => {
  const { professional, master } = pageTexts.quotient.packages.offers
  expect(professional).toEqual({
    name: 'Professional Setup',
    features: [
      ...['Combi to Combi', 'Convert to Combi', 'Heat Only', 'Boiler Relocation', 'Boiler Repair'].map(one),
      ...['Smart Thermostat', 'System Flushing'].map(one),
      'Account setup and branding',
      '1-hour training session',
    ],
  })
  expect(master).toEqual({
    name: 'Master Setup',
    features: [
      ...['Combi to Combi', 'Convert to Combi', 'Heat Only'].map((name) => `2 ${name} templates`),
      ...['Boiler Relocation', 'Boiler Repair', 'Smart Thermostat', 'System Flushing', 'Radiator Change'].map(one),
      '30-minute sales strategy call',
      'Account setup and branding',
    ],
  })
})

const one = (name: string) => `1 ${name} template`

test('QUOT-7 six pictures, each a link without JavaScript, and the button to them', () => {
  for (let place = 1; place <= 6; place++) expect(html).toContain(`href="/pictures/quote-${place}.svg"`)
  expect(text).toContain('View More Examples')
})

test('QUOT-5 search engines get both prices, and that VAT comes on top', () => {
  const offers = head.jsonLd.map((fact) => JSON.parse(fact).offers)
  expect(offers.map(({ price }) => price)).toEqual(['450.00', '750.00'])
  expect(offers[0]).toMatchObject({ priceCurrency: 'GBP', priceSpecification: { valueAddedTaxIncluded: false } })
})
