import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShelfFile, ShelfVideo } from '#shared/contract/shelf.ts'
import { pieceBytes } from '#shared/values/media.ts'
import {
  afterWord,
  type Conditions,
  fileToKeep,
  hasRoomFor,
  type Kept,
  nextStep,
  nextToKeep,
  pieceCount,
  pieceRange,
  removedByBrowser,
  stepKey,
  whyWait,
  withPiece,
} from './shelf.ts'

const file = (sha256: string, bytes = 10 * pieceBytes): ShelfFile => ({
  address: `/api/media/${sha256}.mp4`,
  format: 'mp4',
  bytes,
  sha256,
})
const video = (more: Partial<ShelfVideo> = {}): ShelfVideo => ({
  videoId: 'v',
  isPreparing: false,
  film: file('a'),
  light: null,
  sound: null,
  ...more,
})
const coming = (sha256: string, more: Partial<NonNullable<Kept['coming']>> = {}): Kept => ({
  videoId: `of-${sha256}`,
  keptAt: 1,
  whole: null,
  coming: { ...file(sha256, 3 * pieceBytes - 1), form: 'film', pieces: ['x', 'y', 'z'], have: [], ...more },
})

test('the pieces of a file follow one another and are all of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (bytes) => {
      const count = pieceCount(bytes)
      const [begin, end] = [pieceRange(0, bytes), pieceRange(count - 1, bytes)]
      expect([begin.first, end.last]).toEqual([0, bytes - 1])
      if (count > 1) expect(pieceRange(1, bytes).first).toBe(begin.last + 1)
    }),
  )
})

test('whatever order pieces arrive in, each is asked for once, and the video is whole with the last', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (answers) => {
      let rows = [coming('a'), coming('b', { pieces: null })]
      const asked: string[] = []
      const busy = new Set(['b'])
      const underWay: string[] = []
      // Two at a time; `true` answers the older of them, `false` the newer.
      for (const isOlder of [...answers, ...Array.from({ length: 9 }, () => true)]) {
        for (let step = nextStep(rows, busy); step && underWay.length < 2; step = nextStep(rows, busy)) {
          const key = stepKey(step)
          asked.push(key)
          underWay.push(key)
          busy.add(key)
        }
        const key = isOlder ? underWay.shift() : underWay.pop()
        if (key === undefined) continue
        busy.delete(key)
        const [sha256 = '', index] = key.split('/')
        rows = rows.map((row) => withPiece(row, sha256, Number(index)))
      }
      expect(asked.toSorted()).toEqual(['a/0', 'a/1', 'a/2'])
      expect(rows[0]).toMatchObject({ coming: null, whole: { sha256: 'a' } })
    }),
  )
})

test('what was chosen first is fetched first; a file that two videos share is fetched once', () => {
  const [late, early] = [
    { ...coming('late'), keptAt: 2 },
    { ...coming('early', { have: [0, 2] }), keptAt: 1 },
  ]
  expect(nextStep([late, early], new Set())).toMatchObject({ sha256: 'early', index: 1 })
  expect(nextStep([late, early], new Set(['early/1']))).toMatchObject({ sha256: 'late', index: 0 })
  const twins = [coming('a'), { ...coming('a'), videoId: 'twin' }]
  const after = twins.map((row) => [0, 1, 2].reduce((last, index) => withPiece(last, 'a', index), row))
  expect([nextStep(after, new Set()), ...after.map(({ whole }) => whole?.sha256)]).toEqual([null, 'a', 'a'])
})

test('a replaced video plays until the new one is whole', () => {
  const row: Kept = { videoId: 'v', keptAt: 1, whole: { ...file('old'), form: 'film' }, coming: null }
  const renewing = afterWord(row, video({ film: file('new', 2 * pieceBytes) }))
  expect(renewing).toMatchObject({ whole: { sha256: 'old' }, coming: { sha256: 'new', pieces: null, have: [] } })
  if (renewing === null) return
  expect(withPiece(renewing, 'new', 0).whole?.sha256).toBe('old')
  expect(withPiece(withPiece(renewing, 'new', 0), 'new', 1)).toMatchObject({ whole: { sha256: 'new' }, coming: null })
  expect(afterWord(renewing, video({ film: file('old') }))).toMatchObject({ whole: { sha256: 'old' }, coming: null })
})

test('what the server lists no more goes; what is half here goes on', () => {
  const half = coming('a', { have: [1] })
  expect(afterWord(half, undefined)).toBeNull()
  expect(afterWord(half, video({ film: null }))).toBeNull()
  expect(afterWord(half, video({ film: file('a', 3 * pieceBytes - 1) }))?.coming?.have).toEqual([1])
})

test('the wanted form, or the nearest that there is', () => {
  const all = video({ light: file('l'), sound: file('s') })
  expect([fileToKeep(all, 'light')?.form, fileToKeep(video(), 'sound')?.form]).toEqual(['light', 'film'])
  expect(fileToKeep(video({ film: null }), 'film')).toBeNull()
})

const good: Conditions = {
  isOnline: true,
  hasUnsent: false,
  isVideoPlaying: false,
  network: 'wifi',
  isWifiOnly: true,
  isAllowed: false,
}

test.each<[Partial<Conditions>, ReturnType<typeof whyWait>]>([
  [{}, null],
  [{ isOnline: false, hasUnsent: true }, 'signal'],
  [{ hasUnsent: true }, 'unsent'],
  [{ isVideoPlaying: true }, 'film'],
  [{ network: 'mobile' }, 'wifi'],
  [{ network: 'mobile', isAllowed: true }, null],
  [{ network: 'mobile', isWifiOnly: false }, null],
  [{ network: 'unknown' }, 'ask'],
  [{ network: 'unknown', isAllowed: true }, null],
])('with %o it waits for %s', (more, wait) => {
  expect(whyWait({ ...good, ...more })).toBe(wait)
})

test('nothing is fetched beyond four fifths of the quota, or a tenth where an eviction would take the ticks too', () => {
  const room = { usage: 700, quota: 1000, isSafe: true }
  expect([hasRoomFor(100, room), hasRoomFor(101, room)]).toEqual([true, false])
  const unsafe = { usage: 50, quota: 1000, isSafe: false }
  expect([hasRoomFor(50, unsafe), hasRoomFor(51, unsafe)]).toEqual([true, false])
  expect(hasRoomFor(1e9, { ...room, quota: null })).toBe(true)
})

test('what this login told the server and is not here was removed by the browser', () => {
  expect(removedByBrowser(['a', 'b', 'c'], new Set(['b']))).toEqual(['a', 'c'])
})

test('the next two that are not done and can be kept', () => {
  const videos = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  const next = nextToKeep(videos, { isDone: (id) => id === 'a', canKeep: (id) => id !== 'c', count: 2 })
  expect(next.map(({ id }) => id)).toEqual(['b', 'd'])
})
