import { expect, test } from 'vitest'
import { tiers } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const { html, facts } = await renderPage('/membership-tiers')

test('TIER-01 back to home', () => {
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*><span>Back to home/)
})

test('TIER-13 without JavaScript each card says why its button does nothing', () => {
  expect(html.match(/<noscript><p class="second">Joining needs JavaScript\./g)).toHaveLength(tiers.length)
})

test('TIER-07 search engines get the six questions with their answers', () => {
  const questions = facts.find((fact) => fact['@type'] === 'FAQPage')?.mainEntity
  expect(questions).toHaveLength(6)
  expect(questions[0]).toMatchObject({
    '@type': 'Question',
    name: 'What is in each tier?',
    acceptedAnswer: { '@type': 'Answer', text: expect.stringMatching(/^Alliance Lite is the training videos/) },
  })
})

test('CONST-04 CONST-11 search engines get each tier with the price of its row: a month, in pounds, without VAT', () => {
  const products = facts.filter((fact) => fact['@type'] === 'Product')
  expect(products.map(({ name, offers }) => [name, offers.price, offers.priceSpecification.price])).toEqual(
    tiers.map(({ name, price }) => [name, (price / 100).toFixed(2), (price / 100).toFixed(2)]),
  )
  for (const { offers } of products)
    expect(offers).toMatchObject({
      url: 'http://localhost/membership-tiers',
      priceCurrency: 'GBP',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceCurrency: 'GBP',
        valueAddedTaxIncluded: false,
        billingDuration: 'P1M',
      },
    })
  expect(JSON.stringify(facts)).not.toMatch(/rating|review/i)
})
