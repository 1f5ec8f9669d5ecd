import { expect, test } from 'vitest'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

test('ABOUT-01 ABOUT-02 the story names the year of founding; the approach and the mission follow it', async () => {
  const { story, approach, mission } = pageTexts.about
  const founded = String(siteContent.brand.founded)
  const { text, structuredData } = await renderPage('/about')
  expect(text).toContain(`Founded${founded}`)
  expect(story?.paragraphs.join()).toContain(founded)
  const order = [...(story?.paragraphs ?? []), approach.heading, mission.text].map((said) => text.indexOf(said))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(structuredData).toMatchObject([{ '@type': 'AboutPage', mainEntity: { foundingDate: founded } }])
})

test('ABOUT-03 three cards of trust, without the one whose claim is off', async () => {
  const cards = async (isOn: boolean) => {
    const claims = { ...siteContent.claims, coached: { ...siteContent.claims.coached, isOn } }
    const { html } = await renderPage('/about', { site: { claims } })
    return html.split('class="trio')[1]?.split('</ul>')[0]?.match(/<h3>/g)?.length
  }
  const { length } = pageTexts.about.trust.cards
  expect([await cards(true), await cards(false)]).toEqual([length, length - 1])
})
