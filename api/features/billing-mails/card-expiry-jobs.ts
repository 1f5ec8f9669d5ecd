import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { cardExpiringMail } from '#api/mail/templates/card-expiring.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { asAddressee, billingUrl, endsAt, isTold, nextPayment, queueTemplate } from './mails.ts'
import { findMember, queriesOf } from './queries.ts'

const daysBefore = 30

type CardRow = {
  userId: string
  subscriptionId: string
  cardId: string
  brand: string | null
  last4: string | null
  expYear: number
  expMonth: number
}

/** Tells whose card works for another 30 days at most, once for each card, while a membership is to be paid from it. */
export function announceCardExpiry(ctx: Context): { cards: number; mails: number } {
  const today = londonDay(ctx.billingNow())
  const expiring = cardsOfMonths(ctx, today).filter((card) => addDays(lastDayOf(card), -daysBefore) <= today)
  const mails = expiring.filter((card) => transact(ctx, () => announce(ctx, card)))
  return { cards: expiring.length, mails: mails.length }
}

/** Those that expire at the end of this month or the next. */
function cardsOfMonths(ctx: Context, today: string): CardRow[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const thisMonth = year * 12 + month
  return ctx.sqlite
    .prepare<[number, number], CardRow>(
      `select customers.userId, subscriptions.id as subscriptionId, methods.stripePaymentMethodId as cardId, methods.brand,
         methods.last4, methods.expYear, methods.expMonth
       from payment_methods methods join customers on customers.id = methods.customerId
         join subscriptions on subscriptions.customerId = customers.id
           and subscriptions.status in ('active', 'trialing', 'past_due') and subscriptions.isSettled = 1
       where customers.userId is not null and methods.expYear * 12 + methods.expMonth in (?, ?)`,
    )
    .all(thisMonth, thisMonth + 1)
}

/** A card works to the end of its month. */
function lastDayOf({ expYear, expMonth }: CardRow): string {
  const next = expMonth === 12 ? { year: expYear + 1, month: 1 } : { year: expYear, month: expMonth + 1 }
  return addDays(`${next.year}-${String(next.month).padStart(2, '0')}-01`, -1)
}

/** Whether there was somebody to tell who had not been told. */
function announce(ctx: Context, card: CardRow): boolean {
  const worksUntil = lastDayOf(card)
  const cause = `card-expiring:${card.cardId}:${worksUntil.slice(0, 7)}`
  const member = findMember(ctx, card.userId)
  const subscription = queriesOf(ctx).subscription.get(card.subscriptionId)
  if (member === null || subscription === undefined || member.access.isRevoked) return false
  if (endsAt(subscription) !== null || isTold(ctx, cause)) return false
  const message = cardExpiringMail({
    firstName: member.firstName,
    card: `${brandName(card.brand)} ending ${card.last4 ?? ''}`.trim(),
    worksUntil,
    nextPayment: nextPayment(subscription),
    billingUrl: billingUrl(ctx),
  })
  queueTemplate(ctx, asAddressee(member), { cause, message })
  return true
}

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }
const brandName = (brand: string | null) => brandNames[brand ?? ''] ?? 'card'
