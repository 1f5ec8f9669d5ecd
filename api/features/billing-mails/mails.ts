import type { Context } from '#api/context.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { queueMessage } from '#api/mail/messages.ts'
import type { QueuedMail } from '#api/mail/outbox.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { withVat } from '#shared/rules/money.ts'
import { type Member, queriesOf, type Subscription } from './queries.ts'

/** The provider's clock is not ours: what it dates a little before we wrote the customer down came after that. */
const clocksDifferMs = 60 * 60 * 1000

/**
 * The first instant that is worth a mail: since when we know the customer. What happened to him before, elsewhere, is
 * history. However late the rest is heard of, it is told.
 */
export function knownSince(ctx: Context, customerId: string): string {
  const createdAt = queriesOf(ctx).knownSince.get(customerId)
  const known = createdAt === undefined ? ctx.billingNow().getTime() : Date.parse(createdAt)
  return new Date(known - clocksDifferMs).toISOString()
}

export type Addressee = { email: string; firstName: string | null; userId: string | null }

type Mail = Pick<QueuedMail, 'cause' | 'attachment'> & { message: Message }

/** Puts a mail without one-time links in the outbox. */
export function queueTemplate(ctx: Context, { email, userId }: Addressee, { message, ...mail }: Mail): void {
  queueMessage(ctx, { ...mail, to: email, userId, isRepeatable: true }, message)
}

export const asAddressee = ({ id, email, firstName }: Member): Addressee => ({ email, firstName, userId: id })

export const isTold = (ctx: Context, cause: string) => queriesOf(ctx).told.get(cause) !== undefined

export const tierName = (ctx: Context, slug: TierSlug) => tierBySlug(ctx, slug)?.name ?? 'Alliance'

export const billingUrl = ({ settings }: Context) => `${settings.publicUrl}/members?tab=billing`
export const reactivateUrl = ({ settings }: Context) => `${settings.publicUrl}/reactivate`

/** When a subscription ends by itself; null where it goes on. */
export const endsAt = ({ cancelAt, cancelAtPeriodEnd, currentPeriodEnd }: Subscription) =>
  cancelAt ?? (cancelAtPeriodEnd === 1 ? currentPeriodEnd : null)

/** What is taken next, with VAT, and when; null where nothing is. */
export function nextPayment(subscription: Subscription): { total: number; on: string } | null {
  const { status, trialEnd, currentPeriodEnd, nextTierNet, nextTierAt, monthlyNet } = subscription
  const on = status === 'trialing' ? trialEnd : status === 'active' ? currentPeriodEnd : null
  if (on === null || endsAt(subscription) !== null) return null
  const booked = nextTierAt !== null && nextTierAt <= on ? nextTierNet : null
  return { total: withVat(booked ?? monthlyNet).total, on }
}

export type Told = { kind: string; count: number; rest: string[] }

/**
 * What the newest mail of these kinds told of a subscription: its cause, split. Causes of news that can turn to and fro
 * read `kind:SUBSCRIPTION:COUNT:…`, so that each turn is told once.
 */
export function lastTold(ctx: Context, kinds: readonly string[], subscriptionId: string): Told | null {
  const told = kinds
    .flatMap((kind) => queriesOf(ctx).causes.all(`${kind}:${subscriptionId}:`, `${kind}:${subscriptionId};`))
    .map(toTold)
    .sort((one, other) => other.count - one.count)
  return told[0] ?? null
}

function toTold(cause: string): Told {
  const [kind = '', , count = '0', ...rest] = cause.split(':')
  return { kind, count: Number(count), rest }
}
