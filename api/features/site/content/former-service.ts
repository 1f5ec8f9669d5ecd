import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { HasDb } from '#api/db/query.ts'
import { contentFolder } from '#api/site/content-files.ts'
import { type ContentPage, contentSchemas } from '#shared/contract/admin-content.ts'
import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { fieldOf, textsIn } from '#shared/contract/text-fields.ts'
import { type FormerKind, formerWords } from '#shared/rules/former-words.ts'
import { tierTexts } from './queries.ts'

export type FormerOf = (text: string) => FormerKind | null

const Site = v.object({
  brand: v.object({ name: v.string(), shortName: v.string(), tagline: v.string(), trades: v.string() }),
})
const Words = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** From the site's own file and what owners made of it. An edit that doesn't fit is named as such, so it's no new name. */
export function readFormer(shipped: unknown, own: unknown): FormerOf {
  const [before, now] = [v.safeParse(Site, shipped), v.safeParse(Site, own)]
  if (!before.success || !now.success) return () => null
  const tradeWords = v.parse(Words, readFileSync(join(contentFolder, 'trade-words.json'), 'utf8'))
  return formerWords({ shipped: before.output.brand, own: now.output.brand, tradeWords })
}

export type FormerText = Pick<UnfinishedEntry, 'entry' | 'says'> & { kind: FormerKind }

const toFormer = (formerOf: FormerOf, texts: readonly [entry: string, text: string][]): FormerText[] =>
  texts.flatMap(([entry, says]) => {
    const kind = formerOf(says)
    return kind === null ? [] : [{ kind, entry, says }]
  })

export const formerTexts = (formerOf: FormerOf, page: ContentPage, content: unknown): FormerText[] =>
  toFormer(formerOf, textsIn(fieldOf(contentSchemas[page]), content))

/** Tiers have their own rows, so they keep the site's former name until edited. */
export const formerTiers = (ctx: HasDb, formerOf: FormerOf): UnfinishedEntry[] =>
  tierTexts
    .all(ctx)
    .flatMap(({ slug, name, description, features }) =>
      toFormer(formerOf, [
        [`${slug}.name`, name],
        [`${slug}.description`, description],
        ...features.map((feature, at): [string, string] => [`${slug}.features.${at}`, feature]),
      ]).map((found) => ({ ...found, file: 'tiers', line: null })),
    )
