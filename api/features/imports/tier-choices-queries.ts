import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { imports } from '#api/db/schema/imports.ts'
import type { ImportOptions } from '#shared/contract/imports.ts'

/** What an owner last adopted or undid by: a price that still runs keeps the tier they chose. */
export const lastTierChoices = ({ db }: Context): ImportOptions['tiers'] =>
  db
    .select({ options: imports.options })
    .from(imports)
    .where(and(eq(imports.kind, 'stripe'), inArray(imports.state, ['applying', 'applied', 'undoing', 'undone'])))
    .orderBy(desc(imports.id))
    .get()?.options.tiers ?? {}
