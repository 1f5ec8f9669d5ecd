import { expect, test } from 'vitest'
import { pageTexts, siteContent, tiers } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const { html, structuredData } = await renderPage('/membership-tiers')

test('CONST-02 the guarantee that owners switch off is promised nowhere', async () => {
  const { guarantee } = siteContent.claims
  for (const path of ['/', '/membership-tiers', '/about', '/coaching', '/servicem8', '/sales-lion']) {
    const claims = { ...siteContent.claims, guarantee: { ...guarantee, isOn: false } }
    const { text } = await renderPage(path, { site: { claims } })
    expect([path, text.includes(siteContent.prices.guarantee), text.includes(guarantee.label)]).toEqual([
      ...[path, false, false],
    ])
  }
})

test('TIER-01 back to home', () => {
  expect(html).toMatch(/<a [^>]*href="\/"[^>]*><span>Back to home/)
})

test('TIER-13 without JavaScript each card says why its button does nothing', () => {
  expect(html.match(/<noscript><p class="second">Joining needs JavaScript\./g)).toHaveLength(tiers.length)
})

test('TIER-07 search engines get the questions with their answers', () => {
  const questions = structuredData.find((item) => item['@type'] === 'FAQPage')?.mainEntity
  expect(questions).toEqual(
    pageTexts['membership-tiers'].faq.map(({ topic, answer }) => ({
      '@type': 'Question',
      name: topic,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  )
})

test('CONST-04 CONST-11 search engines get each tier with the price of its row: a month, in pounds, without VAT', () => {
  const products = structuredData.filter((item) => item['@type'] === 'Product')
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
  expect(JSON.stringify(structuredData)).not.toMatch(/rating|review/i)
})
