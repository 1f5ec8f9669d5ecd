import { expect, test } from 'vitest'
import {
  formatBytes,
  isPlayable,
  isPodcastPicture,
  isPodcastSound,
  kindOfMedia,
  maxBytesOfKind,
  maxMediaBytes,
  mediaAddress,
  mediaFormats,
  mediaTypeAt,
  pictureType,
  problemOfPodcastPicture,
} from './media.ts'

test('each format has its kind, and its kind its limit', () => {
  const kinds = Object.fromEntries(mediaFormats.map((format) => [format, kindOfMedia(format)]))
  expect(kinds).toEqual({
    mp4: 'film',
    webm: 'film',
    mp3: 'sound',
    m4a: 'sound',
    ogg: 'sound',
    vtt: 'captions',
    jpg: 'picture',
    png: 'picture',
    webp: 'picture',
    avif: 'picture',
    pdf: 'document',
    docx: 'document',
    xlsx: 'document',
    pptx: 'document',
  })
  expect(mediaFormats.filter(isPlayable)).toEqual(['mp4', 'webm', 'mp3', 'm4a', 'ogg'])
  expect(mediaFormats.filter(isPodcastSound)).toEqual(['mp3', 'm4a'])
  expect(mediaFormats.filter(isPodcastPicture)).toEqual(['jpg', 'png'])
  expect(maxMediaBytes).toBe(Math.max(...Object.values(maxBytesOfKind)))
})

test('a podcast picture is square, and 1,400 to 3,000 pixels a side', () => {
  const hasProblem = (width: number, height: number) => problemOfPodcastPicture({ width, height }) !== null
  expect([1400, 2000, 3000].map((side) => hasProblem(side, side))).toEqual([false, false, false])
  expect([1399, 3001].map((side) => hasProblem(side, side))).toEqual([true, true])
  expect([hasProblem(2000, 2001), hasProblem(1400, 1399)]).toEqual([true, true])
})

test('a picture is known by its first bytes', () => {
  const typeOf = (start: string) =>
    pictureType(Uint8Array.from(start.padEnd(20, '-'), (letter) => letter.charCodeAt(0)))
  expect(typeOf('\xff\xd8\xff')).toBe('image/jpeg')
  expect(typeOf('\x89PNG\r\n\x1a\n')).toBe('image/png')
  expect(typeOf('RIFF1234WEBP')).toBe('image/webp')
  expect(['RIFF1234WAVE', 'RIFX1234WEBP', '<svg', ''].map(typeOf)).toEqual(Array(4).fill(null))
})

test('a private file has an address of its own, and its type is read from either', () => {
  const address = { id: 'a-1', format: 'mp4' } as const
  expect(mediaAddress({ ...address, isPublic: true })).toBe('/media/a-1.mp4')
  expect(mediaAddress({ ...address, isPublic: false })).toBe('/api/media/a-1.mp4')
  expect(['/media/a-1.mp4', '/api/media/a-1.m4a'].map(mediaTypeAt)).toEqual(['video/mp4', 'audio/mp4'])
  expect(['/media/a-1.jpg', '/media/a-1', 'https://example.com/media/a.mp4'].map(mediaTypeAt)).toEqual(
    Array(3).fill(null),
  )
})

test('a size is in the unit that suits it', () => {
  const sizes = [0, 1, 99_999, 100_000, 1_400_000, 9_900_000, 10_000_000, 99_000_000, 100_000_000, 12_000_000_000]
  expect(sizes.map(formatBytes)).toEqual([
    '0 kB',
    '1 kB',
    '100 kB',
    '0.1 MB',
    '1.4 MB',
    '9.9 MB',
    '10 MB',
    '99 MB',
    '0.1 GB',
    '12 GB',
  ])
})
