import { expect, test } from 'vitest'
import { readContent } from '#api/features/content/service.ts'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const links = {
  salesDemoVideo: 'https://video.test/demo',
  salesCaseVideo: 'https://video.test/case',
  salesTrainingVideos: ['https://video.test/1', 'https://video.test/2'],
  salesReminder: 'https://sales.test/reminder',
}

test('LAND-1 hero, features and the videos, none of which loads before a press', async () => {
  const { html, text } = await renderPage('/sales-lion', { links })
  expect(html.match(/<h1>/g)).toHaveLength(1)
  expect(html.split('<ul class="ticklist">')[1]?.split('</ul>')[0]?.match(/<li>/g)).toHaveLength(9)
  expect(text.match(/Play the video/g)).toHaveLength(2)
  for (const address of [links.salesDemoVideo, links.salesCaseVideo, ...links.salesTrainingVideos])
    expect(html).toContain(`href="${address}"`)
  expect(html).not.toContain('<iframe')
})

test('LAND-1 videos without an address say so', async () => {
  const { text } = await renderPage('/sales-lion')
  expect(text.match(/This video is not set up yet\./g)).toHaveLength(2)
  expect(text).toContain('The training videos are not set up yet.')
})

test('LAND-1 of the training videos, the ones without an address say so, each in its place', async () => {
  const { text } = await renderPage('/sales-lion', { links })
  const without = pageTexts['sales-lion'].training.list.length - links.salesTrainingVideos.length
  expect(without).toBeGreaterThan(0)
  expect(text.match(/Training video \d+This video is not set up yet\./g)).toHaveLength(without)
  expect(text).not.toContain('The training videos are not set up yet.')
})

test('LAND-2 LAND-3 LAND-4 the ways in: a call of 15 minutes, prices, payment, the service reminder', async () => {
  const { html, text } = await renderPage('/sales-lion', { links })
  expect(text).toContain('BOOK A FREE CALL 15 minutes')
  expect(text).toContain('SEE THE PRICES')
  expect(text).toContain('GET SALES LION')
  expect(html).toMatch(/<a [^>]*href="https:\/\/sales\.test\/reminder"/)
  expect((await renderPage('/sales-lion')).text).toContain('The service reminder cannot be bought here yet.')
})

test('LAND-5 both claims are made; with a live key the timed price waits for an owner’s word', async () => {
  const { text } = await renderPage('/sales-lion')
  expect(text).toContain('Price increases every 60 minutes')
  expect(text).toContain('Account access within 24 hours of purchase')
  const { links: none, measuring, url } = siteContent
  const { pages } = readContent({ url, links: none, measuring, isLive: true })
  const live = await renderPage('/sales-lion', { texts: { ...pageTexts, 'sales-lion': pages['sales-lion'] } })
  expect(live.text).not.toContain('60 minutes')
  expect(live.text).toContain('Account access within 24 hours of purchase')
})
