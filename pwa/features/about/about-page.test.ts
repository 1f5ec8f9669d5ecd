import { expect, test } from 'vitest'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { renderPage, textOf } from '#pwa/testing/rendered-page.ts'
import { withoutSamples } from '#shared/rules/samples.ts'

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

test('Home and About name each coach with a trade or a town, with the photo; without either there is no section', async () => {
  const [one, two] = siteContent.coaches
  const photograph = { image: '/media/01900000-0000-7000-8000-000000000001.jpg', alt: 'Dave at his bench' }
  const dave = {
    ...one,
    id: 'coach-1',
    isSample: undefined,
    name: 'Dave Bench',
    trade: 'Joiner',
    town: 'Hexham',
    photograph,
  }
  const sue = { ...two, id: 'coach-2', isSample: undefined, name: 'Sue Plane', trade: undefined, town: 'Alnwick' }
  for (const path of ['/', '/about'] as const) {
    const shown = async (coaches: object[]) => {
      const { html, structuredData } = await renderPage(path, { site: { coaches } as Partial<typeof siteContent> })
      return { section: /<ul class="crew">.*?<\/ul>/s.exec(html)?.[0] ?? '', html, structuredData }
    }
    const { section, structuredData } = await shown([
      dave,
      sue,
      { ...two, name: 'Al', trade: undefined, town: undefined },
    ])
    expect(textOf(section)).toBe('Dave BenchTradeJoinerTownHexhamSue PlaneTownAlnwick')
    expect(section.match(/<img [^>]*>/g)).toEqual([expect.stringContaining('alt="Dave at his bench"')])
    if (path === '/about')
      expect(structuredData[0].mainEntity.employee).toEqual([
        {
          '@type': 'Person',
          name: 'Dave Bench',
          hasOccupation: { '@type': 'Occupation', name: 'Joiner' },
          workLocation: { '@type': 'Place', name: 'Hexham' },
          image: `http://localhost${photograph.image}`,
        },
        { '@type': 'Person', name: 'Sue Plane', workLocation: { '@type': 'Place', name: 'Alnwick' } },
      ])
    const { heading } = pageTexts[path === '/' ? 'home' : 'about'].coaches
    const live = withoutSamples({ site: siteContent, pages: pageTexts }).site.coaches
    for (const [coaches, isThere] of [
      [siteContent.coaches, true],
      [live, false],
    ] as const) {
      const { html, section: own, structuredData: facts } = await shown([...coaches])
      expect([own !== '', html.includes(`>${heading}<`), own.includes('<img')]).toEqual([isThere, isThere, false])
      expect(JSON.stringify(facts).includes('Person')).toBe(isThere && path === '/about')
    }
  }
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
