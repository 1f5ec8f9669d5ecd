import { expect, test } from 'vitest'
import { renderPage } from '#pwa/testing/rendered-page.ts'

const links = {
  podcastPlayer: 'https://player.test/show',
  podcastMusic: 'https://music.test/show',
  podcastDirectory: 'https://directory.test/show',
}

test('POD-01 POD-02 POD-03 the player waits for a press; the show elsewhere is a link', async () => {
  const { html, text, facts } = await renderPage('/podcast', { links })
  expect(text).toContain('Load the episodes')
  expect(html).not.toContain('<iframe')
  expect(html).toMatch(/href="https:\/\/music\.test\/show"[^>]*>Listen on a music-streaming service/)
  expect(html).toMatch(/href="https:\/\/directory\.test\/show"[^>]*>Find it in a podcast directory/)
  expect(facts).toMatchObject([{ '@type': 'PodcastSeries', sameAs: [links.podcastMusic, links.podcastDirectory] }])
})

test('POD-01 POD-02 POD-03 what is not configured says so', async () => {
  const { text } = await renderPage('/podcast')
  expect(text).toContain('The player is not set up yet.')
  expect(text.match(/Not set up yet/g)).toHaveLength(2)
})
