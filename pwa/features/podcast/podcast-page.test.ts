import { expect, test } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'
import { episodeAnchor } from '#shared/rules/episode-anchor.ts'

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
  const podcast = { ...pageTexts.podcast, episodes: { ...episodes, list: [] } }
  const none = await renderPage('/podcast', { texts: { ...pageTexts, podcast } })
  expect(none.text).not.toContain(episodes.heading)
})

test('POD-01 episodes of our own play on the page, and load nothing before; the samples give way to a player', async () => {
  const { html } = await renderPage('/podcast')
  for (const { title, files } of episodes.list) {
    expect(html).toContain(`<audio controls="" preload="none" aria-label="${title}">`)
    expect(html).toContain(`<li id="${episodeAnchor(files[0] ?? '')}">`)
    for (const file of files) expect(html).toMatch(new RegExp(`<source src="${file}" type="audio/(mpeg|ogg)"/>`))
  }
  const samples = {
    ...pageTexts.podcast,
    episodes: { ...episodes, list: episodes.list.map((one) => ({ ...one, isSample: true })) },
  }
  const framed = await renderPage('/podcast', { links, texts: { ...pageTexts, podcast: samples } })
  expect(framed.html).not.toContain('<audio')
})

test('the notes of an episode have links, and two episodes may have one sound', async () => {
  const [first] = episodes.list
  if (first === undefined) throw new Error('There is no episode.')
  const notes = 'Prices (see <https://example.com/a?b=1&c>).\nMore <b>soon</b>.'
  const list = [
    { ...first, notes },
    { ...first, title: 'Once more' },
  ]
  const podcast = { ...pageTexts.podcast, episodes: { ...episodes, list } }
  const { html, text, anchors } = await renderPage('/podcast', { texts: { ...pageTexts, podcast } })
  expect(anchors).toContainEqual({ href: 'https://example.com/a?b=1&c', text: 'https://example.com/a?b=1&c' })
  expect(text).toContain('More <b>soon</b>.')
  expect(html).not.toContain('<b>')
  expect(html.match(/<li id="episode-/g)?.length).toBe(1)
})
