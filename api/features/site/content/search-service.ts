import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { publishedTexts } from '#api/features/site/blog/queries.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { placeholderValues } from '#api/site/content.ts'
import { shippedLowestPrice } from '#data/seed/tiers.ts'
import { ContentPage, contentSchemas } from '#shared/contract/admin-content.ts'
import type { FoundTextList, TierMentionsQuery, TierSentences } from '#shared/contract/found-text.ts'
import { fieldOf, textsIn } from '#shared/contract/text-fields.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { type About, type CardFacts, namingSentences, ownWords, untrueSentences } from '#shared/rules/tier-sentences.ts'
import { readContentPage } from './edit-service.ts'

const mostFound = 5

/** The texts of pages and emails that have these words in this order, whatever the case and accents. */
export function findTexts(ctx: Context, q: string): FoundTextList {
  const sought = foldText(q)
  const found: FoundTextList = []
  for (const page of ContentPage.options) {
    for (const [entry, text] of textsOf(ctx, page))
      if (foldText(text).includes(sought))
        found.push({ page, entry, text: around(text, foldText(text).indexOf(sought)) })
    if (found.length >= mostFound) break
  }
  return found.slice(0, mostFound)
}

/** With their entry, and their placeholders filled in. */
function textsOf(ctx: Context, page: ContentPage) {
  const value = fillPlaceholders(readContentPage(ctx, page).value, placeholderValues(ctx))
  return textsIn(fieldOf(contentSchemas[page]), value)
}

const mostSentences = 12

/** Sentences of pages, emails and published posts that are untrue with such tiers. */
export const findUntrue = (ctx: Context, facts: CardFacts): TierSentences =>
  findSentences(ctx, (text, about) =>
    // That line follows the tiers by itself.
    text === shippedLowestPrice ? [] : untrueSentences(text, facts, about),
  )

/** Sentences that name a tier. None if other tiers’ names begin with its name: then we can’t tell which is meant. */
export function findMentions(ctx: Context, { tier: slug }: TierMentionsQuery): TierSentences {
  const tiers = allTiers(ctx)
  const tier = tiers.find((one) => one.slug === slug)
  if (tier === undefined) throw notFound('This tier')
  const words = ownWords(tier.name, namesOf(tiers.filter((one) => one !== tier)))
  return words === null ? [] : findSentences(ctx, (text) => namingSentences(text, words))
}

const namesOf = (tiers: readonly { name: string }[]) => tiers.map(({ name }) => name)

function findSentences(ctx: Context, foundIn: (text: string, about: About) => string[]): TierSentences {
  const words = ContentPage.options.flatMap((page) =>
    [...textsOf(ctx, page)].flatMap(([entry, text]) =>
      foundIn(text, isAboutTiers(page, entry) ? 'tiers' : 'anything').map((sentence) => ({
        in: 'words' as const,
        text: around(text, text.indexOf(sentence)),
        page,
        entry,
      })),
    ),
  )
  const posts = publishedTexts.all(ctx).flatMap(({ id, title, content }) =>
    foundIn(plainText(content), 'post').map((sentence) => ({
      in: 'post' as const,
      text: around(sentence, 0),
      title,
      id,
    })),
  )
  return [...words, ...posts].slice(0, mostSentences)
}

/** Where options and levels are tiers. An answer may count anything. */
const isAboutTiers = (page: ContentPage, entry: string) =>
  (page === 'membership-tiers' && !entry.startsWith('faq')) || /(^|\.)tiers(\.|$)/.test(entry)

/** A line for each block of a post, which ends a sentence as a full stop does. */
const plainText = (html: string) =>
  html
    .replace(/<\/?(?:b|strong|i|em|a|u|code)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, '\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')

const mostShown = 90
const shownBefore = 30

/** A paragraph's part with what was found; folding shifts the place by a letter or two at most. */
function around(text: string, at: number): string {
  if (text.length <= mostShown) return text
  const from = at <= shownBefore ? 0 : text.indexOf(' ', at - shownBefore) + 1
  const part = text.slice(from, from + mostShown)
  return `${from > 0 ? '… ' : ''}${part}${from + mostShown < text.length ? '…' : ''}`
}
