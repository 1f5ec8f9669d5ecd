import MiniSearch from 'minisearch'
import { foldText } from '#shared/rules/fold-text.ts'

/** `phrases`: every way to say it, its label among them. */
type Entry = { id: string; phrases: readonly string[] }

type PhraseDoc = { id: string; entry: string; text: string }

const fillers = new Set(
  'a an the my our your their his her to of for in on at by do does did i we me us how can could where is are was and with want would like it that this some all show see find get go'.split(
    ' ',
  ),
)

/** “Prices” is “price”. */
const singular = (word: string) => (word.length > 3 && !word.endsWith('ss') ? word.replace(/s$/, '') : word)

function wordsOf(text: string): string[] {
  const all = foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const telling = all.filter((word) => !fillers.has(word))
  return (telling.length > 0 ? telling : all).map(singular)
}

/** Finds entries by phrases: as they are, then by the beginning of the last word, then with one letter wrong. Best first. */
export function createPhraseFinder(entries: readonly Entry[]): (typed: string) => string[] {
  const index = new MiniSearch<PhraseDoc>({
    fields: ['text'],
    storeFields: ['entry', 'text'],
    tokenize: wordsOf,
    processTerm: (term) => term,
  })
  index.addAll(
    entries.flatMap(({ id, phrases }) => phrases.map((text, at) => ({ id: `${id} ${at}`, entry: id, text }))),
  )
  return (typed) => {
    const words = wordsOf(typed)
    if (words.length === 0) return entries.map(({ id }) => id)
    const search = (options: object) => index.search(typed, { ...options, tokenize: wordsOf })
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
      return wordsOf(text).join(' ') === words.join(' ') ? 100 : 0
    }
    for (const way of ways) {
      const found = search(way).map((result) => ({
        entry: String(result.entry),
        score: result.score + closeness(String(result.text)),
      }))
      if (found.length > 0)
        return [...new Set(found.toSorted((one, other) => other.score - one.score).map(({ entry }) => entry))]
    }
    return mostWords(search({ prefix: true, fuzzy: (word: string) => (word.length > 4 ? 1 : false) }), words.length)
  }
}

/** No phrase has all the words: those with the most of them, if that’s at least half. */
function mostWords(results: readonly { entry?: string; queryTerms: string[] }[], count: number): string[] {
  const most = Math.max(0, ...results.map(({ queryTerms }) => queryTerms.length))
  if (most * 2 < count) return []
  return [...new Set(results.filter(({ queryTerms }) => queryTerms.length === most).map(({ entry }) => String(entry)))]
}
