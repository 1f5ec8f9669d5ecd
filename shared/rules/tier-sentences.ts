import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'

/* Sentences of the site that count the tiers, or say that everybody pays by the month: a change of tiers can make them untrue. */

/** How many cards there are, and whether any is sold by the month or by the year. */
export type CardFacts = { cards: number; hasMonth: boolean; hasYear: boolean }

/** A tier as it's about to be. Without `isCard`, it stays where it is. `slug` is null for a new one. */
export type TierToBe = { slug: TierSlug | null; isCard?: boolean; every: readonly PricePeriod[] }

type Listed = Pick<AdminTier, 'slug' | 'isActive' | 'isShown' | 'prices'>

export function cardFacts(tiers: readonly Listed[], { slug, isCard, every }: TierToBe): CardFacts {
  const cards = tiers.filter(({ isActive, isShown }) => isActive && isShown)
  const others = cards.filter((tier) => tier.slug !== slug)
  const isOne = isCard ?? cards.length > others.length
  const sold = [
    ...others.flatMap(({ prices }) => prices.flatMap((price) => (price.isOffered ? [price.every] : []))),
    ...(isOne ? every : []),
  ]
  return {
    cards: others.length + (isOne ? 1 : 0),
    hasMonth: sold.includes('month'),
    hasYear: sold.includes('year'),
  }
}

/** `tiers`: a text about them. `post`: one that may well be about wages and suppliers. */
export type About = 'tiers' | 'post' | 'anything'

export const untrueSentences = (text: string, facts: CardFacts, about: About = 'anything'): string[] =>
  sentencesIn(text).filter((sentence) => miscounts(sentence, facts, about) || saysMonthAlone(sentence, facts, about))

const sentencesIn = (text: string) => text.split(/(?<=[.!?])\s+|\n+/)

/** What tells a tier from the others in a text, such as “XL” of Alliance XL. Null where others begin with all of its name. */
export function ownWords(name: string, others: readonly string[]): string | null {
  const words = name.split(' ')
  const shared = others.map((other) => {
    const theirs = other.split(' ')
    const at = words.findIndex((word, place) => word !== theirs[place])
    return at < 0 ? words.length : at
  })
  return words.slice(Math.max(0, ...shared)).join(' ') || null
}

export function namingSentences(text: string, words: string): string[] {
  const named = new RegExp(
    String.raw`(?<![\p{L}\p{N}])${words.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?![\p{L}\p{N}])`,
    'u',
  )
  return sentencesIn(text).filter((sentence) => named.test(sentence))
}

const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const number = `(?<![\\w£.,/-])(${words.join('|')}|[2-9]|1[0-2])`

/** Some of the tiers, or the way from one to another. */
const part = String.raw`(?<!\b(?:top|first|last|other|bottom|lower|upper|next|more|another|extra|up|down|these|those|of the|of our) )`
const step = String.raw`(?! (?:up|down|higher|lower|above|below)\b)`
const kinds = '(?:option|level|plan|kind|type|way)s?'

const countsOfAll = [
  // Three tiers, 3 membership tiers.
  new RegExp(String.raw`${part}${number} (?:(?!years?|months?)[a-z’-]+ )?tiers\b${step}`, 'gi'),
  new RegExp(`${number}[- ]tier membership`, 'gi'),
  new RegExp(String.raw`${number} (?:different |monthly )?memberships\b`, 'gi'),
  // Three membership options, three levels of membership, three ways to join.
  new RegExp(String.raw`${number} (?:membership|tier) ${kinds}\b`, 'gi'),
  new RegExp(String.raw`${number} (?:different )?${kinds} (?:of (?:membership|joining)|to join)\b`, 'gi'),
]
const countsAboutTiers = new RegExp(String.raw`${number} (?:[a-z’-]+ )?(?:options|levels|plans)\b`, 'gi')

function miscounts(sentence: string, { cards }: CardFacts, about: About): boolean {
  const shapes = about === 'tiers' ? [...countsOfAll, countsAboutTiers] : countsOfAll
  return shapes.some((shape) => [...sentence.matchAll(shape)].some(([, said = '']) => countSaid(said) !== cards))
}

const countSaid = (said: string) => {
  const at = words.indexOf(said.toLowerCase())
  return at < 0 ? Number(said) : at + 2
}

const aMonth = String.raw`(?:by the month|monthly|(?:a|per|each|every) month(?![’'\w]| of\b))`

const monthAlone = [
  // Paid by the month, you pay us monthly. Not: pay yourself every month.
  new RegExp(String.raw`\b(?:pay|pays|paid|paying|billed|charged)(?: (?:us|it|once|you|for it)){0,2} ${aMonth}`, 'i'),
  new RegExp(String.raw`\bcosts? ${aMonth}`, 'i'),
  /\bmonthly (?:membership|payments?|fees?|subscriptions?|billing)\b/i,
  /\brolling month(?:ly)?\b/i,
  /\b(?:membership|contract|pay|paid)\b[^.!?]*\bmonth[- ]to[- ]month\b/i,
  /\b(?:pay|paid|payments?|take|taken|charged)\b[^.!?]*\bsame day (?:of )?(?:each|every) month\b/i,
  /\bmonth you(?:[’']ve| have) paid\b/i,
]
const sumAMonth = /£\d[\d,.]*(?: ?\+ ?VAT)? ?(?:\/ ?|(?:a|per|each|every) )month\b/i

function saysMonthAlone(sentence: string, { hasMonth, hasYear, cards }: CardFacts, about: About): boolean {
  if (cards > 0 && !hasMonth && sumAMonth.test(sentence)) return true
  if (!hasYear || /\b(?:years?|yearly|annual(?:ly)?)\b/i.test(sentence)) return false
  if (about === 'post' && !/\b(?:memberships?|tiers?|join)\b/i.test(sentence)) return false
  return monthAlone.some((shape) => shape.test(sentence))
}
