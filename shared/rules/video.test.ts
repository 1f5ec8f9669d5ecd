import { describe, expect, test } from 'vitest'
import type { MemberVideo } from '#shared/contract/video.ts'
import {
  formatDuration,
  formatPosition,
  inCategoryOrder,
  isInTier,
  nextVideo,
  playerAddress,
  positionInCategory,
  totalMinutes,
  videoCategories,
  videosByCategory,
  videoToContinue,
} from './video.ts'

const video = (category: string, orderIndex: number, title = 'T', duration: number | null = 10) => ({
  category,
  orderIndex,
  title,
  duration,
})

describe('categories', () => {
  test('MEMB-14 MEMB-15 the nine stand in their order, others after them by name, empty ones not at all', () => {
    const given = ['Zebra', 'Leadership', 'Money', 'Guest evenings', 'Strategy', 'Systems & Automations']
    const ordered = inCategoryOrder(
      given.map((name) => video(name, 0)),
      videoCategories,
    )
    expect(videosByCategory(ordered).map(({ name, isListed }) => [name, isListed])).toEqual([
      ['Strategy', true],
      ['Money', true],
      ['Systems & Automations', true],
      ['Leadership', true],
      ['Guest evenings', false],
      ['Zebra', false],
    ])
    expect(videoCategories).toHaveLength(9)
  })

  test('videos stand by their order, equal ones by title, and the given list stays as it was', () => {
    const given = [video('Money', 2, 'C'), video('Money', 1, 'B'), video('Money', 1, 'A')]
    expect(videosByCategory(given)[0]?.videos.map(({ title }) => title)).toEqual(['A', 'B', 'C'])
    expect(given[0]?.title).toBe('C')
  })

  test('MEMB-17 a category’s minutes are summed and rounded up once; without a length a video counts 5', () => {
    const given = [video('Money', 0, 'A', 0.75), video('Money', 1, 'B', 1.5), video('Money', 2, 'C', null)]
    expect(videosByCategory(given)[0]?.minutes).toBe(8)
    expect([totalMinutes([]), totalMinutes([{ duration: null }]), totalMinutes([{ duration: 0 }])]).toEqual([0, 5, 0])
  })
})

test('VID-9 a length is seconds under a minute, whole minutes otherwise, 5 where there is none', () => {
  expect([0.25, 0.75, 1, 1.4, 1.5, 52, null, 0].map(formatDuration)).toEqual([
    ...['15 sec', '45 sec', '1 min', '1 min', '2 min', '52 min', '5 min', '0 sec'],
  ])
})

test('ROLE-04 a tier sees what names it', () => {
  expect(isInTier({ tierAccess: ['standard', 'xl'] }, 'lite')).toBe(false)
  expect(isInTier({ tierAccess: ['standard', 'xl'] }, 'xl')).toBe(true)
  expect(isInTier({ tierAccess: [] }, 'xl')).toBe(false)
})

describe('the player', () => {
  const player = (videoType: MemberVideo['videoType'], videoId: string, embedUrl: string | null = null) =>
    playerAddress({ videoType, videoId, embedUrl })

  test('is made of the host’s id', () => {
    expect(player('wistia', 'abc123')).toBe('https://fast.wistia.net/embed/iframe/abc123')
    expect(player('youtube', 'aqz-KE-bpKQ')).toBe('https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ')
    expect(player('streamyard', 'k7m2')).toBe('https://streamyard.com/embed/k7m2')
  })

  test('is the embed’s own address, from either field', () => {
    const address = 'https://player.example/reminders'
    expect([player('embed', 'x', address), player('embed', address), player('embed', address, '')]).toEqual([
      ...[address, address, address],
    ])
  })

  test('is the host’s own embed address where one is given', () => {
    const address = 'https://fast.wistia.net/embed/iframe/abc?autoPlay=false'
    expect(player('wistia', 'other', address)).toBe(address)
  })

  test('is never an address that could run or be read: only https is framed', () => {
    const hostile = [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'http://player.example/x',
      'blob:https://player.example/x',
      'file:///etc/passwd',
      '//player.example/x',
      'player.example/x',
      '',
    ]
    for (const address of hostile) expect([address, player('embed', address)]).toEqual([address, null])
  })

  test('VID-5 of a host is never on another host, whatever the id or address says', () => {
    const ids = ['../../evil', 'a/b', 'a?b', 'a#b', 'a b', '', 'x'.repeat(65), 'https://evil.example', 'a"b', 'å']
    for (const id of ids) expect([id, player('wistia', id), player('streamyard', id)]).toEqual([id, null, null])
    for (const id of ['short', 'twelve-chars', 'aqz-KE-bpK/']) expect(player('youtube', id)).toBeNull()
    const addresses = [
      'https://fast.wistia.net.evil.example/x',
      'https://fast.wistia.net@evil.example/x',
      'http://fast.wistia.net/x',
      'javascript:alert(1)//https://fast.wistia.net',
    ]
    for (const address of addresses) {
      expect(player('wistia', 'abc', address)).toBe('https://fast.wistia.net/embed/iframe/abc')
    }
  })
})

test('after a video comes the next of the list, across categories', () => {
  const categories = [{ videos: [{ id: 'a' }, { id: 'b' }] }, { videos: [{ id: 'c' }] }]
  const after = (id: string) => nextVideo(categories, { id })?.id
  expect([after('a'), after('b'), after('c')]).toEqual(['b', 'c', undefined])
})

test('what comes next is the video that was left last, else the first that is not done', () => {
  const categories = videosByCategory(
    ['A', 'B', 'C'].map((title, at) => ({ ...video(at < 2 ? 'Money' : 'Time', at, title), id: title })),
  )
  const next = (done: string[], left: Record<string, { seconds: number; at: number }> = {}) => {
    const found = videoToContinue(categories, (id) => done.includes(id), new Map(Object.entries(left)))
    return found && [found.video.id, found.seconds]
  }
  expect([next([]), next(['A']), next(['A', 'B', 'C'])]).toEqual([['A', 0], ['B', 0], null])
  const left = { B: { seconds: 70, at: 1 }, C: { seconds: 5, at: 2 }, A: { seconds: 0, at: 3 } }
  expect([next([], left), next(['C'], left), next(['B', 'C'], left)]).toEqual([
    ['C', 5],
    ['B', 70],
    ['A', 0],
  ])
})

test('a video has its number and its neighbours within its category', () => {
  const categories = videosByCategory(['A', 'B'].map((title, at) => ({ ...video('Money', at, title), id: title })))
  expect(positionInCategory(categories, { id: 'A' })).toMatchObject({
    number: 1,
    count: 2,
    previous: null,
    next: { id: 'B' },
  })
  expect(positionInCategory(categories, { id: 'B' })).toMatchObject({ number: 2, previous: { id: 'A' }, next: null })
  const two = videosByCategory(
    [...['A', 'B'], 'C'].map((title, at) => ({ ...video(at < 2 ? 'Money' : 'Sales', at, title), id: title })),
  )
  expect(positionInCategory(two, { id: 'C' })).toMatchObject({ number: 1, count: 1, previous: null, next: null })
  expect(positionInCategory(two, { id: 'gone' })).toMatchObject({ number: 0, count: 0 })
})

test('a position is minutes and seconds, with hours from an hour on', () => {
  expect([0, 65, 134, 3725].map(formatPosition)).toEqual(['0:00', '1:05', '2:14', '1:02:05'])
})
