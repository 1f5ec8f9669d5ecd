import type { Context } from '#api/context.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import type { LinkObstacle } from '#shared/contract/reactivation.ts'
import { isLive } from '#shared/rules/membership.ts'

/** Why a link to this address has nothing to sell now; null where it has. What was begun and never paid stands in no way. */
export function obstacleFor(ctx: Context, email: string): LinkObstacle | null {
  const user = ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)
  if (user === undefined) return null
  const { isRevoked, status } = accessOfUser(ctx, user.id)
  if (isRevoked) return 'access_revoked'
  return isLive(status) && status !== 'incomplete' ? 'already_subscribed' : null
}
