import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { termsVersions } from '#api/db/schema/terms.ts'
import type { AllContent } from '#shared/contract/site-content.ts'

/** Stores the terms as they read in this content, unless they are stored already. */
export function recordTerms(ctx: Context, { site, pages }: AllContent): void {
  const createdAt = ctx.now().toISOString()
  insertIfAbsent(ctx, termsVersions, { version: site.terms, text: pages.terms, createdAt })
}

export const termsByVersion = preparedQuery<{ version: string }>()((db, { version }) =>
  db.select().from(termsVersions).where(eq(termsVersions.version, version)),
)
