import type { World } from './world.ts'

/** A tier's price by the year, in pence. Returns its id. */
export function addYearlyPrice({ ctx }: World, tierSlug: string, net: number): string {
  const id = ctx.newId()
  const at = ctx.now().toISOString()
  ctx.sqlite
    .prepare(`insert into tier_prices (id, tierSlug, every, net, createdAt, updatedAt) values (?, ?, 'year', ?, ?, ?)`)
    .run(id, tierSlug, net, at, at)
  return id
}
