import type { Context } from '#api/context.ts'
import { contentOf } from './service.ts'
import { recordTerms, termsByVersion } from './terms-queries.ts'

/**
 * The version that somebody agrees to: the one that they were shown, where we ever showed it, else the one that stands now.
 * Call it in the transaction that stores it.
 */
export function agreedTerms(ctx: Context, shown: string | undefined): string {
  const content = contentOf(ctx).read()
  recordTerms(ctx, content)
  return shown !== undefined && termsByVersion.get(ctx, { version: shown }) !== undefined ? shown : content.site.terms
}
