import * as v from 'valibot'
import { Id, Text } from './fields.ts'
import { TierSlug } from './tier.ts'

export const ContentSearch = v.object({ q: Text(100) })

/** A text of the site, with its placeholders filled in as visitors read it. Kept apart from the pages' schemas, which weigh 50 kB. */
export const FoundTextList = v.array(v.object({ page: v.string(), entry: v.string(), text: v.string() }))
export type FoundTextList = v.InferOutput<typeof FoundTextList>

const said = v.union([v.literal('true'), v.literal('false')])

/** How many cards there will be, and whether any is sold by the month or the year. */
export const TierSentencesQuery = v.object({
  cards: v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)),
  hasMonth: v.pipe(
    said,
    v.transform((word) => word === 'true'),
  ),
  hasYear: v.pipe(
    said,
    v.transform((word) => word === 'true'),
  ),
})
export type TierSentencesQuery = v.InferOutput<typeof TierSentencesQuery>

export const TierMentionsQuery = v.object({ tier: TierSlug })
export type TierMentionsQuery = v.InferOutput<typeof TierMentionsQuery>

/** Sentences of the site's words, or of a post: those that are untrue then, or that name a tier. */
export const TierSentences = v.array(
  v.variant('in', [
    v.object({ in: v.literal('words'), text: v.string(), page: v.string(), entry: v.string() }),
    v.object({ in: v.literal('post'), text: v.string(), title: v.string(), id: Id }),
  ]),
)
export type TierSentences = v.InferOutput<typeof TierSentences>
