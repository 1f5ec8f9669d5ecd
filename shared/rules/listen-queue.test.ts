import { expect, test } from 'vitest'
import { videoSeeds } from '#data/seed/videos.ts'
import { queueAtOpening, sleepsAt, todaysQueue } from './listen-queue.ts'
import { videosByCategory } from './video.ts'

const videos = videoSeeds.map((seed) => ({ ...seed, id: seed.slug, createdAt: '', updatedAt: '' }))
const categories = videosByCategory(videos)
const inOrder = categories.flatMap((category) => category.videos.map(({ id }) => id))
const known: Parameters<typeof todaysQueue>[1] = { isDone: () => false, canPlay: () => true, positions: new Map() }
const queue = (more: Partial<typeof known>) => todaysQueue(categories, { ...known, ...more }).map(({ id }) => id)

test('today’s queue begins with the video that was begun, else the next one, and leaves out what is done or can’t be heard', () => {
  expect(queue({})).toEqual(inOrder.slice(0, 5))
  expect(queue({ isDone: (id) => id === inOrder[0], canPlay: (id) => id !== inOrder[2] })).toEqual(
    [1, 3, 4, 5, 6].map((at) => inOrder[at]),
  )
  const last = inOrder.at(-1) ?? ''
  expect(queue({ positions: new Map([[last, { seconds: 40, at: 1 }]]) })).toEqual([last, ...inOrder.slice(0, 4)])
  expect(queue({ isDone: () => true })).toEqual([])
})

test('a sleep timer of minutes has its moment; the others have none', () => {
  expect(sleepsAt('15', 1_000)).toBe(901_000)
  expect([sleepsAt('off', 0), sleepsAt('end', 0)]).toEqual([null, null])
})

test('a queue goes on at the next opening without what is done, at the video that played, and begins again once all is done', () => {
  const kept = { videoIds: ['a', 'b', 'c'], currentId: 'b' }
  const open = (...ids: string[]) => queueAtOpening(kept, ['x', 'y'], (id) => ids.includes(id))
  expect(open('a', 'b', 'c')).toEqual(kept)
  expect(open('b', 'c', 'x')).toEqual({ videoIds: ['b', 'c'], currentId: 'b' })
  expect(open('c')).toEqual({ videoIds: ['c'], currentId: null })
  expect(open('x')).toEqual({ videoIds: ['x', 'y'], currentId: null })
  expect(queueAtOpening(null, ['x'], () => true)).toEqual({ videoIds: ['x'], currentId: null })
})
