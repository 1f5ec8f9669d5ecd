import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import type { priceMoveOutcomes } from '#api/db/schema/price-moves.ts'
import { isLive } from '#shared/rules/membership.ts'
import { isPeriodBooked } from '#shared/rules/tier-changes.ts'
import { listOpenMovesOfCustomer, markMoveClosed } from './price-move-queries.ts'

type Outcome = (typeof priceMoveOutcomes)[number]

/** Runs after a sync. Paying the new price completes a move; cancelling or booking another tier keeps the old price. */
export function settlePriceMoves(ctx: Context, { id: customerId }: Customer): void {
  for (const move of listOpenMovesOfCustomer(ctx, customerId)) {
    const outcome = outcomeOf(move)
    if (outcome !== null) closeMove(ctx, { id: move.id, userId: move.userId, tierSlug: move.tierSlug }, outcome)
  }
}

function outcomeOf(move: ReturnType<typeof listOpenMovesOfCustomer>[number]): Outcome | null {
  if (move.stripePriceId === move.priceId) return 'moved'
  if (!isLive(move.status) || move.isEnding) return 'cancelled'
  const isOther = move.nextTierSlug !== null && move.nextTierSlug !== move.tierSlug
  return isOther || isPeriodBooked({ ...move, tierSlug: move.presentTier }) ? 'tier_changed' : null
}

export function closeMove(
  ctx: Context,
  { id, userId, tierSlug }: { id: string; userId: string | null; tierSlug: string },
  outcome: Outcome,
): void {
  if (!markMoveClosed(ctx, id, outcome)) return
  audit(ctx, 'system', `price_move.${outcome}`, { targetId: userId, detail: { tier: tierSlug, move: id } })
}
