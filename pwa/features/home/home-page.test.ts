import { expect, test } from 'vitest'
import { readContent } from '#api/features/content/service.ts'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, pageTexts, siteContent } from '#pwa/testing/public-data.ts'

const render = async (data = pageData) => {
  const renderer = createPageRenderer(data)
  const { html, head } = await renderer.render(renderer.find('/'), '/')
  const text = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
  return { html, head, text }
}

const hrefOf = (html: string, words: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*><span>([^<]*)/g)].find(([, , said]) => said === words)?.[1]

test('HOME-01 HOME-02 HOME-12 what the buttons say, and where they lead', async () => {
  const { html } = await render()
  expect(html).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*><span>BOOK A CALL/)
  expect(hrefOf(html, 'APPLY FOR ALLIANCE')).toBe('/membership-tiers')
  expect(hrefOf(html, pageTexts.home.lastCall.action)).toBe('/coaching-application')
})

test('HOME-07 HOME-08 HOME-10 CONST-06 advice put right, the video, weekly calls and 24/7 support', async () => {
  const { html, text } = await render()
  expect(text).toContain('What’s wrong with generic business advice')
  expect(html.match(/<del>/g)).toHaveLength(pageTexts.home.snags.items.length)
  expect(text).toContain('Transformation video')
  for (const said of ['Weekly calls', '24/7 support']) expect(text).toContain(said)
})

test('HOME-08 the video is a button and a link until it is asked for', async () => {
  const transformationVideo = 'https://video.test/embed/1'
  const content = { ...siteContent, links: { ...siteContent.links, transformationVideo } }
  const { html, text } = await render({ ...pageData, content })
  expect(text).toContain('WATCH THE VIDEO')
  expect(html).toContain(`href="${transformationVideo}"`)
  expect(html).toContain('src="/pictures/transformation.svg"')
  expect(html).not.toContain('<iframe')
})

test('CONST-02 CONST-03 CONST-05 CONST-07 the readings and claims are there', async () => {
  const { text } = await render()
  expect(text).toContain('All plans include 14-day money-back guarantee')
  expect(text).toContain('Prices exclude UK VAT • Cancel anytime')
  expect(text).toContain('tradesmen coached500+')
  expect(text).toContain('from 50+ reviews4.9')
})

test('HOME-09 HOME-11 DATA-20 DATA-21 nine reviews and the first quote come with the page', async () => {
  const { items } = pageTexts.home.reviews
  expect(items).toHaveLength(9)
  expect(items.every(({ rating, verified, author }) => rating === 5 && verified && author === 'Sample review')).toBe(
    true,
  )
  const { html, text } = await render()
  for (const review of items) expect(text).toContain(review.text)
  expect(text).toContain('Pause Auto-play')
  expect(text).toContain(pageTexts.home.quotes.items[0]?.text)
  expect(text).not.toContain(pageTexts.home.quotes.items[1]?.text)
  // What the browser takes over later must be whole, not a gap to be filled.
  expect(html).not.toContain('<!--$!-->')
})

test('HOME-09 CARO-06 with a live key no sample is shown: no reviews, no rating', async () => {
  const { url, links, measuring } = siteContent
  const { site, pages } = readContent({ url, links, measuring, isLive: true })
  expect(pages.home.reviews.items).toEqual([])
  const { text } = await render({ ...pageData, content: site, texts: pages })
  for (const gone of ['Sample review', 'Auto-play', '4.9']) expect(text).not.toContain(gone)
  expect(text).toContain('500+')
})

test('who runs the site, for search engines: networks where there are any, never a rating', async () => {
  const without = JSON.parse((await render()).head.jsonLd[0] ?? '')
  expect(without).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: 'The Alliance',
    url: 'http://localhost',
    logo: 'http://localhost/icons/icon-512.png',
    foundingDate: '2019',
  })
  const facebook = 'https://network.test/alliance'
  const content = { ...siteContent, links: { ...siteContent.links, facebook } }
  const { head } = await render({ ...pageData, content })
  expect(JSON.parse(head.jsonLd[0] ?? '').sameAs).toEqual([facebook])
  expect(head.jsonLd.join()).not.toMatch(/rating|review/i)
})
