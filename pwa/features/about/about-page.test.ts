import { expect, test } from 'vitest'
import { siteContent } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

test('ABOUT-01 ABOUT-02 the story names 2019; the approach and the mission follow it', async () => {
  const { text, facts } = await renderPage('/about')
  expect(text).toMatch(/Founded 2019/)
  expect(text).toContain('In 2019 we stopped explaining it one at a time, and founded the Alliance.')
  for (const section of ['How it started', 'How we work', 'Our mission']) expect(text).toContain(section)
  expect(facts).toMatchObject([{ '@type': 'AboutPage', mainEntity: { foundingDate: '2019' } }])
})

test('ABOUT-03 three cards of trust, without the one whose claim is off', async () => {
  const cards = async (isOn: boolean) => {
    const claims = { ...siteContent.claims, coached: { ...siteContent.claims.coached, isOn } }
    const { html } = await renderPage('/about', { site: { claims } })
    return html.split('class="trio')[1]?.split('</ul>')[0]?.match(/<h3>/g)?.length
  }
  expect([await cards(true), await cards(false)]).toEqual([3, 2])
})
