import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { billingUrl, endsAt, nextPayment, queueTemplate, toAddressee } from '#api/features/billing-mails/mails.ts'
import { findMember, subscriptionById, wasQueued } from '#api/features/billing-mails/queries.ts'
import { isMailWanted } from '#api/mail/choices.ts'
import { cardExpiringParts } from '#api/mail/templates/payment.ts'
import { isExpiring, lastDayOfCard } from '#shared/rules/card-expiry.ts'
import { londonDay } from '#shared/rules/london.ts'
import { wasToldOfFailureToday } from './queries.ts'
import { followUpMail, noteFollowUp, textOf } from './service.ts'

/** Mails members whose card expires within 30 days, once per card, if a membership will be charged to it. */
export function announceCardExpiry(ctx: Context): { cards: number; mails: number } {
  if (!textOf(ctx, 'card-expiring').isOn) return { cards: 0, mails: 0 }
  const today = londonDay(ctx.billingNow())
  const expiring = cardsOfMonths(ctx, today).filter((card) => isExpiring(lastDayOf(card), today))
  const mails = expiring.filter((card) => transact(ctx, () => queueExpiryMail(ctx, card)))
  return { cards: expiring.length, mails: mails.length }
}

/** Cards of running subscriptions that expire at the end of this month or the next. */
function cardsOfMonths(ctx: Context, today: string) {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const thisMonth = year * 12 + month
  const expires = sql`${paymentMethods.expYear} * 12 + ${paymentMethods.expMonth}`
  return ctx.db
    .select({
      userId: customers.userId,
      subscriptionId: subscriptions.id,
      cardId: paymentMethods.stripePaymentMethodId,
      brand: paymentMethods.brand,
      last4: paymentMethods.last4,
      expYear: paymentMethods.expYear,
      expMonth: paymentMethods.expMonth,
    })
    .from(paymentMethods)
    .innerJoin(customers, eq(customers.id, paymentMethods.customerId))
    .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
    .where(
      and(
        inArray(subscriptions.status, ['active', 'trialing', 'past_due']),
        eq(subscriptions.isSettled, true),
        isNotNull(customers.userId),
        inArray(expires, [thisMonth, thisMonth + 1]),
      ),
    )
    .all()
}

type Card = ReturnType<typeof cardsOfMonths>[number]

const lastDayOf = ({ expYear, expMonth }: Card): string =>
  lastDayOfCard(`${expYear ?? 0}-${String(expMonth ?? 0).padStart(2, '0')}`)

function queueExpiryMail(ctx: Context, card: Card): boolean {
  const worksUntil = lastDayOf(card)
  const occasion = `${card.cardId}:${worksUntil.slice(0, 7)}`
  const cause = `card-expiring:${occasion}`
  const member = findMember(ctx, card.userId ?? '')
  const subscription = subscriptionById.get(ctx, { id: card.subscriptionId })
  if (member === null || subscription === undefined || member.access.isRevoked) return false
  if (endsAt(subscription) !== null || wasQueued(ctx, cause)) return false
  if (!isMailWanted(ctx, { userId: member.id, purpose: 'card-expiry' })) return false
  // They've had a mail about a failed payment today. This one goes tomorrow.
  if (wasToldOfFailureToday(ctx, member.id) || !noteFollowUp(ctx, 'card-expiring', { userId: member.id, occasion }))
    return false
  const facts = cardExpiringParts({
    card: `${brandName(card.brand)} ending ${card.last4 ?? ''}`.trim(),
    worksUntil,
    nextPayment: nextPayment(subscription),
    billingUrl: billingUrl(ctx),
  })
  const message = followUpMail(ctx, 'card-expiring', member.firstName, facts)
  queueTemplate(ctx, toAddressee(member), { cause, message, purpose: 'card-expiry' })
  return true
}

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }
const brandName = (brand: string | null) => brandNames[brand ?? ''] ?? 'card'
