import type { TierSlug } from '#shared/contract/tier.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/open.ts'

/** A purchase that was begun. `request` is what was asked of the provider, to be repeated to the letter. */
export type Attempt = {
  id: string
  userId: string
  tierSlug: TierSlug
  request: Record<string, unknown>
  stripeSubscriptionId: string | null
}

type AttemptRow = Omit<Attempt, 'request'> & { request: string }
const columns = 'id, userId, tierSlug, request, stripeSubscriptionId'

export function openAttempt(ctx: Context, userId: string): Attempt | null {
  const row = ctx.sqlite
    .prepare<[string], AttemptRow>(`select ${columns} from purchase_attempts where userId = ? and closedAt is null`)
    .get(userId)
  return row ? { ...row, request: JSON.parse(row.request) } : null
}

/** The person's open attempt, made if he has none: before anything is asked of the provider, and one at a time. */
export function beginAttempt(ctx: Context, userId: string, tierSlug: TierSlug): Attempt {
  return transact(ctx, () => {
    const open = openAttempt(ctx, userId)
    if (open !== null) return open
    ctx.sqlite
      .prepare(
        `insert into purchase_attempts (id, userId, kind, tierSlug, request, openedAt) values (?, ?, 'subscription', ?, '{}', ?)`,
      )
      .run(ctx.newId(), userId, tierSlug, ctx.billingNow().toISOString())
    const made = openAttempt(ctx, userId)
    if (made === null) throw new Error('An attempt that was just written is not there.')
    return made
  })
}

/** Keeps the request before it is sent; the first writer's stays, and is what everybody sends. */
export function rememberRequest(
  ctx: Context,
  attempt: Attempt,
  request: Record<string, unknown>,
): Record<string, unknown> {
  return transact(ctx, () => {
    ctx.sqlite
      .prepare(`update purchase_attempts set request = ? where id = ? and request = '{}'`)
      .run(JSON.stringify(request), attempt.id)
    const row = ctx.sqlite
      .prepare<[string], { request: string }>('select request from purchase_attempts where id = ?')
      .get(attempt.id)
    return row ? JSON.parse(row.request) : request
  })
}

export function rememberSubscription(ctx: Context, attempt: Attempt, stripeSubscriptionId: string): void {
  ctx.sqlite
    .prepare('update purchase_attempts set stripeSubscriptionId = ? where id = ?')
    .run(stripeSubscriptionId, attempt.id)
}

export function closeAttempt(ctx: Context, attemptId: string, outcome: string): void {
  ctx.sqlite
    .prepare('update purchase_attempts set closedAt = ?, outcome = ? where id = ? and closedAt is null')
    .run(ctx.billingNow().toISOString(), outcome, attemptId)
}

/** Closes a person's attempt once its subscription is no longer incomplete. Runs inside the sync's transaction. */
export function closeSettledAttempts(ctx: Context, userId: string | null): void {
  ctx.sqlite
    .prepare(
      `update purchase_attempts set closedAt = ?, outcome = (
         select status from subscriptions where subscriptions.id = purchase_attempts.stripeSubscriptionId)
       where userId = ? and closedAt is null and exists (
         select 1 from subscriptions where subscriptions.id = purchase_attempts.stripeSubscriptionId and (
           subscriptions.status not in ('incomplete', 'trialing') or (subscriptions.status = 'trialing' and subscriptions.isSettled = 1)))`,
    )
    .run(ctx.billingNow().toISOString(), userId)
}
