import { expect, test } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const links = { websiteBuilds: 'https://sales.test/websites' }

test('WEB-1 WEB-2 WEB-3 the heading, twelve ticks, the reasons and the benefits', async () => {
  const { html, text } = await renderPage('/website-builds', { links })
  expect(html).toContain('<h1>Professional Websites Built For Tradesmen</h1>')
  const lists = html.split('<ul class="ticklist">').map((part) => part.split('</ul>')[0]?.match(/<li>/g)?.length)
  expect(lists.slice(1)).toEqual([12, 6, 8, 8, 5])
  expect(text).toContain('Why Every Tradesman Needs a Website')
  expect(text).toContain('85% research online')
  expect(text).toContain('24/7 presence')
})

test('WEB-4 three packages with their prices, one of them the most popular', async () => {
  const { text, facts } = await renderPage('/website-builds', { links })
  for (const said of ['Starter£499', 'Most popularProfessional£899', 'Premium£1,299']) expect(text).toContain(said)
  expect(facts.map(({ offers }) => offers.price)).toEqual(['499', '899', '1299'])
})

test('ENT-29 the three website packages, the middle one the most popular', () => {
  expect(pageTexts['website-builds'].packages.list).toEqual([
    {
      ...{ name: 'Starter', price: '£499', isMostPopular: false },
      features: [
        ...['5-page site', 'Mobile responsive', 'Basic SEO', 'Contact form', '1 month free hosting'],
        'Business-listing optimisation',
      ],
    },
    {
      ...{ name: 'Professional', price: '£899', isMostPopular: true },
      features: [
        ...['10-page custom site', 'Advanced SEO', 'Lead capture', 'Galleries', 'Testimonials'],
        ...['3 months free hosting', 'Social integration', 'Analytics setup'],
      ],
    },
    {
      ...{ name: 'Premium', price: '£1,299', isMostPopular: false },
      features: [
        ...['Unlimited pages', 'E-commerce', 'Booking system', 'Customer portal', 'Blog', '6 months hosting'],
        ...['Priority support', 'Monthly reports'],
      ],
    },
  ])
})

test('WEB-5 a custom quote is asked for in the contact form', async () => {
  const { html } = await renderPage('/website-builds', { links })
  const [, to = ''] = /href="(\/contact\?[^"]*)"/.exec(html) ?? []
  expect(new URL(to, 'http://localhost').searchParams.get('subject')).toBe('Website: custom quote')
})

test('WEB-6 five ways to the sales page, as links of their own; without its address they say why not', async () => {
  const { html } = await renderPage('/website-builds', { links })
  expect(
    html.match(
      /<a target="_blank" rel="noreferrer"[^>]*href="https:\/\/sales\.test\/websites"|<a [^>]*href="https:\/\/sales\.test\/websites"[^>]*target="_blank"/g,
    ),
  ).toHaveLength(5)
  const without = await renderPage('/website-builds')
  expect(without.text).toContain('a sales page that is not set up yet')
  expect(without.html.match(/<button[^>]* disabled=""/g)).toHaveLength(5)
})
