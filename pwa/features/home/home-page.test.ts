import { expect, test } from 'vitest'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'
import { withoutSamples } from '#shared/rules/samples.ts'

const texts = pageTexts.home

test('HOME-01 HOME-02 HOME-12 what the buttons say, and where they lead', async () => {
  const { html, anchors } = await renderPage('/', { links: { booking: 'https://calendar.test/book' } })
  expect(html).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*><span>/)
  expect(html).toContain(`<span>${texts.actions.call.toUpperCase()}`)
  expect(anchors).toContainEqual({ href: '/membership-tiers', text: texts.actions.join.toUpperCase() })
  expect(anchors).toContainEqual({ href: '/coaching-application', text: texts.lastCall.action })
})

test('HOME-07 HOME-08 HOME-10 CONST-06 advice put right, the video, weekly calls and 24/7 support', async () => {
  const { snags, video, join } = texts
  const { html, text } = await renderPage('/', { links: { transformationVideo: 'https://video.test/embed/1' } })
  expect(html.match(/<del>/g)).toHaveLength(snags.items.length)
  for (const said of [snags.heading, video.label, join.calls.title, join.support.title]) expect(text).toContain(said)
})

test('HOME-08 the video is a button and a link until it is asked for', async () => {
  const transformationVideo = 'https://video.test/embed/1'
  const { html, text } = await renderPage('/', { links: { transformationVideo } })
  expect(text).toContain('WATCH THE VIDEO')
  expect(html).toContain(`href="${transformationVideo}"`)
  expect(html).toContain('src="/pictures/transformation.svg"')
  expect(html).not.toContain('<iframe')
})

test('CONST-02 CONST-03 CONST-05 CONST-07 the stated prices and the claims are there', async () => {
  const { coached, rating, guarantee, founded, revenue } = siteContent.claims
  const isOn = true
  const claims = { coached: { ...coached, isOn }, rating: { ...rating, isOn }, guarantee, founded, revenue }
  const { text } = await renderPage('/', { site: { claims } })
  for (const said of [siteContent.prices.guarantee, siteContent.prices.terms]) expect(text).toContain(said)
  for (const { figure, label } of [coached, rating]) expect(text).toContain(label + figure)
})

test('HOME-09 HOME-11 DATA-20 DATA-21 the reviews and the first quote come with the page', async () => {
  const { html, text } = await renderPage('/')
  for (const review of texts.reviews.items) expect(text).toContain(review.text)
  expect(text).toContain('Pause Auto-play')
  expect(text).toContain(texts.quotes.items[0]?.text)
  expect(text).not.toContain(texts.quotes.items[1]?.text)
  // What the browser hydrates has to be complete, not a gap to fill.
  expect(html).not.toContain('<!--$!-->')
})

test('HOME-09 CARO-06 with a live key no sample is shown: no reviews, no rating', async () => {
  const { coached, rating } = siteContent.claims
  const sample = { isOn: true, isSample: true }
  const claims = {
    ...siteContent.claims,
    rating: { ...rating, ...sample },
    coached: { ...coached, isOn: true, isSample: false },
  }
  const items = texts.reviews.items.map((review) => ({ ...review, isSample: true }))
  const home = { ...texts, reviews: { ...texts.reviews, items } }
  const live = withoutSamples({ site: { ...siteContent, claims }, pages: { ...pageTexts, home } })
  expect(live.pages.home.reviews.items).toEqual([])
  const { text } = await renderPage('/', { site: live.site, texts: live.pages })
  for (const gone of [...items.map((review) => review.text), rating.label, 'Auto-play'])
    expect(text).not.toContain(gone)
  expect(text).toContain(coached.label)
})

test('who runs the site, for search engines: networks where there are any, never a rating', async () => {
  const { brand } = siteContent
  const facebook = 'https://network.test/alliance'
  const { structuredData: without } = await renderPage('/')
  const { structuredData } = await renderPage('/', { links: { facebook } })
  const organisation = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: brand.name,
    url: 'http://localhost',
    logo: 'http://localhost/icons/icon-512.png',
    foundingDate: String(brand.founded),
  }
  expect(without).toEqual([organisation])
  expect(structuredData).toEqual([{ ...organisation, sameAs: [facebook] }])
})

test('an owner who rebrands words the two buttons and the drawing', async () => {
  const actions = { call: 'Ring Dave', join: 'Come aboard' }
  const drawing = { circuits: ['ROOM 1', 'ROOM 2', 'ROOM 3'] }
  const { text } = await renderPage('/', { texts: { ...pageTexts, home: { ...texts, actions, drawing } } })
  for (const said of ['RING DAVE', 'COME ABOARD', ...drawing.circuits]) expect(text).toContain(said)
  expect(text).not.toMatch(/BOOK A CALL|APPLY FOR|CIRCUIT/)
})

test('the gauges measure what the promises end with, a long word within its dial', async () => {
  const hero = { ...pageTexts.home.hero, promises: ['More sleep.', 'Fewer phone calls!', 'No more invoicing'] }
  const { html } = await renderPage('/', { texts: { ...pageTexts, home: { ...pageTexts.home, hero } } })
  const gauges = [...html.matchAll(/<text y="[\d.]+"[^>]*?( textLength="\d+"[^>]*)?>([^<]*)</g)]
  expect(gauges.map(([, fitted, name]) => [name, fitted !== undefined])).toEqual(
    [0, 1].flatMap(() => [
      ['SLEEP', false],
      ['CALLS', false],
      ['INVOICING', true],
    ]),
  )
})

test('the headline takes two to four promises, and the drawing keeps its three gauges', async () => {
  for (const promises of [
    ['More sleep.', 'Fewer calls.'],
    ['More sleep.', 'Fewer calls.', 'No invoicing.', 'Sundays off.'],
  ]) {
    const hero = { ...pageTexts.home.hero, promises }
    const { html, text } = await renderPage('/', { texts: { ...pageTexts, home: { ...pageTexts.home, hero } } })
    for (const promise of promises) expect(text).toContain(promise)
    expect(html.match(/class="needle"/g)).toHaveLength(2 * 3)
  }
})
