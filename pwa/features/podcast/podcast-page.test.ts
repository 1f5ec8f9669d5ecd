import { expect, test } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const { episodes, listen } = pageTexts.podcast
const links = {
  podcastPlayer: 'https://player.test/show',
  podcastMusic: 'https://music.test/show',
  podcastDirectory: 'https://directory.test/show',
}

test('POD-01 POD-02 POD-03 the player waits for a press; the show elsewhere is a link', async () => {
  const { html, text, anchors, structuredData } = await renderPage('/podcast', { links })
  expect(text).toContain(episodes.play)
  expect(html).not.toContain('<iframe')
  expect(anchors).toContainEqual({ href: links.podcastMusic, text: listen.music })
  expect(anchors).toContainEqual({ href: links.podcastDirectory, text: listen.directory })
  expect(structuredData).toMatchObject([
    { '@type': 'PodcastSeries', sameAs: [links.podcastMusic, links.podcastDirectory] },
  ])
})

test('POD-01 POD-02 POD-03 what has no address is not there', async () => {
  const { text } = await renderPage('/podcast', { links: { podcastMusic: links.podcastMusic } })
  expect(text).toContain(listen.music)
  for (const gone of [episodes.play, listen.directory]) expect(text).not.toContain(gone)
  expect((await renderPage('/podcast')).text).not.toContain(episodes.heading)
})
