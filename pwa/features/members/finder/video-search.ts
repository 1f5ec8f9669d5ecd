import MiniSearch, { type SearchResult } from 'minisearch'
import type { MemberVideo, VideoText } from '#shared/contract/video.ts'
import { isFiller, stemOf, tellingWords, wordsIn } from '#shared/rules/search-terms.ts'

type Words = Pick<MemberVideo, 'id' | 'title' | 'description' | 'category'> & Partial<VideoText>

const fields = ['title', 'description', 'category', 'notes', 'transcript'] as const

/** `terms`: the stems of its transcript that were found. */
export type FoundVideo = { id: string; terms: ReadonlySet<string> }

/** The best first. */
export type VideoSearch = (typed: string) => FoundVideo[]

/** Finds videos with any of the words, those with all of them first. `groups`: words for one thing, with commas between them. */
export function createVideoSearch(videos: readonly Words[], groups: readonly string[]): VideoSearch {
  const index = indexOf(videos)
  const synonyms = groups.map((group) => group.split(',').map(stemsOf).filter(isFilled))
  const dictionary = createDictionary([...index.spelt, ...groups.flatMap(wordsIn)])
  return (typed) => {
    const words = wordsIn(typed).flatMap(dictionary.apart)
    const meant = words.map(dictionary.meant)
    const telling = new Set(tellingWords(words.join(' ')))
    const isTelling = (at: number) => telling.has(words[at] ?? '')
    const tally = createTally(words.length)
    for (const [at, stems] of meant.entries())
      if (isTelling(at))
        for (const stem of stems) tally.add([at], index.findWord(stem, { isLast: at === words.length - 1 }))
    const pairs = synonyms.flatMap((group) => group.flatMap((phrase) => group.map((other) => ({ phrase, other }))))
    for (const { phrase, other } of pairs.filter((pair) => pair.phrase !== pair.other))
      for (const positions of positionsOf(phrase, words, meant))
        tally.add(positions.filter(isTelling), index.findPhrase(other), synonymWeight)
    return tally.bestFirst()
  }
}

/** What's found with other words for the same counts less than what's found with the typed ones. */
const synonymWeight = 0.7

/** A letter too many, too few or wrong makes another word of a shorter one. */
const leastForgiven = 5

/** Two words that are written as one have at least this many letters each, and more where we know only the first. */
const leastOfPart = 3
const leastOfKnown = 5

/** The words of videos and of the list for searching. A typed word that's among neither may be misspelt, or two words in one. */
function createDictionary(words: readonly string[]) {
  const [spelt, known] = [new Set(words), new Set(words.map(stemOf))]
  /** Of whole words: “pricng” is far from the stem of “pricing”, and the stem of “firing” near to “fit”. */
  function slipsOf(word: string): string[] {
    const stem = stemOf(word)
    if (known.has(stem) || word.length < leastForgiven) return []
    const isMeant = (other: string) =>
      isOneSlip(word, other) ||
      isOneSlip(soundOf(word), soundOf(other)) ||
      (stem.length >= leastForgiven && isOneSlip(stem, stemOf(other)))
    return [...spelt].filter(isMeant).map(stemOf)
  }
  const isPart = (word: string) => known.has(stemOf(word)) && !isFiller(word)
  return {
    /** “dayrate” is “day rate”, unless it's the beginning of a word. */
    apart(word: string): string[] {
      if (known.has(stemOf(word)) || slipsOf(word).length > 0 || [...spelt].some((one) => one.startsWith(word)))
        return [word]
      let half = [word]
      for (let at = leastOfPart; at <= word.length - leastOfPart; at += 1) {
        const parts = [word.slice(0, at), word.slice(at)]
        if (parts.every(isPart)) return parts
        if (at >= leastOfKnown && isPart(word.slice(0, at))) half = parts
      }
      return half
    },
    /** Its stem, and those of the words it may be meant for. */
    meant: (word: string): string[] => [...new Set([stemOf(word), ...slipsOf(word)])],
  }
}

