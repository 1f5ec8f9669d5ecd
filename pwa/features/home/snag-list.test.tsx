import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { samplePlaces } from '#data/seed/places.ts'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { SnagList } from './snag-list.tsx'

const { snags, video } = pageTexts.home

const show = (transformationVideo: string) =>
  render(
    <SiteContentProvider content={{ ...siteContent, links: { ...siteContent.links, transformationVideo } }}>
      <SnagList text={snags} video={video} />
    </SiteContentProvider>,
  )

test('HOME-08 the video loads once its button was pressed, in an iframe named after it', async () => {
  const address = 'https://video.test/embed/1'
  show(address)
  expect(document.querySelector('iframe')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'WATCH THE VIDEO' }))
  await act(() => vi.dynamicImportSettled())
  expect(screen.getByTitle(video.label).getAttribute('src')).toBe(address)
})

test('HOME-08 LAND-1 a video of the sandbox plays in a player with its files, and loads nothing before the press', async () => {
  const { salesDemoVideo = '', transformationVideo = '' } = samplePlaces('http://localhost')
  for (const links of [transformationVideo, salesDemoVideo]) {
    const { unmount } = show(links)
    expect(document.querySelector('video')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'WATCH THE VIDEO' }))
    await act(() => vi.dynamicImportSettled())
    const sources = [...document.querySelectorAll('video source')].map((source) => source.getAttribute('src'))
    expect([sources.join(' '), sources.length]).toEqual([links, 2])
    unmount()
  }
})

test('HOME-08 without a video there is no place for one', () => {
  show('')
  expect(screen.queryByText(video.label)).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('HOME-07 each piece of advice is beside its remedy', () => {
  show('')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    snags.items.map(({ advice, putRight }, index) => `${index + 1}${advice}Put right ${putRight}`),
  )
})
