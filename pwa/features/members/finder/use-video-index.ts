import { useEffect, useState } from 'react'
import { useSession } from '#pwa/features/auth/session-store.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { readSnapshot, readWordsEtag, refreshSearchWords, searchWordsName } from '#pwa/sync/progress/snapshots.ts'
import { type MemberVideo, SearchWordList, type VideoText } from '#shared/contract/video.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { stemOf, wordsIn } from '#shared/rules/search-terms.ts'
import { linesOf, type TranscriptLine } from '#shared/values/captions.ts'
import type { Finder } from './use-finder.ts'
import { createVideoSearch, type VideoSearch } from './video-search.ts'

type VideoIndex = { search: VideoSearch; textOf: ReadonlyMap<string, VideoText> }

/** An index over all of a video's texts. Made when the finder opens, and never stored. */
export function createVideoIndex(
  videos: readonly MemberVideo[],
  texts: readonly VideoText[],
  groups: readonly string[],
): VideoIndex {
  const textOf = new Map(texts.map((text) => [text.videoId, text]))
  return {
    search: createVideoSearch(
      videos.map((video) => ({ ...video, ...textOf.get(video.id) })),
      groups,
    ),
    textOf,
  }
}

/** Null until it's made. */
export function useVideoIndex(videos: readonly MemberVideo[]): VideoIndex | null {
  const { store } = useEngine()
  const session = useSession()
  const [index, setIndex] = useState<VideoIndex | null>(null)
  useEffect(() => {
    let isOver = false
    const make = async () => {
      const show = async () => {
        const groups = await readSnapshot(store, searchWordsName, SearchWordList)
        const made = createVideoIndex(videos, await store.texts.toArray(), groups ?? [])
        if (!isOver) setIndex(made)
      }
      await show()
      if (session === null) return
      const etag = await readWordsEtag(store)
      if (await refreshSearchWords(store, session.sync.fetch, Date.now(), etag)) await show()
    }
    make().catch(reportUnlessClosed)
    return () => {
      isOver = true
    }
  }, [store, session, videos])
  return index
}

const lengths: Record<Exclude<Finder['length'], 'any'>, (minutes: number) => boolean> = {
  short: (minutes) => minutes <= 10,
  medium: (minutes) => minutes > 10 && minutes <= 20,
  long: (minutes) => minutes > 20,
}

type Known = Record<'isDone' | 'isNew' | 'isKept', (id: string) => boolean>

/** The matching videos of a list, in its order. With words, best match first, unless another order is chosen. */
export function findVideos(
  videos: readonly MemberVideo[],
  index: VideoIndex | null,
  { words, show, length, sort }: Finder,
  { isDone, isNew, isKept }: Known,
): MemberVideo[] {
  const isShown: Record<Finder['show'], (id: string) => boolean> = {
    all: () => true,
    new: isNew,
    kept: isKept,
    done: isDone,
    'to-do': (id) => !isDone(id),
  }
  const fitting = videos.filter(
    ({ id, duration }) => isShown[show](id) && (length === 'any' || lengths[length](duration ?? 5)),
  )
  const found = words.trim() === '' || index === null ? fitting : ranked(fitting, index, words)
  if (sort === 'shortest') return found.toSorted((one, other) => (one.duration ?? 5) - (other.duration ?? 5))
  if (sort === 'newest') return found.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  return found
}

function ranked(videos: readonly MemberVideo[], index: VideoIndex, words: string): MemberVideo[] {
  const byId = new Map(videos.map((video) => [video.id, video]))
  return index.search(words).flatMap(({ id }) => byId.get(id) ?? [])
}

/** For each video whose transcript has the words: the line with most of them, the first of those. */
export function findLines(index: VideoIndex | null, words: string): ReadonlyMap<string, TranscriptLine> {
  if (index === null || words.trim() === '') return new Map()
  return new Map(
    index.search(words).flatMap(({ id, terms }) => {
      const { transcript = null, marks } = index.textOf.get(id) ?? {}
      if (transcript === null || terms.size === 0) return []
      const counted = linesOf(transcript, marks)
        .flat()
        .map((line) => ({ line, count: countOf(terms, line.words) }))
      const best = counted.reduce((one, other) => (other.count > one.count ? other : one))
      return best.count === 0 ? [] : [[id, { ...best.line, words: aroundFirst(terms, best.line.words) }] as const]
    }),
  )
}

const countOf = (terms: ReadonlySet<string>, words: string): number =>
  new Set(
    wordsIn(words)
      .map(stemOf)
      .filter((stem) => terms.has(stem)),
  ).size

const wordsBefore = 60

/** A whole paragraph without captions may be long: it starts shortly before the first of the words. */
function aroundFirst(terms: ReadonlySet<string>, words: string): string {
  const first = [...words.matchAll(/[\p{L}\p{N}]+/gu)].find(([word]) => terms.has(stemOf(foldText(word))))?.index ?? 0
  const start = words.indexOf(' ', first - wordsBefore) + 1
  return first <= wordsBefore * 2 || start > first ? words : `…${words.slice(start)}`
}
