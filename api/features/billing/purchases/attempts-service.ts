import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { attemptKinds } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

/** Who buys: an account, and how it is called at the provider. */
export type Buyer = { userId: string; email: string; name: string }

/** Who is charged, as the provider's customer is made with; kept, so that a repeat says the same. */
const AttemptCustomer = v.object({ email: v.string(), name: v.string() })

/** `delayed`: begun by a signed link, first paid on a day to come. */
export type AttemptKind = (typeof attemptKinds)[number]

/** What is ordered; null until it is known. */
const SubscriptionOrder = v.object({
  customer: v.string(),
  price: v.string(),
  taxRate: v.string(),
  metadata: v.record(v.string(), v.string()),
  /** Unix seconds: until then nothing is taken. Null where the first payment is due at once. */
  trialEnd: v.optional(v.nullable(v.number()), null),
})
export type SubscriptionOrder = v.InferOutput<typeof SubscriptionOrder>

const AttemptRequest = v.object({ customer: AttemptCustomer, order: v.nullable(SubscriptionOrder) })

/** A purchase that was begun. `request` is what is asked of the provider, to be repeated to the letter. */
export type Attempt = {
  id: string
  userId: string
  kind: AttemptKind
  tierSlug: TierSlug
  request: v.InferOutput<typeof AttemptRequest>
  stripeSubscriptionId: string | null
}

type AttemptRow = Omit<Attempt, 'request'> & { request: string }
const columns = 'id, userId, kind, tierSlug, request, stripeSubscriptionId'
const toAttempt = (row: AttemptRow): Attempt => ({ ...row, request: v.parse(AttemptRequest, JSON.parse(row.request)) })

export function openAttempt(ctx: Context, userId: string): Attempt | null {
  const row = ctx.sqlite
    .prepare<[string], AttemptRow>(`select ${columns} from purchase_attempts where userId = ? and closedAt is null`)
    .get(userId)
  return row ? toAttempt(row) : null
}

/** The person's open attempt, made if he has none: before anything is asked of the provider, and one at a time. */
export function beginAttempt(
  ctx: Context,
  { userId, email, name }: Buyer,
  { kind, tierSlug }: Pick<Attempt, 'kind' | 'tierSlug'>,
): Attempt {
  return transact(ctx, () => {
    const open = openAttempt(ctx, userId)
    if (open !== null) return open
    const attempt: Attempt = {
      id: ctx.newId(),
      userId,
      kind,
      tierSlug,
      request: { customer: { email, name }, order: null },
      stripeSubscriptionId: null,
    }
    ctx.sqlite
      .prepare(
        `insert into purchase_attempts (id, userId, kind, tierSlug, request, openedAt) values (?, ?, ?, ?, ?, ?)`,
      )
      .run(attempt.id, userId, kind, tierSlug, JSON.stringify(attempt.request), ctx.billingNow().toISOString())
    return attempt
  })
}

/**
 * Keeps the order before it is sent; the first writer's stays, and is what everybody sends. Refused where the attempt was
 * closed without one: its person may have been removed since, and nothing of him is to be written back.
 */
export function rememberOrder(ctx: Context, attempt: Attempt, order: SubscriptionOrder): SubscriptionOrder {
  return transact(ctx, () => {
    const row = ctx.sqlite
      .prepare<[string], AttemptRow & { isOpen: 0 | 1 }>(
        `select ${columns}, closedAt is null as isOpen from purchase_attempts where id = ?`,
      )
      .get(attempt.id)
    const kept = row ? toAttempt(row).request.order : null
    if (kept !== null) return kept
    if (row?.isOpen !== 1) throw new AppError('conflict', 'This purchase was ended just now. Please begin again.')
    ctx.sqlite
      .prepare('update purchase_attempts set request = ? where id = ?')
      .run(JSON.stringify({ ...attempt.request, order }), attempt.id)
    return order
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
