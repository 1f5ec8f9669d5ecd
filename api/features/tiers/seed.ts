import type { Context } from '#api/context.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { tierSeeds } from '#data/seed/tiers.ts'

/** Puts the price list in place where there is none; the owners' later changes stay. */
export function ensureTiers(ctx: Context): void {
  const at = ctx.now().toISOString()
  for (const tier of tierSeeds) {
    ctx.db
      .insert(membershipTiers)
      .values({ ...tier, features: [...tier.features], id: ctx.newId(), createdAt: at, updatedAt: at })
      .onConflictDoNothing({ target: membershipTiers.slug })
      .run()
  }
}
