import type { Context } from '#api/context.ts'
import { adoptedAtOf } from '#api/features/subscriptions/adoption-queries.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { type QueuedMail, queueMessage } from '#api/mail/outbox.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import { contentOf } from '#api/site/content.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isCollectedAt } from '#shared/rules/membership.ts'
import { customerCreatedAt, type Member, queuedCauses, type Subscription } from './queries.ts'

/** The provider's clock may run behind ours, so events it dates slightly before our customer row may still have come later. */
const clockToleranceMs = 60 * 60 * 1000

/**
 * When we first knew the customer, or took over from another program. We don't mail about anything earlier, which happened in
 * another system.
 */
export function knownSince(ctx: Context, customerId: string): string {
  const adoptedAt = adoptedAtOf(ctx, customerId)
  if (adoptedAt !== null) return adoptedAt
  const createdAt = customerCreatedAt(ctx, customerId)
  const known = createdAt === undefined ? ctx.billingNow().getTime() : Date.parse(createdAt)
  return new Date(known - clockToleranceMs).toISOString()
}

export type Addressee = { email: string; firstName: string | null; userId: string | null }

type Mail = Pick<QueuedMail, 'cause' | 'attachment' | 'purpose'> & { message: Message }

/** Puts a filled-in template in the outbox. It holds no one-time link, so it may be sent again. */
export function queueTemplate(ctx: Context, { email, userId }: Addressee, { message, ...mail }: Mail): void {
  queueMessage(ctx, { ...mail, to: email, userId, isRepeatable: true }, message)
}

export const toAddressee = ({ id, email, firstName }: Member): Addressee => ({ email, firstName, userId: id })

export const tierName = (ctx: Context, slug: TierSlug) =>
  tierBySlug(ctx, slug)?.name ?? contentOf(ctx).read().site.brand.shortName

export const billingPath = '/members?tab=billing'
export const billingUrl = ({ settings }: Context) => `${settings.publicUrl}${billingPath}`
export const reactivateUrl = ({ settings }: Context) => `${settings.publicUrl}/reactivate`

/** When a subscription is set to end; null if it renews. */
export const endsAt = ({ cancelAt, cancelAtPeriodEnd, currentPeriodEnd }: Subscription) =>
  cancelAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null)

/** The next payment's amount with VAT, and its day; null if there is none, or the provider doesn't say. */
export function nextPayment(subscription: Subscription): { total: number; on: string } | null {
  const { status, nextPayment: next, collectionPause, collectionResumesAt } = subscription
  if (next === null || endsAt(subscription) !== null || (status !== 'active' && status !== 'trialing')) return null
  const pause = { isCollectionPaused: collectionPause !== null, collectionResumesAt }
  return next.due > 0 && isCollectedAt(next.at, pause) ? { total: next.due, on: next.at } : null
}

/** For changes that go back and forth, causes read `kind:SUBSCRIPTION:COUNT:…`, so that each change gets one mail. */
export function lastQueued(ctx: Context, kinds: readonly string[], subscriptionId: string) {
  const queued = kinds.flatMap((kind) => queuedCauses(ctx, kind, subscriptionId)).map(splitCause)
  return queued.sort((one, other) => other.count - one.count)[0]
}

function splitCause(cause: string) {
  const [kind = '', , count = '0', ...rest] = cause.split(':')
  return { kind, count: Number(count), rest }
}
