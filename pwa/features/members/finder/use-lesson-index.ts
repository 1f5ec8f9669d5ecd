import MiniSearch from 'minisearch'
import { useEffect, useState } from 'react'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import type { LessonText, MemberVideo } from '#shared/contract/video.ts'
import { linesOf, type TranscriptLine } from '#shared/rules/captions.ts'
import type { Finder } from './use-finder.ts'

type Words = Pick<MemberVideo, 'id' | 'title' | 'description' | 'category'> & Partial<LessonText>

type LessonIndex = { search: MiniSearch<Words>; textOf: ReadonlyMap<string, LessonText> }

/** An index over all of a lesson's texts. Made when the finder opens, and never stored. */
export function createLessonIndex(videos: readonly MemberVideo[], texts: readonly LessonText[]): LessonIndex {
  const search = new MiniSearch<Words>({
    fields: ['title', 'description', 'category', 'notes', 'transcript'],
    searchOptions: {
      prefix: true,
      // With one letter wrong, a short word is another word.
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      boost: { title: 4, description: 2 },
      combineWith: 'AND',
    },
  })
  const textOf = new Map(texts.map((text) => [text.videoId, text]))
  search.addAll(videos.map((video) => ({ ...video, ...textOf.get(video.id) })))
  return { search, textOf }
}

/** Null until it's made. */
export function useLessonIndex(videos: readonly MemberVideo[]): LessonIndex | null {
  const { store } = useEngine()
  const [index, setIndex] = useState<LessonIndex | null>(null)
  useEffect(() => {
    let isOver = false
    const make = async () => {
      const made = createLessonIndex(videos, await store.texts.toArray())
      if (!isOver) setIndex(made)
    }
    make().catch(reportUnlessClosed)
    return () => {
      isOver = true
    }
  }, [store, videos])
  return index
}

const lengths: Record<Exclude<Finder['length'], 'any'>, (minutes: number) => boolean> = {
  short: (minutes) => minutes <= 10,
  medium: (minutes) => minutes > 10 && minutes <= 20,
  long: (minutes) => minutes > 20,
}

type Known = Record<'isDone' | 'isNew' | 'isKept', (id: string) => boolean>

/** The matching lessons of a list, in its order. With words, best match first, unless another order is chosen. */
export function findLessons(
  videos: readonly MemberVideo[],
  index: LessonIndex | null,
  { words, show, length, sort }: Finder,
  { isDone, isNew, isKept }: Known,
): MemberVideo[] {
  const isShown: Record<Finder['show'], (id: string) => boolean> = {
    ...{ all: () => true, new: isNew, kept: isKept },
    ...{ done: isDone, 'to-do': (id) => !isDone(id) },
  }
  const fitting = videos.filter(
    ({ id, duration }) => isShown[show](id) && (length === 'any' || lengths[length](duration ?? 5)),
  )
  const found = words.trim() === '' || index === null ? fitting : ranked(fitting, index, words)
  if (sort === 'shortest') return found.toSorted((one, other) => (one.duration ?? 5) - (other.duration ?? 5))
  if (sort === 'newest') return found.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  return found
}

function ranked(videos: readonly MemberVideo[], index: LessonIndex, words: string): MemberVideo[] {
  const byId = new Map(videos.map((video) => [video.id, video]))
  return index.search.search(words).flatMap(({ id }) => byId.get(id) ?? [])
}

/** For each lesson whose transcript has the words: the line with most of them, the first of those. */
export function findLines(index: LessonIndex | null, words: string): ReadonlyMap<string, TranscriptLine> {
  if (index === null || words.trim() === '') return new Map()
  return new Map(
    index.search.search(words).flatMap(({ id, match }) => {
      const terms = Object.keys(match).filter((term) => match[term]?.includes('transcript'))
      const { transcript = null, marks } = index.textOf.get(id) ?? {}
      if (transcript === null || terms.length === 0) return []
      const counted = linesOf(transcript, marks)
        .flat()
        .map((line) => ({ line, count: countOf(terms, line.words) }))
      const best = counted.reduce((one, other) => (other.count > one.count ? other : one))
      return best.count === 0 ? [] : [[id, { ...best.line, words: aroundFirst(terms, best.line.words) }] as const]
    }),
  )
}

function countOf(terms: readonly string[], words: string): number {
  const text = words.toLowerCase()
  return terms.filter((term) => text.includes(term)).length
}

const wordsBefore = 60

/** A whole paragraph without captions may be long: it starts shortly before the first of the words. */
function aroundFirst(terms: readonly string[], words: string): string {
  const text = words.toLowerCase()
  const first = Math.min(...terms.map((term) => text.indexOf(term)).filter((place) => place >= 0))
  const start = words.indexOf(' ', first - wordsBefore) + 1
  return first <= wordsBefore * 2 || start > first ? words : `…${words.slice(start)}`
}
