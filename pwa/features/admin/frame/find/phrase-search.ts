import MiniSearch from 'minisearch'
import { foldText } from '#shared/rules/fold-text.ts'
import { tellingWords } from '#shared/rules/search-terms.ts'

/** `phrases`: every way to say it, its label among them. */
type Entry = { id: string; phrases: readonly string[] }

type PhraseDoc = { id: string; entry: string; text: string }

/** Synonyms: typing one finds what’s listed under another. */
const groups = [
  'member customer client lad punter subscriber bloke chap someone somebody person people guy',
  'everyone everybody',
  'video film lesson',
  'picture photo image pic',
  'email mail',
  'delete remove erase bin',
  'call meeting zoom',
  'website site',
  'month monthly',
  'owner admin boss',
  'partner salesman',
  'price cost',
].map((words) => words.split(' '))

const alike = (word: string) => groups.find((group) => group.includes(word)) ?? [word]

/** “Prices” is “price”. */
const singular = (word: string) => (word.length > 3 && !word.endsWith('ss') ? word.replace(/s$/, '') : word)

const wordsOf = (text: string): string[] => tellingWords(text).map(singular)

function indexOf(entries: readonly Entry[]) {
  const index = new MiniSearch<PhraseDoc>({
    fields: ['text'],
    storeFields: ['entry', 'text'],
    tokenize: wordsOf,
    processTerm: alike,
  })
  // Each phrase on its own, and all of an entry's together: “reimburse a member” takes its words from two of them.
  index.addAll(
    entries.flatMap(({ id, phrases }) =>
      [...phrases, phrases.join(' ')].map((text, at) => ({ id: `${id} ${at}`, entry: id, text })),
    ),
  )
  return index
}

/** Finds entries by phrases: as they are, then by the beginning of the last word, then with one letter wrong. Best first. */
export function createPhraseFinder(entries: readonly Entry[]): (typed: string) => string[] {
  const index = indexOf(entries)
  return (typed) => {
    const words = wordsOf(typed)
    if (words.length === 0) return entries.map(({ id }) => id)
    const search = (options: object) =>
      index.search(typed, { ...options, tokenize: wordsOf, processTerm: (term) => term })
    const isLast = (at: number) => at === words.length - 1
    const ways = [
      { combineWith: 'AND' },
      { combineWith: 'AND', prefix: (_: string, at: number) => isLast(at) },
      {
        combineWith: 'AND',
        prefix: (_: string, at: number) => isLast(at),
        fuzzy: (word: string) => (word.length > 4 ? 1 : false),
      },
    ]
    const closeness = (text: string) => {
      if (foldText(text) === foldText(typed)) return 200
      return told(wordsOf(text)) === told(words) ? 100 : 0
    }
    for (const way of ways) {
      const found = search(way).map((result) => ({
        entry: String(result.entry),
        score: result.score + closeness(String(result.text)),
      }))
      if (found.length > 0)
        return [...new Set(found.toSorted((one, other) => other.score - one.score).map(({ entry }) => entry))]
    }
    // No phrase has all the words, as in a whole sentence: then the rarest ones decide.
    const some = search({ prefix: isLong, fuzzy: (word: string) => (word.length > 4 ? 1 : false) })
    return [...new Set(some.map((result) => String(result.entry)))]
  }
}

const told = (words: readonly string[]) => words.map((word) => alike(word)[0]).join(' ')

const isLong = (word: string) => word.length > 3