/** Letters that are heard alike: “websight”, “adress”. */
const soundOf = (word: string) => word.replace(/ight/g, 'ite').replace(/ph/g, 'f').replace(/(.)\1/g, '$1')

function indexOf(videos: readonly Words[]) {
  const spelt = new Set<string>()
  const search = new MiniSearch<Words>({
    fields: [...fields],
    tokenize: wordsIn,
    processTerm: (word) => {
      spelt.add(word)
      return stemOf(word)
    },
    searchOptions: {
      tokenize: (text) => text.split(' '),
      processTerm: (stem) => stem,
      combineWith: 'AND',
      boost: { title: 6, description: 4, category: 4, notes: 0.5, transcript: 0.5 },
    },
  })
  search.addAll(videos)
  const textOf = new Map(
    videos.map((video) => {
      const texts = fields.map((field) => wordsIn(video[field] ?? ''))
      const telling = texts.map((words) => words.filter((word) => !isFiller(word)))
      return [video.id, phrasesOf([...texts, ...telling])]
    }),
  )
  return {
    spelt,
    /** The last word may still be being typed. */
    findWord: (stem: string, { isLast }: { isLast: boolean }) =>
      search.search(stem, { prefix: isLast && stem.length > 1 }),
    /** Its words in this order: “choosing work” is in “choosing the work” too. */
    findPhrase: (stems: readonly string[]) =>
      search.search(stems.join(' ')).filter(({ id }) => textOf.get(id)?.includes(` ${stems.join(' ')} `)),
  }
}

type Found = { scores: number[]; terms: Set<string> }

/** Adds up what each video has of the typed words. */
function createTally(words: number) {
  const found = new Map<string, Found>()
  const count = ({ scores }: Found) => scores.filter((score) => score > 0).length
  const sum = ({ scores }: Found) => scores.reduce((total, score) => total + score, 0)
  return {
    /** `places`: which of the typed words these are for. */
    add(positions: readonly number[], results: readonly SearchResult[], weight = 1) {
      for (const { id, score, match } of results) {
        const one = found.get(id) ?? { scores: new Array<number>(words).fill(0), terms: new Set() }
        found.set(id, one)
        // Several ways to find a word don't add up, or one with many synonyms would outweigh the others.
        for (const at of positions) one.scores[at] = Math.max(one.scores[at] ?? 0, (score * weight) / positions.length)
        for (const term of Object.keys(match)) if (match[term]?.includes('transcript')) one.terms.add(term)
      }
    },
    bestFirst: (): FoundVideo[] =>
      [...found]
        .toSorted(([, one], [, other]) => count(other) - count(one) || sum(other) - sum(one))
        .map(([id, { terms }]) => ({ id, terms })),
  }
}

const stemsOf = (text: string) => wordsIn(text).map(stemOf)

const isFilled = (stems: readonly string[]) => stems.length > 0

/** The texts' stems with a space around each, and a bar between two texts. */
const phrasesOf = (texts: readonly string[][]) => ` ${texts.map((words) => words.map(stemOf).join(' ')).join(' | ')} `

/**
 * Where a phrase stands among the typed words: the places of all its words, each time. Words that say nothing may stand between
 * them, as in “raise my prices”, and one of its words may be typed as two, as in “burn out”.
 */
function positionsOf(phrase: readonly string[], words: readonly string[], meant: readonly string[][]): number[][] {
  return words.flatMap((_, start) => {
    const positions: number[] = []
    let at = start
    for (const stem of phrase) {
      while (at > start && at < words.length && !meant[at]?.includes(stem) && isFiller(words[at] ?? '')) at += 1
      const isOne = meant[at]?.includes(stem)
      if (!isOne && stemOf(`${words[at]}${words[at + 1] ?? ''}`) !== stem) return []
      positions.push(at)
      if (!isOne) positions.push(at + 1)
      at += isOne ? 1 : 2
    }
    return [positions]
  })
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
