import type { Context } from '#api/context.ts'
import { placeholderValues } from '#api/site/content.ts'
import { ContentPage, contentSchemas } from '#shared/contract/admin-content.ts'
import type { FoundTextList } from '#shared/contract/found-text.ts'
import { fieldOf, textsIn } from '#shared/contract/text-fields.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { readContentPage } from './edit-service.ts'

const mostFound = 5

/** The texts of pages and emails that have these words in this order, whatever the case and accents. */
export function findTexts(ctx: Context, q: string): FoundTextList {
  const sought = foldText(q)
  const found: FoundTextList = []
  for (const page of ContentPage.options) {
    const value = fillPlaceholders(readContentPage(ctx, page).value, placeholderValues(ctx))
    for (const [entry, text] of textsIn(fieldOf(contentSchemas[page]), value))
      if (foldText(text).includes(sought))
        found.push({ page, entry, text: around(text, foldText(text).indexOf(sought)) })
    if (found.length >= mostFound) break
  }
  return found.slice(0, mostFound)
}

const mostShown = 90
const shownBefore = 30

/** A paragraph's part with what was found; folding shifts the place by a letter or two at most. */
function around(text: string, at: number): string {
  if (text.length <= mostShown) return text
  const from = at <= shownBefore ? 0 : text.indexOf(' ', at - shownBefore) + 1
  const part = text.slice(from, from + mostShown)
  return `${from > 0 ? '… ' : ''}${part}${from + mostShown < text.length ? '…' : ''}`
}
