import { expect, test } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const texts = pageTexts['website-builds']
const links = { websiteBuilds: 'https://sales.test/websites' }

test('WEB-1 WEB-2 WEB-3 the heading, the ticks, the reasons and the benefits', async () => {
  const { html, text } = await renderPage('/website-builds', { links })
  expect(html).toContain(`<h1>${texts.heading}</h1>`)
  const lists = html.split('<ul class="ticklist">').map((part) => part.split('</ul>')[0]?.match(/<li>/g)?.length)
  const { features, packages, benefits, reasons } = texts
  const expected = [features.list, ...packages.list.map((one) => one.features), benefits.list]
  expect(lists.slice(1)).toEqual(expected.map(({ length }) => length))
  for (const said of [reasons.heading, ...reasons.list.map(({ figure, label }) => `${figure} ${label}`)])
    expect(text).toContain(said)
})

test('ENT-29 WEB-4 the packages with their prices, the most popular one marked', async () => {
  const { text, structuredData } = await renderPage('/website-builds', { links })
  const { list } = texts.packages
  for (const { name, price, isMostPopular } of list)
    expect(text).toContain(`${isMostPopular ? 'Most popular' : ''}${name}${price}`)
  expect(structuredData.map(({ offers }) => `£${Number(offers.price).toLocaleString('en-GB')}`)).toEqual(
    list.map(({ price }) => price),
  )
})

test('WEB-5 a custom quote is asked for in the contact form', async () => {
  const { html } = await renderPage('/website-builds', { links })
  const [, to = ''] = /href="(\/contact\?[^"]*)"/.exec(html) ?? []
  expect(new URL(to, 'http://localhost').searchParams.get('subject')).toBe(texts.custom.subject)
})

test('WEB-6 five ways to the sales page, as links of their own; without its address the contact form', async () => {
  const { html } = await renderPage('/website-builds', { links })
  expect(
    html.match(
      /<a target="_blank" rel="noreferrer"[^>]*href="https:\/\/sales\.test\/websites"|<a [^>]*href="https:\/\/sales\.test\/websites"[^>]*target="_blank"/g,
    ),
  ).toHaveLength(texts.packages.list.length + 2)
  const without = await renderPage('/website-builds')
  const subjects = without.anchors.flatMap(
    ({ href }) => new URL(href, 'http://localhost').searchParams.get('subject') ?? [],
  )
  for (const { name } of texts.packages.list) expect(subjects).toContain(`Website: ${name}`)
  expect(without.text).not.toContain('VIEW PORTFOLIO')
})
