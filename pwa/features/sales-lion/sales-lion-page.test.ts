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

test('LAND-1 videos without an address are not there, nor are their headings', async () => {
  const { text } = await renderPage('/sales-lion')
  for (const gone of [texts.videos.heading, texts.training.heading, texts.videos.demo.title])
    expect(text).not.toContain(gone)
  const some = await renderPage('/sales-lion', { links })
  const shown = texts.training.list.filter(({ title }) => some.text.includes(title))
  expect(shown).toHaveLength(links.salesTrainingVideos.length)
})

test('LAND-2 LAND-3 LAND-4 the ways in: a call of 15 minutes, prices, payment, the service reminder', async () => {
  const { html, text } = await renderPage('/sales-lion', { links })
  for (const { button, second } of [texts.call, texts.payment])
    expect(text).toContain(second ? `${button} ${second}` : button)
  expect(text).not.toContain(texts.pricing.button)
  expect(html).toMatch(/<a [^>]*href="https:\/\/sales\.test\/reminder"/)
  const without = await renderPage('/sales-lion')
  expect(without.text).not.toContain(texts.reminder.button)
  expect(without.anchors.map(({ href }) => href)).toContain(
    `/contact?subject=${encodeURIComponent(texts.call.title).replaceAll('%20', '+')}`,
  )
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
