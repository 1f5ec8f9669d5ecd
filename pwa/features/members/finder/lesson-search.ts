import MiniSearch, { type SearchResult } from 'minisearch'
import type { LessonText, MemberVideo } from '#shared/contract/video.ts'
import { stemOf, tellingWords, wordsIn } from '#shared/rules/search-terms.ts'

type Words = Pick<MemberVideo, 'id' | 'title' | 'description' | 'category'> & Partial<LessonText>

const fields = ['title', 'description', 'category', 'notes', 'transcript'] as const

/** `terms`: the stems of its transcript that were found. */
export type FoundLesson = { id: string; terms: ReadonlySet<string> }

/** The best first. */
export type LessonSearch = (typed: string) => FoundLesson[]

/** Finds lessons with any of the words, those with all of them first. `groups`: words for one thing, with commas between them. */
export function createLessonSearch(lessons: readonly Words[], groups: readonly string[]): LessonSearch {
  const index = indexOf(lessons)
  const synonyms = groups.map((group) => group.split(',').map(stemsOf).filter(isFilled))
  return (typed) => {
    const words = wordsIn(typed)
    const stems = words.map(stemOf)
    const telling = new Set(tellingWords(typed))
    const isTelling = (at: number) => telling.has(words[at] ?? '')
    const tally = createTally(words.length)
    for (const [at, word] of words.entries())
      if (isTelling(at)) tally.add([at], index.findWord(word, { isLast: at === words.length - 1 }))
    for (const group of synonyms)
      for (const phrase of group)
        for (const places of placesOf(phrase, stems))
          for (const other of group)
            if (other !== phrase) tally.add(places.filter(isTelling), index.findPhrase(other), synonymWeight)
    return tally.bestFirst()
  }
}

/** What's found with other words for the same counts less than what's found with the typed ones. */
const synonymWeight = 0.7

/** A letter too many, too few or wrong makes another word of a shorter one. */
const leastForgiven = 5

function indexOf(lessons: readonly Words[]) {
  const known = new Set<string>()
  const spelt = new Set<string>()
  const search = new MiniSearch<Words>({
    fields: [...fields],
    tokenize: wordsIn,
    processTerm: (word) => {
      const stem = stemOf(word)
      known.add(stem)
      spelt.add(word)
      return stem
    },
    searchOptions: {
      tokenize: (text) => text.split(' '),
      processTerm: (stem) => stem,
      combineWith: 'AND',
      boost: { title: 6, description: 4, category: 4, notes: 0.5, transcript: 0.5 },
    },
  })
  search.addAll(lessons)
  const textOf = new Map(lessons.map((lesson) => [lesson.id, phrasesOf(fields.map((field) => lesson[field] ?? ''))]))
  return {
    /** The last word may still be being typed. A word that no lesson has may be misspelt. */
    findWord(word: string, { isLast }: { isLast: boolean }) {
      const stem = stemOf(word)
      const found = search.search(stem, { prefix: isLast && stem.length > 1 })
      if (known.has(stem) || word.length < leastForgiven) return found
      // Of whole words: “pricng” is far from the stem of “pricing”, and the stem of “firing” near to “fit”.
      const isMeant = (other: string) =>
        isOneSlip(word, other) || (stem.length >= leastForgiven && isOneSlip(stem, stemOf(other)))
      const meant = new Set([...spelt].filter(isMeant).map(stemOf))
      return [...meant].reduce((all, one) => all.concat(search.search(one)), found)
    },
    /** Its words in this order. */
    findPhrase: (stems: readonly string[]) =>
      search.search(stems.join(' ')).filter(({ id }) => textOf.get(id)?.includes(` ${stems.join(' ')} `)),
  }
}

type Found = { scores: number[]; terms: Set<string> }

/** Adds up what each lesson has of the typed words. */
function createTally(words: number) {
  const found = new Map<string, Found>()
  const count = ({ scores }: Found) => scores.filter((score) => score > 0).length
  const sum = ({ scores }: Found) => scores.reduce((total, score) => total + score, 0)
  return {
    /** `places`: which of the typed words these are for. */
    add(places: readonly number[], results: readonly SearchResult[], weight = 1) {
      for (const { id, score, match } of results) {
        const one = found.get(id) ?? { scores: new Array<number>(words).fill(0), terms: new Set() }
        found.set(id, one)
        // Several ways to find a word don't add up, or one with many synonyms would outweigh the others.
        for (const at of places) one.scores[at] = Math.max(one.scores[at] ?? 0, (score * weight) / places.length)
        for (const term of Object.keys(match)) if (match[term]?.includes('transcript')) one.terms.add(term)
      }
    },
    bestFirst: (): FoundLesson[] =>
      [...found]
        .toSorted(([, one], [, other]) => count(other) - count(one) || sum(other) - sum(one))
        .map(([id, { terms }]) => ({ id, terms })),
  }
}

const stemsOf = (text: string) => wordsIn(text).map(stemOf)

const isFilled = (stems: readonly string[]) => stems.length > 0

/** The texts' stems with a space around each, and a bar between two texts. */
const phrasesOf = (texts: readonly string[]) => ` ${texts.map((text) => stemsOf(text).join(' ')).join(' | ')} `

/** Where a phrase stands among the words: the places of all its words, each time. */
function placesOf(phrase: readonly string[], stems: readonly string[]): number[][] {
  const starts = stems.flatMap((_, at) => (phrase.every((word, index) => stems[at + index] === word) ? [at] : []))
  return starts.map((at) => phrase.map((_, index) => at + index))
}

/** A letter too many, too few or wrong, or two neighbours swapped. */
function isOneSlip(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === other[at]) at += 1
  const [rest, its] = [word.slice(at), other.slice(at)]
  const isSwap = rest[0] === its[1] && rest[1] === its[0] && rest.slice(2) === its.slice(2)
  return isSwap || rest.slice(1) === its.slice(1) || rest.slice(1) === its || rest === its.slice(1)
}
