import { expect, test } from 'vitest'
import { renderPage } from '#pwa/testing/rendered-page.ts'

test('LAND-6 LAND-8 LAND-9 the set-up package: its price, what is done, how quotes can look', async () => {
  const { html, text, facts } = await renderPage('/servicem8')
  expect(text).toContain('£1,497 + VAT')
  expect(html.split('<ol')[1]?.split('</ol>')[0]?.match(/<li>/g)).toHaveLength(9)
  for (const option of ['One price', 'Good, better, best', 'Line by line']) expect(text).toContain(option)
  expect(facts).toMatchObject([{ '@type': 'Product', offers: { price: '1497.00', priceCurrency: 'GBP' } }])
  expect(JSON.stringify(facts)).not.toMatch(/rating|review/i)
})

test('LAND-7 every button of it writes the subject into the contact form', async () => {
  const { html } = await renderPage('/servicem8')
  const subjects = [...html.matchAll(/href="(\/contact\?[^"]*)"/g)].map(([, to]) =>
    new URL(to ?? '', 'http://localhost').searchParams.get('subject'),
  )
  expect(subjects).toEqual([
    'Business systems set-up',
    'Business systems set-up: quotes with one price',
    'Business systems set-up: quotes with three choices',
    'Business systems set-up: quotes line by line',
    'Business systems set-up',
  ])
})
