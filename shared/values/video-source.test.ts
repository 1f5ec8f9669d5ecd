import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { VideoType } from '#shared/contract/video.ts'
import { playerAddress } from '#shared/rules/video.ts'
import { videoTypes } from './column-values.ts'
import { isEmbedCode, readVideoSource, typeOfPasted } from './video-source.ts'

const read = (videoType: VideoType, videoId: string, embedUrl: string | null = null) =>
  readVideoSource({ videoType, videoId, embedUrl })
function idOf(videoType: VideoType, pasted: string) {
  const source = read(videoType, pasted)
  return 'problems' in source ? null : source.videoId
}

const letters = (alphabet: string, length: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...alphabet), ...length })
const lower = 'abcdefghijklmnopqrstuvwxyz0123456789'
const anyCase = `${lower}ABCDEFGHIJKLMNOPQRSTUVWXYZ_-`
const space = fc.constantFrom('', ' ', '\n', '  \n')
const rest = fc.constantFrom('', '?autoPlay=true', '?a=1&b=2', '#t=10')

const addresses: Record<Exclude<VideoType, 'embed'>, readonly string[]> = {
  wistia: [
    'https://alliance.wistia.com/medias/ID',
    'http://home.wistia.com/medias/ID',
    'alliance.wistia.com/medias/ID',
    'https://fast.wistia.net/embed/iframe/ID',
    'https://fast.wistia.com/embed/medias/ID.jsonp',
    '//fast.wistia.net/embed/iframe/ID',
  ],
  youtube: [
    'https://youtu.be/ID',
    'https://www.youtube.com/embed/ID',
    'https://youtube.com/shorts/ID',
    'https://www.youtube-nocookie.com/embed/ID',
    'https://m.youtube.com/live/ID',
  ],
  streamyard: ['https://streamyard.com/ID', 'https://streamyard.com/watch/ID', 'streamyard.com/embed/ID'],
}

const ids = {
  wistia: letters(lower, { minLength: 5, maxLength: 20 }),
  youtube: letters(anyCase, { minLength: 11, maxLength: 11 }),
  streamyard: letters(anyCase, { minLength: 6, maxLength: 20 }),
}

for (const type of ['wistia', 'youtube', 'streamyard'] as const)
  test(`VID-3 VID-4 every spelling of a ${type} video is reduced to its id, and stays so`, () => {
    const pasted = fc.record({
      id: ids[type],
      address: fc.constantFrom('ID', ...addresses[type]),
      wrap: fc.constantFrom(
        'ADDRESS',
        '<iframe src="ADDRESS" width="640"></iframe>',
        `<IFRAME allow='autoplay' SRC='ADDRESS'></IFRAME><script src="https://x.example/y.js"></script>`,
      ),
      rest,
      before: space,
      after: space,
    })
    fc.assert(
      fc.property(pasted, ({ id, address, rest, wrap, before, after }) => {
        const given = address === 'ID' ? id : wrap.replace('ADDRESS', () => address.replace('ID', () => id) + rest)
        const once = idOf(type, before + given + after)
        expect(once).toBe(id)
        expect(idOf(type, id)).toBe(id)
      }),
    )
  })

test('VID-5 a YouTube video is named by 11 characters, in an address as well', () => {
  expect(idOf('youtube', 'https://www.youtube.com/watch?list=x&v=aqz-KE-bpKQ')).toBe('aqz-KE-bpKQ')
  for (const pasted of ['aqz-KE-bpK', 'aqz-KE-bpKQ1', 'https://youtu.be/short', 'https://youtube.com/watch?v=', ''])
    expect([pasted, idOf('youtube', pasted)]).toEqual([pasted, null])
})

test('an address tells its host, whatever type is chosen; what fits the chosen type and Embed stay as chosen', () => {
  expect(typeOfPasted('wistia', 'https://youtu.be/aqz-KE-bpKQ')).toBe('youtube')
  expect(typeOfPasted('youtube', '<iframe src="https://fast.wistia.net/embed/iframe/abc"></iframe>')).toBe('wistia')
  expect(typeOfPasted('embed', 'https://youtu.be/aqz-KE-bpKQ')).toBe('embed')
  expect(typeOfPasted('wistia', 'aqz-KE-bpKQ')).toBe('wistia')
  expect(typeOfPasted('wistia', 'https://elsewhere.test/video')).toBe('wistia')
})

test('VID-6 embed code begins with an iframe and holds its end', () => {
  expect(isEmbedCode('<iframe src="https://fast.wistia.net/embed/iframe/abc"></iframe>')).toBe(true)
  for (const text of [
    '<iframe src="https://fast.wistia.net/embed/iframe/abc">',
    '<p><iframe src="https://fast.wistia.net/embed/iframe/abc"></iframe></p>',
    '<iframely src="https://fast.wistia.net/embed/iframe/abc"></iframe>',
    'https://fast.wistia.net/embed/iframe/abc',
    '',
  ])
    expect([text, isEmbedCode(text)]).toEqual([text, false])
  expect(idOf('wistia', '<iframe src="https://fast.wistia.net/embed/iframe/abc">')).toBeNull()
  expect(idOf('embed', '<iframe src="https://player.example/a?b=1&amp;c=2"></iframe>')).toBe(
    'https://player.example/a?b=1&c=2',
  )
})

test('another host, another protocol and a frame without an address name no video', () => {
  for (const pasted of [
    'https://wistia.com.evil.example/medias/abc',
    'https://evil.example/?https://x.wistia.com/medias/abc',
    'https://x.wistia.com@evil.example/medias/abc',
    'javascript:alert(1)//x.wistia.com/medias/abc',
    'https://alliance.wistia.com/projects/abc',
    '<iframe></iframe>',
    '<iframe srcdoc="https://fast.wistia.net/embed/iframe/abc"></iframe>',
    '<script>alert(1)</script>',
  ])
    expect([pasted, idOf('wistia', pasted)]).toEqual([pasted, null])
})

test('whatever is pasted, what is stored can be played or is refused by name', { tags: ['full'] }, () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('data:text/html,x', 'http://a.example/', '//a.example/b'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...videoTypes), text, fc.option(text), (videoType, videoId, embedUrl) => {
      const source = read(videoType, videoId, embedUrl)
      if ('problems' in source) {
        expect(Object.keys(source.problems)).not.toEqual([])
      } else {
        expect(playerAddress({ videoType, ...source })).toMatch(/^https:\/\//)
        expect(read(videoType, source.videoId, source.embedUrl)).toEqual(source)
      }
    }),
  )
})

test('an embed’s player that can’t be read is named, and no player is no problem', () => {
  const problemsOf = (videoId: string, embedUrl: string | null) => {
    const source = readVideoSource({ videoType: 'embed', videoId, embedUrl })
    return 'problems' in source ? Object.keys(source.problems) : []
  }
  const address = 'https://player.test/1'
  expect([problemsOf(address, null), problemsOf(address, address), problemsOf(address, 'http://x')]).toEqual([
    ...[[], [], ['embedUrl']],
  ])
  expect([problemsOf('nothing', null), problemsOf('nothing', 'http://x')]).toEqual([
    ['videoId'],
    ['videoId', 'embedUrl'],
  ])
})
