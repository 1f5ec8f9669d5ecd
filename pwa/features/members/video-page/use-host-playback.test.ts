import { expect, test } from 'vitest'
import { hostProtocol } from './use-host-playback.ts'

function begin(address: string, seconds: number): string {
  const url = new URL(address)
  hostProtocol(address)?.begin(url, seconds, 'https://alliance.test')
  return url.href
}

test('YouTube and Vimeo are told where to begin; a host that tells nothing is left as it is', () => {
  expect(begin('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?rel=0', 134)).toBe(
    'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?rel=0&enablejsapi=1&origin=https%3A%2F%2Falliance.test&start=134',
  )
  expect(begin('https://player.vimeo.com/video/76979871', 134)).toBe(
    'https://player.vimeo.com/video/76979871?api=1#t=134s',
  )
  expect(begin('https://player.vimeo.com/video/76979871', 0)).toBe('https://player.vimeo.com/video/76979871?api=1')
  expect(hostProtocol('https://fast.wistia.net/embed/iframe/abc123def4')).toBeNull()
})

test('what a player says is read part by part; anything else is not', () => {
  const youTube = hostProtocol('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ')
  const info = (value: unknown) => youTube?.read({ event: 'infoDelivery', info: value })
  expect(info({ duration: 600 })).toEqual([])
  expect(info({ currentTime: 134.6 })).toEqual([{ kind: 'played', seconds: 134.6, duration: 600 }])
  expect(info({ currentTime: 135, playerState: 2 })).toEqual([
    { kind: 'played', seconds: 135, duration: 600 },
    { kind: 'paused' },
  ])
  expect(info({ currentTime: 600, playerState: 0 })).toEqual([{ kind: 'ended' }])
  const vimeo = hostProtocol('https://player.vimeo.com/video/76979871')
  expect(vimeo?.read({ event: 'timeupdate', data: { seconds: 12.5, duration: 60, percent: 0.2 } })).toEqual([
    { kind: 'played', seconds: 12.5, duration: 60 },
  ])
  expect(vimeo?.read({ event: 'ended', data: {} })).toEqual([{ kind: 'ended' }])
  for (const nonsense of [null, 'x', 1, {}, { info: { currentTime: -1 } }, { info: { currentTime: 'now' } }])
    expect([youTube?.read(nonsense), vimeo?.read(nonsense)]).toEqual([[], []])
})
