import { expect, test } from 'vitest'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'
import { withoutSamples } from '#shared/rules/samples.ts'

const texts = pageTexts['sales-lion']
const links = {
  salesDemoVideo: 'https://video.test/demo',
  salesCaseVideo: 'https://video.test/case',
  salesTrainingVideos: ['https://video.test/1', 'https://video.test/2'],
  salesReminder: 'https://sales.test/reminder',
}

test('LAND-1 hero, features and the videos, none of which loads before a press', async () => {
  const { html, text } = await renderPage('/sales-lion', { links })
  expect(html.match(/<h1>/g)).toHaveLength(1)
  expect(html.split('<ul class="ticklist">')[1]?.split('</ul>')[0]?.match(/<li>/g)).toHaveLength(
    texts.features.list.length,
  )
  expect(text.split(texts.videos.play)).toHaveLength(3)
  for (const address of [links.salesDemoVideo, links.salesCaseVideo, ...links.salesTrainingVideos])
    expect(html).toContain(`href="${address}"`)
  expect(html).not.toContain('<iframe')
})

test('LAND-1 videos without an address say so', async () => {
  const { text } = await renderPage('/sales-lion')
  expect(text.split(texts.videos.notSetUp)).toHaveLength(3)
  expect(text).toContain(texts.training.notSetUp)
})

test('LAND-1 of the training videos, the ones without an address say so, each in its place', async () => {
  const { text } = await renderPage('/sales-lion', { links })
  const without = texts.training.list.length - links.salesTrainingVideos.length
  expect(without).toBeGreaterThan(0)
  const numbered = text.split(/Training video \d+/).slice(1)
  expect(numbered.filter((rest) => rest.startsWith(texts.videos.notSetUp))).toHaveLength(without)
  expect(text).not.toContain(texts.training.notSetUp)
})

test('LAND-2 LAND-3 LAND-4 the ways in: a call of 15 minutes, prices, payment, the service reminder', async () => {
  const { html, text } = await renderPage('/sales-lion', { links })
  for (const { button, second } of [texts.call, texts.pricing, texts.payment])
    expect(text).toContain(second ? `${button} ${second}` : button)
  expect(html).toMatch(/<a [^>]*href="https:\/\/sales\.test\/reminder"/)
  expect((await renderPage('/sales-lion')).text).toContain(texts.reminder.notSetUp)
})

test('LAND-5 both claims are made; with a live key the one that is a sample waits for an owner’s word', async () => {
  const access = { ...texts.offer.access, isOn: true, isSample: false }
  const priceRise = { ...texts.offer.priceRise, isOn: true, isSample: true }
  const offer = { ...texts.offer, access, priceRise }
  const pages = { ...pageTexts, 'sales-lion': { ...texts, offer } }
  const { text } = await renderPage('/sales-lion', { texts: pages })
  for (const { figure, label } of [access, priceRise]) expect(text).toContain(`${figure} ${label}`)
  const live = withoutSamples({ site: siteContent, pages })
  const { text: liveText } = await renderPage('/sales-lion', { texts: live.pages })
  expect(liveText).not.toContain(priceRise.label)
  expect(liveText).toContain(access.label)
})
