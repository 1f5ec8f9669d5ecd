import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { termsVersions } from '#api/db/schema/terms.ts'
import type { AllContent } from '#shared/contract/site-content.ts'

const overrides = preparedQuery()((db) =>
  db.select().from(contentOverrides).orderBy(contentOverrides.page, contentOverrides.entry),
)

export type OverrideRow = ReturnType<typeof overrides.all>[number]

export const listOverrides = (ctx: HasDb): OverrideRow[] => overrides.all(ctx)

/** Stores the terms as worded here, unless they're stored already. */
export function recordTerms(ctx: Context, { site, pages }: AllContent): void {
  const createdAt = ctx.now().toISOString()
  insertIfAbsent(ctx, termsVersions, { version: site.terms, text: pages.terms, createdAt })
}

export const termsByVersion = preparedQuery<{ version: string }>()((db, { version }) =>
  db.select().from(termsVersions).where(eq(termsVersions.version, version)),
)
