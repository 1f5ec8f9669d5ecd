import { expect, test } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const { setup, features, quotes } = pageTexts.servicem8

test('LAND-6 LAND-8 LAND-9 the set-up package: its price, what is done, how quotes can look', async () => {
  const { html, text, structuredData } = await renderPage('/servicem8')
  expect(text).toContain(`£${setup.price.toLocaleString('en-GB')} + VAT`)
  expect(html.split('<ol')[1]?.split('</ol>')[0]?.match(/<li>/g)).toHaveLength(features.list.length)
  for (const { name } of quotes.options) expect(text).toContain(name)
  const price = setup.price.toFixed(2)
  expect(structuredData).toMatchObject([{ '@type': 'Product', offers: { price, priceCurrency: 'GBP' } }])
  expect(JSON.stringify(structuredData)).not.toMatch(/rating|review/i)
})

test('LAND-7 every button of it writes the subject into the contact form', async () => {
  const { html } = await renderPage('/servicem8')
  const subjects = [...html.matchAll(/href="(\/contact\?[^"]*)"/g)].map(([, to]) =>
    new URL(to ?? '', 'http://localhost').searchParams.get('subject'),
  )
  expect(subjects).toEqual([setup.subject, ...quotes.options.map(({ subject }) => subject), setup.subject])
})
